"""Serves tests and the gate to agents as tools (Model Context Protocol, stdio).

stdout carries the protocol and nothing else. A tool is an entry of `TOOLS`: what it
takes and gives are types, from which its schemas are made and its arguments read.
"""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from proctor.classify.classify import classify_argv
from proctor.config import load
from proctor.errors import EXIT_SIGNAL, Error, UsageError
from proctor.recorder.call import RecorderCall, call_off, size_of, written_since
from proctor.recorder.image import is_shell_line, valid_traceparent
from proctor.records.place import chosen_log, find_clone
from proctor.records.span import Report, Span
from proctor.settings import light_settings

if TYPE_CHECKING:
    from mcp.server import Server, ServerRequestContext
    from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult

TAIL_BYTES = 16 << 10
"""Bytes of a command's output that are handed back: its end."""
CALL_IDS = ("claudecode/toolUseId",)
"""Members of a request's `_meta` in which clients tell the id of the tool call."""


class ToolError(Error):
    """A tool cannot do what it is asked; told to the agent."""


class RunTests(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What `run_tests` takes."""

    argv: Annotated[list[str], msgspec.Meta(min_length=1, description="no shell reads it")]
    cwd: Annotated[str | None, msgspec.Meta(description="default: the server's folder")] = None
    timeout: (
        Annotated[float, msgspec.Meta(gt=0, description="seconds, then the whole tree is ended")]
        | None
    ) = None
    receipt: Annotated[bool, msgspec.Meta(description="write artifacts/test-receipt.json")] = False


class Witnessed(msgspec.Struct, kw_only=True):
    """What `run_tests` gives: what was witnessed, and the end of the output."""

    exit_code: int
    """As the operating system returned it; 128 + n after signal n."""
    signal: str | None
    timed_out: bool
    duration_ms: int | None
    executed: int | None
    """Tests executed, by the runners' own reports; null where there is none."""
    passed: int | None
    failed: int | None
    skipped: int | None
    span_id: str
    """The record of the command, as `proctor log` shows it."""
    run_id: str
    output: str
    """The end of stdout and stderr."""
    output_bytes: int
    """All of it."""


class Gate(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What `gate` takes."""

    cwd: Annotated[str | None, msgspec.Meta(description="default: the server's folder")] = None
    base: Annotated[str | None, msgspec.Meta(description="judge the patch since this revision")] = (
        None
    )
    transcripts: list[str] = []


class CheckReceipt(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What `check_receipt` takes."""

    path: Annotated[str | None, msgspec.Meta(description="default: those in artifacts/")] = None
    cwd: Annotated[str | None, msgspec.Meta(description="default: the server's folder")] = None
    base: str | None = None
    command: str | None = None


Meta = Mapping[str, Any]


class Tool(NamedTuple):
    """One tool: its words, its types, and the call that both the tool and Python make."""

    about: str
    takes: type[msgspec.Struct]
    gives: type[msgspec.Struct] | None
    """Null where the result's own schema is published elsewhere."""
    call: "Callable[[Any, Meta], Awaitable[tuple[str, dict[str, Any]]]]"


def serve() -> None:
    """Answer on stdin and stdout until the client hangs up.

    Raises:
        UsageError: the extra is not installed.
    """
    try:
        import mcp.server  # noqa: F401 - the first import tells
    except ImportError as error:
        raise UsageError(
            f"the MCP server needs an extra ({error.name} is missing): "
            "pip install '.[mcp]' in Proctor's clone"
        ) from None
    try:
        asyncio.run(_serve())
    except* (BrokenPipeError, ConnectionResetError):
        pass  # the client is gone


async def _serve() -> None:
    from mcp.server.stdio import stdio_server

    server = _server()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _leave_soon, number)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


_leaving: "set[asyncio.Task[None]]" = set()
_running: "set[asyncio.subprocess.Process]" = set()


def _leave_soon(number: int) -> None:
    _leaving.add(asyncio.get_running_loop().create_task(_leave(number)))


async def _leave(number: int) -> None:
    """End what runs, then this process: a thread that waits for stdin would keep it."""
    await asyncio.gather(*map(call_off, tuple(_running)))
    os._exit(EXIT_SIGNAL + number)


def _server() -> "Server[Any]":
    from mcp.server import Server

    return Server(
        "proctor",
        version=version("proctor"),
        instructions="Run tests with run_tests: what ran is recorded by the operating system's "
        "own account. `gate` judges the records.",
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
    )


async def _list_tools(context: "ServerRequestContext[Any]", params: Any) -> "ListToolsResult":
    from mcp import types

    del context, params
    return types.ListToolsResult(
        tools=[
            types.Tool(
                name=name,
                description=tool.about,
                input_schema=_schema(tool.takes),
                output_schema=_schema(tool.gives) if tool.gives is not None else None,
            )
            for name, tool in TOOLS.items()
        ]
    )


def _schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    (reference,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    return dict(parts[reference["$ref"].rpartition("/")[2]])


async def _call_tool(
    context: "ServerRequestContext[Any]", params: "CallToolRequestParams"
) -> "CallToolResult":
    from mcp import types

    try:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise ToolError(f"there is no tool {params.name!r}; known: {', '.join(TOOLS)}")
        given = msgspec.convert(dict(params.arguments or {}), tool.takes)
        text, result = await tool.call(given, dict(context.meta or {}))
    except (Error, msgspec.ValidationError) as error:
        said = types.TextContent(type="text", text=f"{params.name}: {error}")
        return types.CallToolResult(content=[said], is_error=True)
    shown = types.TextContent(type="text", text=text)
    return types.CallToolResult(content=[shown], structured_content=result)


# ── run_tests ───────────────────────────────────────────────────────────────


async def run_tests(given: RunTests, meta: Meta) -> tuple[str, dict[str, Any]]:
    """Run a test command under the recorder and return what was witnessed.

    A command that is no test run is refused: a user who allows this tool allows tests,
    not a shell.

    Raises:
        ToolError: the command is refused, or the folder is none.
    """
    import anyio

    folder = _folder(given.cwd)
    _refuse_other_commands(given.argv, folder)
    clone = find_clone(folder)
    log = chosen_log(None, load(clone.root).log.path, clone, os.environ)
    size = size_of(log)
    parent = next((str(meta[name]) for name in CALL_IDS if meta.get(name)), None)
    options = {"claims": "tests", "timeout": given.timeout, "parent": parent}
    call = RecorderCall(given.argv, {**options, "receipt": "" if given.receipt else None})
    with call:
        # NOTE: a start that is cut off half-way would leave what it started.
        with anyio.CancelScope(shield=True):
            process = await _start(call, folder, meta)
        _running.add(process)
        try:
            tail, count = await _tail(process)
            await process.wait()
        except BaseException:
            with anyio.CancelScope(shield=True):
                await call_off(process)
            raise
        finally:
            _running.discard(process)
        try:
            root, *below = await written_since(log, size, call.span(), process.pid)
        except Error as error:
            raise ToolError(tail.strip().rpartition("\n")[2] or str(error)) from None
    found = _told(root, below, process.returncode or 0, tail, count)
    return _in_words(found), msgspec.to_builtins(found)


def _folder(cwd: str | None) -> str:
    folder = os.path.abspath(cwd or os.getcwd())
    if not os.path.isdir(folder):
        raise ToolError(f"cwd {cwd!r} is no folder")
    return folder


def _refuse_other_commands(argv: list[str], folder: str) -> None:
    settings = light_settings(find_clone(folder), os.environ)
    found = classify_argv(argv, peel=True, classes=settings.classes, table=settings.table)
    shell = is_shell_line(argv) or any(
        word.split(" ")[-1].startswith("-") and "c" in word.split(" ")[-1]
        for word in (found.wrappers if found else ())
    )
    if shell:
        raise ToolError("argv goes to no shell: name the test runner and its arguments")
    if found is None or found.role != "test" or found.kind not in ("leaf", "driver"):
        raise ToolError(
            f"{argv[0]!r} is no test command that Proctor knows; run it in the shell, or name it "
            "in proctor.toml: [classes.NAME] match = [[…]], role = 'test', kind = 'leaf'"
        )


async def _start(call: RecorderCall, folder: str, meta: Meta) -> "asyncio.subprocess.Process":
    environ = dict(os.environ)
    context = valid_traceparent(str(meta.get("traceparent") or ""))
    if context is not None:
        environ["TRACEPARENT"] = context
    return await asyncio.create_subprocess_exec(
        *call.words,
        cwd=folder,
        env=environ,
        pass_fds=(call.told,),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


async def _tail(process: "asyncio.subprocess.Process") -> tuple[str, int]:
    """Return the end of the output, and how many bytes there were."""
    assert process.stdout is not None  # noqa: S101 - asked for at the start
    kept, count = b"", 0
    while block := await process.stdout.read(1 << 16):
        count += len(block)
        kept = (kept + block)[-TAIL_BYTES:]
    return kept.decode("utf-8", "replace"), count


def _told(root: Span, below: list[Span], returned: int, output: str, count: int) -> Witnessed:
    code = root.exit_code
    if code is None:
        code = returned if returned >= 0 else EXIT_SIGNAL - returned
    reports = [span.report for span in (root, *below) if span.report is not None]
    return Witnessed(
        exit_code=code,
        signal=root.signal,
        timed_out=root.timed_out,
        duration_ms=root.duration_ms,
        span_id=root.span_id,
        run_id=root.run_id,
        output=output,
        output_bytes=count,
        **dict(_counts(reports)),
    )


def _counts(reports: list[Report]) -> Iterator[tuple[str, int | None]]:
    for name in ("executed", "passed", "failed", "skipped"):
        yield name, sum(getattr(one, name) for one in reports) if reports else None


def _in_words(found: Witnessed) -> str:
    end = f"signal {found.signal}" if found.signal else f"exit code {found.exit_code}"
    counts = "tests not counted"
    if found.executed is not None:
        counts = f"{found.executed} executed, {found.failed} failed, {found.skipped} skipped"
    late = " · ended by the time limit" if found.timed_out else ""
    cut = found.output_bytes - len(found.output.encode("utf-8", "replace"))
    more = f"[{cut:,} bytes before this]\n" if cut > 0 else ""
    head = f"{end} · {counts} · {found.duration_ms} ms · span {found.span_id}{late}"
    return f"{head}\n{more}{found.output}"


# ── gate ────────────────────────────────────────────────────────────────────


async def gate(given: Gate, meta: Meta) -> tuple[str, dict[str, Any]]:
    """Judge what was recorded, as `proctor gate` does."""
    import anyio

    del meta
    return await anyio.to_thread.run_sync(lambda: _judged(given))


def _judged(given: Gate) -> tuple[str, dict[str, Any]]:
    from proctor.assess.gather import Question, assess
    from proctor.report.base import Format, format_of
    from proctor.report.style import Style

    folder = _folder(given.cwd)
    verdict = assess(
        Question(
            folder=folder,
            environ=os.environ,
            now=datetime.now(UTC),
            base=given.base,
            transcripts=tuple(given.transcripts),
        )
    )
    shown = {}
    for name in ("text", "json"):
        shown[name] = format_of(name, Format).render(verdict, Style())
    return shown["text"], json.loads(shown["json"])


async def check_receipt(given: CheckReceipt, meta: Meta) -> tuple[str, dict[str, Any]]:
    """Say all that is wrong with receipts, as `proctor receipt check` does."""
    import anyio

    from proctor.report.receipts import told

    del meta
    asked = (_folder(given.cwd), given.path, given.base, given.command)
    return await anyio.to_thread.run_sync(lambda: told(*asked))


TOOLS = {
    "run_tests": Tool(
        "Run a test command and return what the operating system saw of it: exit code, "
        "duration, executed tests, the end of the output, and the id of its record. Takes "
        "the command as an array of arguments; no shell reads it, so nothing can hide the "
        "exit code.",
        RunTests,
        Witnessed,
        run_tests,
    ),
    "gate": Tool(
        "Judge whether the recorded test runs show that the tests pass on the files as they "
        "are now: pass, fail or unproven, with the findings and what to do about each.",
        Gate,
        None,
        gate,
    ),
    "check_receipt": Tool(
        "Say all that is wrong with the receipt of a test run, or that it is good: whole, "
        "recorded, about the files as they are now, green, and of the owed command.",
        CheckReceipt,
        None,
        check_receipt,
    ),
}
"""Name → tool."""
