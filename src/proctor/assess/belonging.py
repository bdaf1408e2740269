"""Chooses, while a log is read, the spans that may belong to tool calls.

A log holds millions of spans and a transcript few calls: what cannot belong to any of
them is never kept.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta

from proctor.assess.reading import ArgvReader
from proctor.join.match import Asked
from proctor.join.windows import SLACK, Window
from proctor.recorder.image import is_shell_line
from proctor.records.log import Head, Wanted


class _SpanHead(Head, frozen=True, kw_only=True, gc=False):
    """What tells whether a span may belong to a tool call."""

    parent_span_id: str | None = None
    parent_tool_span: str | None = None
    argv: tuple[str, ...]
    ended_by: str = "exit"
    started_at: str = ""


class Choice:
    """Chooses shells, test runs, what names a call, and everything above them.

    Spans are written when they end, so children come before what started them; images
    that another replaced come before that one, and are all taken.
    """

    def __init__(self, reader: ArgvReader, asked: Sequence[Asked], since: str) -> None:
        self._reader = reader
        self._ids: AbstractSet[str] = {
            name for one in asked for name in (one.call.call_id, one.call.tool_span) if name
        }
        self._from, self._until = _window(asked, since)
        self._marked: set[str] = set()
        self.wanted = Wanted(_SpanHead, self._chosen)

    def _chosen(self, heads: Sequence[_SpanHead]) -> list[int]:
        return [place for place, head in enumerate(heads) if self._wants(head)]

    def _wants(self, head: _SpanHead) -> bool:
        if head.span_id not in self._marked and not self._may_belong(head):
            return False
        if head.parent_span_id is not None:
            self._marked.add(head.parent_span_id)
        return True

    def _may_belong(self, head: _SpanHead) -> bool:
        if head.parent_tool_span in self._ids:
            return True
        if not self._from <= head.started_at <= self._until or not head.argv:
            return False
        if head.ended_by == "exec" or is_shell_line(list(head.argv)):
            return True
        found = self._reader.image(head.argv)
        if found is None and head.parent_span_id is None:
            found = self._reader.outermost(head.argv)
        return found is not None and found.role == "test"


def _window(asked: Sequence[Asked], since: str) -> tuple[str, str]:
    """Return the times between which a span of these calls may have started."""
    made = [Window(one.call).start for one in asked]
    starts = [start for start in made if start is not None]
    if not starts or len(starts) < len(made):
        return since, "~"
    ends = [Window(one.call).end for one in asked]
    is_open = any(end is None for end in ends)
    last = "~" if is_open else _text(max(end for end in ends if end is not None) + SLACK)
    return max(since, _text(min(starts) - SLACK)), last


def _text(when: datetime) -> str:
    utc = when - (when.utcoffset() or timedelta())
    return utc.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
