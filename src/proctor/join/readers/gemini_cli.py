"""Gemini CLI: a session as one JSON document, or as JSONL with `$set` and `$rewindTo`.

An exit code stands only in the result's text, in current versions only where it is not 0;
`status` says success even then. What was rewound had run all the same, so it is told.
"""

import re
from collections.abc import Iterator

import msgspec

from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, decoder_of, digest_of, parts_text
from proctor.join.pending import Pending
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "gemini_cli"
_CLAIM = re.compile(rb'[{,]\s*"(?:projectHash|\$rewindTo)"\s*:|[{,]\s*"type"\s*:\s*"gemini"\s*[,}]')
_EXIT = re.compile(
    r"Exit Code: (-?\d+)[ \t]*"
    r"(?:\n(?:Signal|Background PIDs|Process Group PGID|Error):[^\n]*)*\s*\Z"
)
_TAIL = 2000
"""Characters of a result's end in which the agent says how the command ended."""
_SHELL = "run_shell_command"


class _Response(Shape):
    output: str | None = None
    error: str | None = None


class _FunctionResponse(Shape):
    response: _Response | None = None


class _Result(Shape, rename="camel"):
    function_response: _FunctionResponse | None = None


class _Call(Shape):
    id: str | None = None
    name: str | None = None
    args: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()
    status: str | None = None
    timestamp: str | None = None


class _Arguments(Shape):
    command: str | None = None
    directory: str | None = None
    dir_path: str | None = None
    is_background: bool | None = None


class _Record(
    Shape, rename={"tool_calls": "toolCalls", "session_id": "sessionId", "assign": "$set"}
):
    id: str | None = None
    type: str | None = None
    timestamp: str | None = None
    content: msgspec.Raw = msgspec.Raw()
    tool_calls: list[_Call | None] | None = None
    session_id: str | None = None
    kind: str | None = None
    assign: msgspec.Raw = msgspec.Raw()


class _Assigned(Shape):
    messages: list[_Record | None] | None = None


_RECORD = msgspec.json.Decoder(_Record)
_arguments = decoder_of(_Arguments)
_results = decoder_of(list[_Result | None])
_assigned = decoder_of(_Assigned)


class _Session:
    """What is known of one session while its records are read."""

    def __init__(self) -> None:
        self.calls = Pending()
        self.id = ""
        self.subagent = ""
        self.said = ""
        """The id of the message that was told last: one that grows is written again."""

    def record(self, record: _Record, place: int) -> Iterator[Entry]:
        if record.session_id:
            self.id = record.session_id
            self.subagent = record.session_id if record.kind == "subagent" else ""
        assigned = _assigned(record.assign) or _Assigned()
        for one in assigned.messages or ():
            if one is not None:
                yield from self.record(one, place)
        if record.type != "gemini":
            return
        if (text := parts_text(record.content)) and record.id != self.said:
            self.said = record.id or ""
            yield Message(
                session=self.id,
                text=text,
                said_at=as_utc(record.timestamp),
                subagent=self.subagent,
                line=place,
            )
        for number, call in enumerate(record.tool_calls or ()):
            if call is not None:
                yield from self._call(record, call, call.id or f"line-{place}-{number}", place)

    def _call(self, record: _Record, call: _Call, call_id: str, place: int) -> Iterator[Entry]:
        given = _arguments(call.args) or _Arguments()
        yield from self.calls.open(
            ToolCall(
                call_id=call_id,
                agent=AGENT,
                session=self.id,
                tool=call.name or "",
                command=given.command if call.name == _SHELL else None,
                cwd=given.directory or given.dir_path,
                started_at=as_utc(record.timestamp),
                background=bool(given.is_background),
                subagent=self.subagent,
                payload_sha256=digest_of(call.args),
                line=place,
            )
        )
        text = "\n".join(_printed(call))
        if call_id in self.calls and (text or call.status in _ENDINGS):
            told = _told(call.status, text, background=bool(given.is_background))
            yield from self.calls.close(call_id, told, text=text, at=as_utc(call.timestamp))


_ENDINGS = ("success", "error", "cancelled")


def _told(status: str | None, text: str, *, background: bool) -> Told:
    if status == "cancelled":
        return Told(failed=True, ending="not-run")
    if background:
        return Told(ending="running")
    if found := _EXIT.match(text, text.rfind("\nExit Code: ", -_TAIL) + 1):
        code = int(found[1])
        return Told(exit_code=code, failed=code != 0, ending="ended")
    if status == "error":
        return Told(failed=True)
    return Told(failed=False if status == "success" else None, ending="ended")


def _printed(call: _Call) -> Iterator[str]:
    for result in _results(call.result) or ():
        answer = result.function_response if result else None
        if answer and answer.response:
            yield answer.response.output or answer.response.error or ""


def _read(source: Source) -> Iterator[Entry]:
    session = _Session()
    needed = (b'"toolCalls"', b'"gemini"', b'"sessionId"')
    for place, record in decoded(source, _RECORD, *needed):
        yield from session.record(record, place)
    yield from session.calls.rest()


READER = Reader(
    name="Gemini CLI",
    claims=lambda head: _CLAIM.search(head) is not None,
    read=_read,
    folders=(".gemini/tmp",),
    lists=(("messages",),),
)
