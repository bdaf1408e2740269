"""What the attributes of a span say of a tool call, by either convention.

GenAI (`gen_ai.tool.…`, with `process.…`) and OpenInference (`tool.…`, `input.value`).
"""

from collections.abc import Mapping

import msgspec

from proctor.join.decoding import Shape, decoder_of, digest_of
from proctor.join.toolcall import Told, ToolCall

Attributes = Mapping[str, object]
SHELLS = frozenset(
    (
        *("bash", "shell", "sh", "terminal", "execute_bash", "execute_command", "exec_command"),
        *("run_shell_command", "shell_command", "local_shell_call", "run_terminal_cmd", "exec"),
        *("run_command", "run_in_terminal", "cmd", "powershell", "process"),
    )
)
"""Names of tools, lower case, whose arguments are a command."""


class Arguments(Shape):
    """The arguments of a shell tool, by its usual names."""

    command: str | list[str] | None = None
    cmd: str | list[str] | None = None
    script: str | None = None
    argv: list[str] | None = None
    cwd: str | None = None
    workdir: str | None = None
    working_dir: str | None = None
    directory: str | None = None


_arguments = decoder_of(Arguments)
_string = decoder_of(str)


class Asked(msgspec.Struct, frozen=True, gc=False):
    """What a call's arguments ask for."""

    command: str | None = None
    argv: tuple[str, ...] | None = None
    cwd: str | None = None


def asked(tool: str, payload: msgspec.Raw | str | None) -> Asked:
    """Return what a tool's arguments ask for: JSON, JSON in a string, or bare text."""
    shell = tool.lower() in SHELLS
    if isinstance(payload, msgspec.Raw):
        text = _string(payload)
        payload = payload if text is None else text
    given = _arguments(payload)
    if given is None:
        bare = payload.strip() if shell and isinstance(payload, str) else ""
        return Asked(command=bare or None) if not bare.startswith(("{", "[")) else Asked()
    cwd = given.cwd or given.workdir or given.working_dir or given.directory
    if given.argv:
        return Asked(argv=tuple(given.argv), cwd=cwd)
    command = given.command or given.cmd or given.script
    if not shell or not command:
        return Asked(cwd=cwd)
    if isinstance(command, str):
        return Asked(command=command, cwd=cwd)
    if len(command) == 3 and command[1] in ("-c", "-lc"):
        return Asked(command=command[2], cwd=cwd)
    return Asked(argv=tuple(command), cwd=cwd)


def is_tool(attributes: Attributes) -> bool:
    """Return whether a span is a tool call."""
    return (
        attributes.get("gen_ai.operation.name") == "execute_tool"
        or "gen_ai.tool.call.id" in attributes
        or str(attributes.get("openinference.span.kind", "")).upper() == "TOOL"
    )


def is_process(attributes: Attributes) -> bool:
    """Return whether a span is a process."""
    return bool(attributes.get("process.command_args"))


def tool_call(attributes: Attributes, call: ToolCall) -> ToolCall:
    """Return `call` with what the attributes of its span say."""
    tool = first_text(attributes, "gen_ai.tool.name", "tool.name") or call.tool
    payload = first_text(attributes, "gen_ai.tool.call.arguments", "tool.parameters", "input.value")
    wanted = asked(tool, payload)
    named = first_text(attributes, "gen_ai.tool.call.id", "tool_call.id", "tool.id")
    session = first_text(attributes, "gen_ai.conversation.id", "session.id")
    return msgspec.structs.replace(
        call,
        call_id=named or call.call_id,
        session=session or call.session,
        tool=tool,
        command=wanted.command,
        argv=wanted.argv,
        cwd=wanted.cwd or first_text(attributes, "process.working_directory"),
        payload_sha256=digest_of(payload),
        told=told_by(attributes, call.told),
    )


def process_call(attributes: Attributes, call: ToolCall) -> ToolCall:
    """Return `call` as the process that the attributes of its span describe."""
    argv = attributes.get("process.command_args")
    session = first_text(attributes, "gen_ai.conversation.id", "session.id")
    return msgspec.structs.replace(
        call,
        tool="process",
        session=session or call.session,
        argv=tuple(map(str, argv)) if isinstance(argv, list | tuple) else None,
        cwd=first_text(attributes, "process.working_directory"),
        told=told_by(attributes, call.told),
    )


def told_by(attributes: Attributes, told: Told) -> Told:
    """Return `told` with the exit code that the attributes name, if they do."""
    code = attributes.get("process.exit.code")
    if isinstance(code, str) and code.lstrip("-").isascii() and code.lstrip("-").isdigit():
        code = int(code[:20])
    if isinstance(code, int) and not isinstance(code, bool):
        return Told(exit_code=code, failed=code != 0, ending="ended")
    return told


def printed_by(attributes: Attributes) -> str | None:
    """Return the result of a tool call, as text."""
    return first_text(attributes, "gen_ai.tool.call.result", "output.value")


def first_text(attributes: Attributes, *names: str) -> str | None:
    """Return the first of the attributes that is text with something in it."""
    for name in names:
        value = attributes.get(name)
        if isinstance(value, str) and value:
            return value
    return None
