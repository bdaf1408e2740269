"""mini-swe-agent: a trajectory, with the return code of every command.

Version 1 has the command in a fenced block of the reply, and the return code in the text
of the message that follows.
"""

import re
from collections.abc import Iterator

import msgspec

from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, decoder_of, digest_of, parts_text
from proctor.join.pending import Pending
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "mini_swe_agent"
_CLAIM = re.compile(rb'[{,]\s*"trajectory_format"\s*:\s*"mini-swe-agent|[{,]\s*"mini_version"\s*:')
_FENCED = re.compile(r"```(?:bash|sh|mswea_bash_command)[ \t]*\n(.*?)\n?```", re.DOTALL)
_RETURNED = re.compile(r"\s*<returncode>(-?\d+)</returncode>\s*(?:<output>\n?)?")


class _Action(Shape):
    command: str | None = None
    tool_call_id: str | None = None


class _Extra(Shape):
    actions: list[_Action | None] | None = None
    raw_output: str | None = None
    returncode: int | None = None
    timestamp: float | int | str | None = None


class _Function(Shape):
    name: str | None = None
    arguments: str | None = None


class _Call(Shape):
    id: str | None = None
    function: _Function | None = None


class _Message(Shape):
    role: str | None = None
    content: msgspec.Raw = msgspec.Raw()
    tool_calls: list[_Call | None] | None = None
    tool_call_id: str | None = None
    extra: msgspec.Raw = msgspec.Raw()


class _Arguments(Shape):
    command: str | None = None


_MESSAGE = msgspec.json.Decoder(_Message)
_extra = decoder_of(_Extra)
_arguments = decoder_of(_Arguments)


class _Trajectory:
    """What is known of one trajectory while its messages are read."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.calls = Pending()
        self.unnamed: list[str] = []
        """Calls without an id of their own; the answers come in their order."""

    def message(self, message: _Message, place: int) -> Iterator[Entry]:
        extra = _extra(message.extra) or _Extra()
        text = parts_text(message.content)
        at = as_utc(extra.timestamp)
        if message.role == "assistant":
            if text:
                yield Message(session=self.session, text=text, said_at=at, line=place)
            self.unnamed.clear()
            for number, (call_id, command, payload) in enumerate(_asked(message, extra, text)):
                made = f"message-{place}-{number}"
                if call_id is None:
                    self.unnamed.append(made)
                yield from self.calls.open(
                    ToolCall(
                        call_id=call_id or made,
                        agent=AGENT,
                        session=self.session,
                        tool="bash",
                        command=command,
                        started_at=at,
                        payload_sha256=digest_of(payload),
                        line=place,
                    )
                )
        elif message.role in ("tool", "user") and text:
            named = message.tool_call_id
            waiting = self.unnamed.pop(0) if named is None and self.unnamed else named
            if (call := self.calls.get(waiting)) is not None:
                told, printed = _told(extra, text)
                yield from self.calls.close(call.call_id, told, text=printed, at=at)


def _asked(
    message: _Message, extra: _Extra, text: str
) -> Iterator[tuple[str | None, str | None, str | None]]:
    """Yield id, command and payload of each call that a reply makes."""
    ids = [call.id for call in message.tool_calls or () if call]
    actions = [action for action in extra.actions or () if action]
    for number, action in enumerate(actions):
        named = action.tool_call_id or (ids[number] if number < len(ids) else None)
        yield named, action.command, action.command
    if actions:
        return
    for call in message.tool_calls or ():
        given = call.function.arguments if call and call.function else None
        if call is not None:
            yield call.id, (_arguments(given) or _Arguments()).command, given
    if not message.tool_calls and (found := _FENCED.findall(text)):
        yield None, found[0], found[0]


def _told(extra: _Extra, text: str) -> tuple[Told, str]:
    head = _RETURNED.match(text)
    code = extra.returncode
    if code is None and head:
        code = int(head[1])
    printed = text[head.end() :].removesuffix("</output>") if head else text
    printed = extra.raw_output if extra.raw_output is not None else printed
    if code is None:
        return Told(), printed
    if code == -1:  # timed out, or never begun
        return Told(failed=True), printed
    return Told(exit_code=code, failed=code != 0, ending="ended"), printed


def _read(source: Source) -> Iterator[Entry]:
    trajectory = _Trajectory(source.stem)
    for place, message in decoded(source, _MESSAGE):
        yield from trajectory.message(message, place)
    yield from trajectory.calls.rest()


READER = Reader(
    name="mini-swe-agent",
    claims=lambda head: _CLAIM.search(head) is not None,
    read=_read,
    lists=(("messages",),),
)
