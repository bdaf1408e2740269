"""SWE-agent: a `.traj`, a step at a time, without any exit code."""

import re
from collections.abc import Iterator

import msgspec

from proctor.join.base import Reader, Source
from proctor.join.decoding import Shape, decoded, decoder_of, digest_of
from proctor.join.pending import answered
from proctor.join.toolcall import Entry, Message, Told, ToolCall

AGENT = "swe_agent"
_TRAJECTORY = re.compile(rb'[{,]\s*"trajectory"\s*:\s*\[')
_STEP = re.compile(rb'[{,]\s*"(?:execution_time|open_file)"\s*:')
_OWN = frozenset(
    (
        *("open", "goto", "scroll_up", "scroll_down", "create", "edit", "insert", "append"),
        *("undo_edit", "submit", "search_dir", "search_file", "find_file", "filemap"),
        *("str_replace_editor", "view_image", "think", "skip", "exit_forfeit", "exit_cost"),
        *("exit_context", "exit_format", "exit_error", "review_on_submit"),
    )
)
"""Verbs of the agent's own interface: no shell gets to see them."""


class _State(Shape):
    working_dir: str | None = None


class _Step(Shape):
    action: str | None = None
    observation: str | None = None
    response: str | None = None
    thought: str | None = None
    state: msgspec.Raw = msgspec.Raw()


_STEPS = msgspec.json.Decoder(_Step)
_state = decoder_of(_State)
_string = decoder_of(str)


def _state_of(raw: msgspec.Raw) -> _State:
    """Return the state after a step; older trajectories hold it as JSON in a string."""
    return _state(raw) or _state(_string(raw)) or _State()


def _read(source: Source) -> Iterator[Entry]:
    session = source.stem
    for place, step in decoded(source, _STEPS):
        if text := step.thought or step.response:
            yield Message(session=session, text=text, line=place)
        if not step.action or not step.action.strip():
            continue
        verb = step.action.split(maxsplit=1)[0]
        call = ToolCall(
            call_id=f"step-{place}",
            agent=AGENT,
            session=session,
            tool=verb if verb in _OWN else "bash",
            command=None if verb in _OWN else step.action.rstrip("\n"),
            cwd=_state_of(step.state).working_dir,
            payload_sha256=digest_of(step.action),
            line=place,
        )
        told = Told() if step.observation is None else Told(ending="ended")
        yield from answered(call, told, text=step.observation)


READER = Reader(
    name="SWE-agent",
    claims=lambda head: bool(
        _STEP.search(head) or (_TRAJECTORY.search(head) and b'"action"' in head)
    ),
    read=_read,
    lists=(("trajectory",), ("history",)),
)
