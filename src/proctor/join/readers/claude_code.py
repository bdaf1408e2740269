"""Claude Code: a session's JSONL, and the files of its sub-agents.

It tells no exit code where a command succeeds. Where one fails, the result is marked as
an error and its text begins with `Exit code N`.
"""

import glob
import os
import re
from collections.abc import Iterator

import msgspec

from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, decoder_of, digest_of, parts_text
from proctor.join.pending import Pending, prints
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "claude_code"
_CLAIM = re.compile(
    rb'[{,]\s*"(?:isSidechain|leafUuid|sourceToolAssistantUUID|toolUseResult|parentUuid)"\s*:'
)
_EXIT = re.compile(r"\s*(?:Error: )?Exit code (-?\d+)")
_REFUSED = re.compile(
    r"\s*(?:Error: )?(?:<tool_use_error>|The user doesn't want to |Permission to use |"
    r"Claude requested permissions |This command requires approval|PreToolUse:|Hook |"
    r"\[Request interrupted by user for tool use\]|Tool execution (?:was )?(?:denied|rejected))"
)
_BACKGROUND = re.compile(r"<status>(\w+)</status>(?:.*?<exit_code>(-?\d+)</exit_code>)?", re.DOTALL)
_FETCHES = ("BashOutput", "TaskOutput", "AgentOutputTool")


class _Block(Shape):
    type: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = msgspec.Raw()
    tool_use_id: str | None = None
    content: msgspec.Raw = msgspec.Raw()
    is_error: bool | None = None
    text: str | None = None


class _Message(Shape):
    role: str | None = None
    content: str | list[_Block | None] | None = None


class _Line(Shape, rename="camel"):
    type: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    is_sidechain: bool | None = None
    is_api_error_message: bool | None = None
    message: _Message | None = None
    tool_use_result: msgspec.Raw = msgspec.Raw()


class _Input(Shape):
    command: str | None = None
    run_in_background: bool | None = None
    bash_id: str | None = None
    task_id: str | None = None


class _Result(Shape, rename="camel"):
    interrupted: bool | None = None
    background_task_id: str | None = None


_LINE = msgspec.json.Decoder(_Line)
_input = decoder_of(_Input)
_result = decoder_of(_Result)


class _Session:
    """What is known of one session while its lines are read."""

    def __init__(self) -> None:
        self.calls = Pending()
        self.background: dict[str, str] = {}
        """A background shell's id → the call that started it."""
        self.asked: dict[str, str] = {}
        """The call that asked after a background shell → that shell's id."""
        self.id = ""

    def read(self, source: Source) -> Iterator[Entry]:
        for place, line in decoded(source, _LINE, b'"tool_use', b'"tool_result"', b'"text"'):
            self.id = self.id or line.session_id or ""
            message = line.message
            if message is None or message.content is None:
                continue
            if isinstance(message.content, str):
                message.content = [_Block(type="text", text=message.content)]
            for block in message.content:
                if block is not None:
                    yield from self._block(line, block, place)

    def _block(self, line: _Line, block: _Block, place: int) -> Iterator[Entry]:
        if block.type == "tool_use":
            yield from self.calls.open(self._call(line, block, place))
        elif block.type == "tool_result":
            if (call := self.calls.get(block.tool_use_id)) is not None:
                yield from self._answer(line, block, call)
        elif block.type == "text" and block.text and line.type == "assistant":
            yield Message(
                session=line.session_id or self.id,
                text=block.text,
                said_at=as_utc(line.timestamp),
                subagent=_subagent(line),
                line=place,
            )

    def _call(self, line: _Line, block: _Block, place: int) -> ToolCall:
        call_id = block.id or f"line-{place}"
        given = _input(block.input) or _Input()
        if block.name in _FETCHES and (asked := given.bash_id or given.task_id):
            self.asked[call_id] = asked
        return ToolCall(
            call_id=call_id,
            agent=AGENT,
            session=line.session_id or self.id,
            tool=block.name or "",
            command=given.command if block.name == "Bash" else None,
            cwd=line.cwd,
            started_at=as_utc(line.timestamp),
            background=bool(given.run_in_background),
            subagent=_subagent(line),
            payload_sha256=digest_of(block.input),
            line=place,
        )

    def _answer(self, line: _Line, block: _Block, call: ToolCall) -> Iterator[Entry]:
        call_id = call.call_id
        at = as_utc(line.timestamp)
        if call_id in self.asked:
            yield from self._fetched(self.asked.pop(call_id), parts_text(block.content), at)
        if not call.is_shell:
            told = Told(failed=bool(block.is_error), ending="ended")
            printed = parts_text(block.content) if prints(call) else None
            yield from self.calls.close(call_id, told, text=printed, at=at)
            return
        text = parts_text(block.content)
        result = _result(line.tool_use_result) or _Result()
        if result.background_task_id:
            self.background[result.background_task_id] = call_id
            self.calls.tell(call_id, Told(ending="running"), background=True)
            return
        told = _told(text, failed=bool(block.is_error), interrupted=bool(result.interrupted))
        yield from self.calls.close(call_id, told, text=text, at=at)

    def _fetched(self, shell: str, text: str, at: str | None) -> Iterator[Entry]:
        """Yield the call that started a background shell, once the agent hears of its end."""
        found = _BACKGROUND.search(text)
        call_id = self.background.get(shell)
        if not found or found[1] == "running" or call_id not in self.calls:
            return
        code = int(found[2]) if found[2] else None
        failed = code != 0 if code is not None else None
        told = Told(exit_code=code, failed=failed, ending="ended" if found[2] else "unknown")
        yield from self.calls.close(str(call_id), told, text=text, at=at)


