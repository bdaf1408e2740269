"""Keeps tool calls until what the agent was told of their end is known."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator

import msgspec

from proctor.join.toolcall import Output, Told, ToolCall

MOST = 10_000
"""Calls kept open at once; the oldest then counts as unanswered."""
KEPT = 1 << 16
"""Characters of an output's end that are kept."""


class Pending:
    """The calls of a transcript that were not yet answered, by id."""

    def __init__(self) -> None:
        self._calls: OrderedDict[str, ToolCall] = OrderedDict()
        self._known: OrderedDict[tuple[str, str, str | None], None] = OrderedDict()

    def __contains__(self, call_id: object) -> bool:
        return call_id in self._calls

    def get(self, call_id: str | None) -> ToolCall | None:
        """Return the open call with this id, none if there is none."""
        return self._calls.get(call_id or "")

    # NOTE: tuples, as generators cost more than what they yield here.
    def open(self, call: ToolCall) -> tuple[ToolCall, ...]:
        """Keep `call`; return the oldest, unanswered, where too many are open.

        A call that stands in the transcript twice, as after a resumed session, is kept
        once; an id that is given to another call leaves the first one unanswered.
        """
        key = (call.call_id, call.payload_sha256, call.started_at)
        if key in self._known:
            return ()
        self._known[key] = None
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        unanswered: tuple[ToolCall, ...] = ()
        if call.call_id in self._calls:
            unanswered = (self._calls.pop(call.call_id),)
        elif len(self._calls) >= MOST:
            unanswered = (self._calls.popitem(last=False)[1],)
        self._calls[call.call_id] = call
        return unanswered

    def tell(self, call_id: str, told: Told, **more: object) -> None:
        """Note what the agent was told of an open call, and keep it open."""
        if call_id in self._calls:
            self._calls[call_id] = msgspec.structs.replace(self._calls[call_id], told=told, **more)

    def close(
        self, call_id: str, told: Told, *, text: str | None = None, at: str | None = None
    ) -> Iterable[ToolCall | Output]:
        """Return a call as answered, then what it printed; nothing where it is not open."""
        call = self._calls.pop(call_id, None)
        return () if call is None else answered(call, told, text=text, at=at)

    def rest(self) -> Iterator[ToolCall]:
        """Yield what is still open, as it stands."""
        while self._calls:
            yield self._calls.popitem(last=False)[1]


def prints(call: ToolCall) -> bool:
    """Return whether what a call printed is worth keeping: that of shells and test tools."""
    return call.is_shell or "test" in call.tool.lower()


def answered(
    call: ToolCall, told: Told, *, text: str | None = None, at: str | None = None
) -> tuple[ToolCall] | tuple[ToolCall, Output]:
    """Return a call whose answer stands beside it, then what it printed."""
    # NOTE: whoever yields a call has let go of it, and a copy costs more than reading it.
    msgspec.structs.force_setattr(call, "told", told)
    if at:
        msgspec.structs.force_setattr(call, "finished_at", at)
    if text is not None and prints(call):
        return call, Output(call_id=call.call_id, text=text[-KEPT:])
    return (call,)
