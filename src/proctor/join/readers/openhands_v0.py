"""OpenHands V0: a trajectory, as one list of actions and observations."""

import re
from collections.abc import Iterator

import msgspec

from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, decoder_of, digest_of
from proctor.join.pending import Pending
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "openhands_v0"
_CLAIM = re.compile(
    rb'[{,]\s*"tool_call_metadata"\s*:|[{,]\s*"(?:action|observation)"\s*:\s*"(?:run|run_ipython)"'
)


class _Arguments(Shape):
    command: str | None = None
    is_input: bool | str | None = None
    content: str | None = None
    final_thought: str | None = None
    thought: str | None = None


class _Metadata(Shape):
    exit_code: int | None = None
    working_dir: str | None = None


class _Extras(Shape):
    metadata: _Metadata | None = None
    exit_code: int | None = None


class _CallData(Shape):
    tool_call_id: str | None = None
    function_name: str | None = None


class _Event(Shape):
    id: int | str | None = None
    timestamp: str | None = None
    source: str | None = None
    cause: int | str | None = None
    action: str | None = None
    observation: str | None = None
    args: msgspec.Raw = msgspec.Raw()
    content: str | None = None
    extras: msgspec.Raw = msgspec.Raw()
    tool_call_metadata: _CallData | None = None


_EVENT = msgspec.json.Decoder(_Event)
_arguments = decoder_of(_Arguments)
_extras = decoder_of(_Extras)


class _Trajectory:
    """What is known of one trajectory while its events are read."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.calls = Pending()
        self.actions: dict[str, str] = {}
        """An action's id → its call's, for observations that name only a cause."""
        self.running: str | None = None

    def event(self, event: _Event, place: int) -> Iterator[Entry]:
        at = as_utc(event.timestamp)
        if event.action and event.source != "user":
            given = _arguments(event.args) or _Arguments()
            if said := given.final_thought or given.content or given.thought:
                yield Message(session=self.session, text=said, said_at=at, line=place)
            if event.action not in ("message", "finish", "system", "change_agent_state"):
                yield from self.calls.open(self._call(event, given, place, at))
        elif event.observation:
            data = event.tool_call_metadata or _CallData()
            known = data.tool_call_id if data.tool_call_id in self.calls else None
            if call := self.calls.get(known or self.actions.pop(str(event.cause), "")):
                yield from self._answer(call, event, at)

    def _call(self, event: _Event, given: _Arguments, place: int, at: str | None) -> ToolCall:
        data = event.tool_call_metadata or _CallData()
        call_id = data.tool_call_id or f"event-{event.id if event.id is not None else place}"
        if event.id is not None:
            self.actions[str(event.id)] = call_id
        is_input = given.is_input in (True, "true")
        return ToolCall(
            call_id=call_id,
            agent=AGENT,
            session=self.session,
            tool=data.function_name or event.action or "",
            command=given.command if event.action == "run" and not is_input else None,
            started_at=at,
            payload_sha256=digest_of(event.args),
            line=place,
        )

    def _answer(self, call: ToolCall, event: _Event, at: str | None) -> Iterator[Entry]:
        extras = _extras(event.extras) or _Extras()
        metadata = extras.metadata or _Metadata()
        code = metadata.exit_code if metadata.exit_code is not None else extras.exit_code
        told = _told(code, refused=event.observation in ("error", "user_rejected"))
        if not call.is_shell:
            if told.exit_code is not None and self.running in self.calls:
                yield from self.calls.close(str(self.running), told, text=event.content, at=at)
            done = Told(ending="ended")
            yield from self.calls.close(call.call_id, done, text=event.content, at=at)
            return
        self.calls.tell(call.call_id, told, cwd=metadata.working_dir or call.cwd)
        if told.ending == "running":
            self.running = call.call_id
            return
        yield from self.calls.close(call.call_id, told, text=event.content, at=at)


def _told(code: int | None, *, refused: bool) -> Told:
    if refused:
        return Told(failed=True, ending="not-run")
    if code is None:
        return Told(ending="ended")
    if code < 0:
        return Told(ending="running")
    return Told(exit_code=code, failed=code != 0, ending="ended")


def _read(source: Source) -> Iterator[Entry]:
    trajectory = _Trajectory(source.stem)
    for place, event in decoded(source, _EVENT):
        yield from trajectory.event(event, place)
    yield from trajectory.calls.rest()


READER = Reader(
    name="OpenHands (V0)",
    claims=lambda head: _CLAIM.search(head) is not None,
    read=_read,
    lists=(("history",), ("trajectory",)),
)
