"""OpenHands V1: an event in each file of a conversation's `events` folder.

The exit code is the shell line's; −1 means that it still ran.
"""

import os
import re
from collections.abc import Iterator

import msgspec

from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, decoder_of, digest_of, parts_text
from proctor.join.pending import Pending
from proctor.join.times import as_utc
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "openhands"
_CLAIM = re.compile(
    rb'[{,]\s*"kind"\s*:\s*"(?:ActionEvent|ObservationEvent|MessageEvent|SystemPromptEvent|'
    rb'AgentErrorEvent|UserRejectObservation)"\s*[,}]'
)
_SHELLS = ("terminal", "execute_bash")
_SHELL_ACTIONS = ("TerminalAction", "ExecuteBashAction")


class _Metadata(Shape):
    exit_code: int | None = None
    working_dir: str | None = None


class _Observation(Shape):
    command: str | None = None
    content: msgspec.Raw = msgspec.Raw()
    output: str | None = None
    exit_code: int | None = None
    is_error: bool | None = None
    metadata: _Metadata | None = None


class _Action(Shape):
    kind: str | None = None
    command: str | None = None
    is_input: bool | None = None
    message: str | None = None


class _Said(Shape):
    content: msgspec.Raw = msgspec.Raw()


class _Event(Shape):
    kind: str | None = None
    id: str | None = None
    timestamp: str | None = None
    source: str | None = None
    tool_name: str | None = None
    tool_call_id: str | None = None
    thought: msgspec.Raw = msgspec.Raw()
    action: msgspec.Raw = msgspec.Raw()
    observation: msgspec.Raw = msgspec.Raw()
    llm_message: _Said | None = None


_EVENT = msgspec.json.Decoder(_Event)
_action = decoder_of(_Action)
_observation = decoder_of(_Observation)


class _Conversation:
    """What is known of one conversation while its events are read."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.calls = Pending()
        self.running: str | None = None
        """The call whose command still runs in the terminal."""

    def event(self, event: _Event, place: int) -> Iterator[Entry]:
        at = as_utc(event.timestamp)
        if event.kind == "ActionEvent":
            action = _action(event.action) or _Action()
            said = "\n".join(filter(None, (parts_text(event.thought), action.message)))
            yield from self._say(said, place, at)
            yield from self.calls.open(self._call(event, action, place, at))
        elif event.kind == "MessageEvent" and event.source == "agent" and event.llm_message:
            yield from self._say(parts_text(event.llm_message.content), place, at)
        elif event.kind == "ObservationEvent":
            yield from self._observe(event, place, at)
        elif (call := self.calls.get(event.tool_call_id)) is not None:
            # An error of the agent's own, or the user's refusal.
            refused = Told(failed=True, ending="not-run")
            yield from self.calls.close(call.call_id, refused, at=at)

    def _say(self, text: str, place: int, at: str | None) -> Iterator[Entry]:
        if text:
            yield Message(session=self.session, text=text, said_at=at, line=place)

    def _call(self, event: _Event, action: _Action, place: int, at: str | None) -> ToolCall:
        shell = event.tool_name in _SHELLS or action.kind in _SHELL_ACTIONS
        return ToolCall(
            call_id=event.tool_call_id or event.id or f"event-{place}",
            agent=AGENT,
            session=self.session,
            tool=event.tool_name or "",
            command=action.command if shell and not action.is_input else None,
            started_at=at,
            payload_sha256=digest_of(event.action),
            line=place,
        )

    def _observe(self, event: _Event, place: int, at: str | None) -> Iterator[Entry]:
        """Answer a call; one whose own event is not at hand is made of its answer."""
        seen = _observation(event.observation) or _Observation()
        if event.tool_call_id not in self.calls and event.tool_name in _SHELLS and seen.command:
            made = self._call(event, _Action(command=seen.command), place, None)
            yield from self.calls.open(made)
        if (call := self.calls.get(event.tool_call_id)) is not None:
            yield from self._answer(call, seen, at)

    def _answer(self, call: ToolCall, seen: _Observation, at: str | None) -> Iterator[Entry]:
        metadata = seen.metadata or _Metadata()
        text = seen.output or parts_text(seen.content)
        code = seen.exit_code if seen.exit_code is not None else metadata.exit_code
        told = _told(code)
        if not call.is_shell:
            if told.ending == "ended" and self.running in self.calls:
                yield from self.calls.close(str(self.running), told, text=text, at=at)
            done = Told(failed=seen.is_error, ending="ended")
            yield from self.calls.close(call.call_id, done, text=text, at=at)
            return
        self.calls.tell(call.call_id, told, cwd=metadata.working_dir or call.cwd)
        if told.ending == "running":
            self.running = call.call_id
            return
        yield from self.calls.close(call.call_id, told, text=text, at=at)


def _told(code: int | None) -> Told:
    if code is None:
        return Told()
    if code < 0:
        return Told(ending="running")
    return Told(exit_code=code, failed=code != 0, ending="ended")


def _session_of(source: Source) -> str:
    """Return the conversation's id: the name of the folder that holds `events`."""
    path = os.path.abspath(source.path)
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    name = os.path.basename(folder)
    return os.path.basename(os.path.dirname(folder)) if name == "events" else name


def _read(source: Source) -> Iterator[Entry]:
    conversation = _Conversation(_session_of(source))
    for place, event in decoded(source, _EVENT):
        yield from conversation.event(event, place)
    yield from conversation.calls.rest()


READER = Reader(
    name="OpenHands",
    claims=lambda head: _CLAIM.search(head) is not None,
    read=_read,
    folders=(".openhands/conversations",),
)
