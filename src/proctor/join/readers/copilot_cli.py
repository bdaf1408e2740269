"""Copilot CLI: a session's events.

Only the result's text tells an exit code; `success` says that the tool ran.
"""

import re
from collections.abc import Iterator

import msgspec

from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, decoder_of, digest_of, parts_text
from proctor.join.pending import Pending, prints
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "copilot_cli"
_CLAIM = re.compile(
    rb'[{,]\s*"type"\s*:\s*"(?:session\.(?:start|resume|info)|tool\.execution_(?:start|complete)|'
    rb'assistant\.(?:message|turn_start))"\s*[,}]'
)
_EXIT = re.compile(r"<(?:shellId: (\S+) )?(?:completed|exited) with exit code (-?\d+)>\s*\Z")
_RUNNING = re.compile(r"shellId: (\S+?)[ >.][^<]*?(?:still running|is running|started)")
_TAIL = 500
"""Characters of a result's end in which the agent says how the command ended."""


class _Context(Shape):
    cwd: str | None = None


class _Result(Shape):
    content: msgspec.Raw = msgspec.Raw()


class _Error(Shape):
    code: str | None = None
    message: str | None = None


class _Data(Shape, rename="camel"):
    session_id: str | None = None
    context: _Context | None = None
    tool_call_id: str | None = None
    parent_tool_call_id: str | None = None
    tool_name: str | None = None
    arguments: msgspec.Raw = msgspec.Raw()
    success: bool | None = None
    result: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()
    content: msgspec.Raw = msgspec.Raw()


class _Event(Shape):
    type: str | None = None
    timestamp: str | None = None
    data: _Data | None = None


class _Arguments(Shape, rename={"shell_id": "shellId"}):
    command: str | None = None
    mode: str | None = None
    shell_id: str | int | None = None


_EVENT = msgspec.json.Decoder(_Event)
_arguments = decoder_of(_Arguments)
_result = decoder_of(_Result)
_error = decoder_of(_Error)


class _Session:
    """What is known of one session while its events are read."""

    def __init__(self) -> None:
        self.calls = Pending()
        self.id = ""
        self.cwd: str | None = None
        self.shells: dict[str, str] = {}
        """A shell that still ran when its call was answered → that call."""

    def event(self, event: _Event, data: _Data, place: int) -> Iterator[Entry]:
        at = as_utc(event.timestamp)
        if event.type in ("session.start", "session.resume"):
            self.id = data.session_id or self.id
            self.cwd = (data.context.cwd if data.context else None) or self.cwd
        elif event.type == "tool.execution_start":
            yield from self.calls.open(self._call(data, place, at))
        elif event.type == "tool.execution_complete":
            if (call := self.calls.get(data.tool_call_id)) is not None:
                yield from self._answer(call, data, at)
        elif event.type == "assistant.message" and (text := parts_text(data.content)):
            yield Message(
                session=self.id,
                text=text,
                said_at=at,
                subagent=data.parent_tool_call_id or "",
                line=place,
            )

    def _call(self, data: _Data, place: int, at: str | None) -> ToolCall:
        given = _arguments(data.arguments) or _Arguments()
        return ToolCall(
            call_id=data.tool_call_id or f"line-{place}",
            agent=AGENT,
            session=self.id,
            tool=data.tool_name or "",
            command=given.command if data.tool_name == "bash" else None,
            cwd=self.cwd,
            started_at=at,
            background=given.mode in ("async", "detached"),
            subagent=data.parent_tool_call_id or "",
            payload_sha256=digest_of(data.arguments),
            line=place,
        )

    def _answer(self, call: ToolCall, data: _Data, at: str | None) -> Iterator[Entry]:
        is_read = prints(call) or bool(self.shells)
        result = (_result(data.result) if is_read else None) or _Result()
        text = parts_text(result.content)
        ended = _EXIT.search(text, max(0, len(text) - _TAIL))
        if ended and (started := self.calls.get(self.shells.pop(ended[1] or "", ""))):
            yield from self.calls.close(started.call_id, _of_code(int(ended[2])), text=text, at=at)
        running = None if ended else _RUNNING.search(text, max(0, len(text) - _TAIL))
        if call.is_shell and not ended and (running or call.background):
            if running:
                self.shells[running[1]] = call.call_id
            self.calls.tell(call.call_id, Told(ending="running"), background=True)
            return
        told = _of_code(int(ended[2])) if ended and call.is_shell else _without_code(data)
        yield from self.calls.close(call.call_id, told, text=text, at=at)


def _of_code(code: int) -> Told:
    return Told(exit_code=code, failed=code != 0, ending="ended")


def _without_code(data: _Data) -> Told:
    if data.success is False:
        error = _error(data.error) or _Error()
        refused = error.code in ("denied", "rejected")
        return Told(failed=True, ending="not-run" if refused else "unknown")
    return Told(ending="ended")


def _read(source: Source) -> Iterator[Entry]:
    session = _Session()
    needed = (b'"session.', b'"tool.execution_', b'"assistant.message"')
    for place, event in decoded(source, _EVENT, *needed):
        if event.data is not None:
            yield from session.event(event, event.data, place)
    yield from session.calls.rest()


READER = Reader(
    name="Copilot CLI",
    claims=lambda head: _CLAIM.search(head) is not None,
    read=_read,
    folders=(".copilot/session-state", ".copilot/history-session-state"),
)
