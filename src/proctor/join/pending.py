"""Keeps tool calls until what the agent was told of their end is known."""

from collections.abc import Iterator

import msgspec

from proctor.join.toolcall import Output, Told, ToolCall

MOST = 10_000
"""Calls kept open at once; the oldest then counts as unanswered."""
KEPT = 1 << 16
"""Characters of an output's end that are kept."""


class Pending:
    """The calls of a transcript that were not yet answered, by id."""

    def __init__(self) -> None:
        self._calls: dict[str, ToolCall] = {}

    def __contains__(self, call_id: object) -> bool:
        return call_id in self._calls

    def get(self, call_id: str | None) -> ToolCall | None:
        """Return the open call with this id, none if there is none."""
        return self._calls.get(call_id or "")

    def open(self, call: ToolCall) -> Iterator[ToolCall]:
        """Keep `call`; yield the oldest, unanswered, where too many are open."""
        self._calls[call.call_id] = call
        if len(self._calls) > MOST:
            yield self._calls.pop(next(iter(self._calls)))

    def tell(self, call_id: str, told: Told, **more: object) -> None:
        """Note what the agent was told of an open call, and keep it open."""
        self._calls[call_id] = msgspec.structs.replace(self._calls[call_id], told=told, **more)

    def close(
        self, call_id: str, told: Told, *, text: str | None = None, at: str | None = None
    ) -> Iterator[ToolCall | Output]:
        """Yield an open call as answered, then what it printed."""
        call = self._calls.pop(call_id)
        yield msgspec.structs.replace(call, told=told, finished_at=at or call.finished_at)
        if text is not None and prints(call):
            yield Output(call_id=call_id, text=text[-KEPT:])

    def rest(self) -> Iterator[ToolCall]:
        """Yield what is still open, as it stands."""
        while self._calls:
            yield self._calls.pop(next(iter(self._calls)))


def prints(call: ToolCall) -> bool:
    """Return whether what a call printed is worth keeping: that of shells and test tools."""
    return call.is_shell or "test" in call.tool.lower()