def _told(text: str, *, failed: bool, interrupted: bool) -> Told:
    if interrupted:
        return Told(failed=True if failed else None)
    if not failed:
        return Told(failed=False, ending="ended")
    if found := _EXIT.match(text):
        return Told(exit_code=int(found[1]), failed=True, ending="ended")
    return Told(failed=True, ending="not-run" if _REFUSED.match(text) else "unknown")


def _subagent(line: _Line) -> str:
    if line.is_sidechain:
        return line.agent_id or "sidechain"
    return line.agent_id or ""


def _read(source: Source) -> Iterator[Entry]:
    session = _Session()
    yield from session.read(source)
    yield from session.calls.rest()
    if source.beside is None:
        return
    for path in _subagent_files(source.path, session.id):
        part = _Session()
        objects = source.beside(path)
        yield from part.read(
            Source(path=path, objects=objects, skipped=source.skipped, beside=None)
        )
        yield from part.calls.rest()


def _subagent_files(path: str, session: str) -> list[str]:
    """Return the files of a session's sub-agents: below it, and older ones beside it."""
    folder, name = os.path.split(path)
    stem = os.path.splitext(name)[0]
    if stem.startswith("agent-"):
        return []
    below = glob.glob(
        os.path.join(glob.escape(os.path.join(folder, stem)), "subagents", "agent-*.jsonl")
    )
    beside = glob.glob(os.path.join(glob.escape(folder), "agent-*.jsonl"))
    return sorted(below) + sorted(one for one in beside if session and _session_of(one) == session)


def _session_of(path: str) -> str | None:
    """Return the session that the first lines of a sub-agent's file name."""
    try:
        with open(path, "rb") as file:
            found = re.search(rb'[{,]\s*"sessionId"\s*:\s*"([^"\\]+)"', file.read(1 << 16))
    except OSError:
        return None
    return found[1].decode("utf-8", "replace") if found else None


def _part_of(path: str) -> str | None:
    folder, name = os.path.split(path)
    if not name.startswith("agent-"):
        return None
    if os.path.basename(folder) == "subagents":
        owner = os.path.dirname(folder) + ".jsonl"
    else:
        owner = os.path.join(folder, f"{_session_of(path)}.jsonl")
    return owner if os.path.isfile(owner) else None


READER = Reader(
    name="Claude Code",
    claims=lambda head: _CLAIM.search(head) is not None,
    read=_read,
    folders=(".claude/projects",),
    part_of=_part_of,
)
