"""OpenCode: a session as `opencode export` writes it, with a real exit code.

The code is the shell line's, not the runner's. A part whose status is `error` did not
run.
"""

import re
from collections.abc import Iterator

import msgspec

from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, decoder_of, digest_of
from proctor.join.pending import answered, prints
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "opencode"
_CLAIM = re.compile(rb'[{,]\s*"(?:callID|sessionID|messageID)"\s*:')


class _Path(Shape):
    cwd: str | None = None


class _Info(Shape, rename={"session_id": "sessionID"}):
    id: str | None = None
    session_id: str | None = None
    directory: str | None = None
    role: str | None = None
    path: _Path | None = None


class _Time(Shape):
    start: int | float | None = None
    end: int | float | None = None


class _Metadata(Shape):
    exit: int | float | None = None


class _State(Shape):
    status: str | None = None
    input: msgspec.Raw = msgspec.Raw()
    output: msgspec.Raw = msgspec.Raw()
    error: str | None = None
    metadata: msgspec.Raw = msgspec.Raw()
    time: _Time | None = None


class _Part(Shape, rename={"call_id": "callID"}):
    id: str | None = None
    type: str | None = None
    tool: str | None = None
    call_id: str | None = None
    text: str | None = None
    state: msgspec.Raw = msgspec.Raw()
    time: _Time | None = None


class _Record(Shape):
    """The session, or one of its messages."""

    info: _Info | None = None
    parts: list[_Part | None] | None = None


class _Input(Shape):
    command: str | None = None
    workdir: str | None = None


_RECORD = msgspec.json.Decoder(_Record)
_state = decoder_of(_State)
_input = decoder_of(_Input)
_metadata = decoder_of(_Metadata)
_string = decoder_of(str)


def _read(source: Source) -> Iterator[Entry]:
    session = _Info()
    for place, record in decoded(source, _RECORD):
        info = record.info or _Info()
        if record.parts is None:
            session = info if info.directory else session
            continue
        for number, part in enumerate(record.parts):
            if part is None:
                continue
            if part.type == "tool":
                yield from _call(session, info, part, (place, number))
            elif part.type == "text" and part.text and info.role == "assistant":
                yield Message(
                    session=info.session_id or session.id or "",
                    text=part.text,
                    said_at=as_utc(part.time.start if part.time else None),
                    subagent=_subagent(session, info),
                    line=place,
                )


def _call(session: _Info, info: _Info, part: _Part, at: tuple[int, int]) -> Iterator[Entry]:
    state = _state(part.state) or _State()
    time = state.time or _Time()
    given = _input(state.input) or _Input()
    call = ToolCall(
        call_id=part.call_id or part.id or f"message-{at[0]}-{at[1]}",
        agent=AGENT,
        session=info.session_id or session.id or "",
        tool=part.tool or "",
        command=given.command if part.tool == "bash" else None,
        cwd=given.workdir or (info.path.cwd if info.path else None) or session.directory,
        started_at=as_utc(time.start),
        subagent=_subagent(session, info),
        payload_sha256=digest_of(state.input),
        line=at[0],
    )
    printed = _string(state.output) if prints(call) else None
    yield from answered(call, _told(state), text=printed, at=as_utc(time.end))


def _told(state: _State) -> Told:
    if state.status == "error":
        return Told(failed=True, ending="not-run")
    if state.status in ("running", "pending"):
        return Told(ending="running")
    code = (_metadata(state.metadata) or _Metadata()).exit
    if code is None:
        return Told(ending="unknown")
    return Told(exit_code=int(code), failed=code != 0, ending="ended")


def _subagent(session: _Info, info: _Info) -> str:
    own = info.session_id
    return own if own and session.id and own != session.id else ""


READER = Reader(
    name="OpenCode",
    claims=lambda head: _CLAIM.search(head) is not None,
    read=_read,
    lists=(("messages",),),
)
