"""Chooses the runs that a page shows: those that the verdict names, then the newest."""

import os
from collections import deque
from collections.abc import Iterable, Sequence

from proctor.findings import Verdict
from proctor.records.log import Head, Wanted, read_log
from proctor.records.span import Span

MOST = 60_000
"""Spans on one page, unless the verdict names more: a browser has to hold them."""


class _Head(Head, frozen=True, kw_only=True, gc=False):
    run_id: str = ""


def named_spans(verdict: Verdict) -> set[str]:
    """Return the ids of all spans that a verdict speaks of."""
    found = {one.span_id for one in verdict.findings}
    found |= {one.span_id for one in verdict.suites}
    if verdict.joined is not None:
        for call in verdict.joined.calls:
            found.update((*call.spans, *call.tests))
    return {span_id for span_id in found if span_id}


def runs_of(paths: Iterable[str], named: set[str], most: int = MOST) -> tuple[list[Span], int]:
    """Return the spans of the runs to show, the newest run first, and how many runs are not.

    Each log is read twice, so that only the spans of these runs are held. A log that
    does not exist holds none.

    Raises:
        LogError: a log cannot be read.
    """
    logs = [path for path in paths if os.path.lexists(path)]
    count = _Count(named)
    for path in logs:
        deque(read_log(path, Wanted(_Head, count.take)), maxlen=0)
    sizes, wanted = count.sizes, count.wanted
    room = most - sum(sizes[run] for run in wanted)
    order = list(reversed(sizes))
    for run in order:
        if run not in wanted:
            if sizes[run] > room:
                break
            room -= sizes[run]
            wanted.add(run)
    kept: dict[str, list[Span]] = {run: [] for run in order if run in wanted}
    for path in logs:
        for span in read_log(path, Wanted(_Head, lambda heads: _places(heads, kept))):
            kept[span.run_id or span.span_id].append(span)
    return [span for run in kept.values() for span in run], len(sizes) - len(kept)


class _Count:
    """How many spans each run has, in the order of the runs' last records."""

    def __init__(self, named: set[str]) -> None:
        self.sizes: dict[str, int] = {}
        self.wanted: set[str] = set()
        """Runs that hold a span that was named."""
        self._named = named

    def take(self, heads: Sequence[_Head]) -> Sequence[int]:
        """Count a block; none of its spans need be read whole."""
        for head in heads:
            run = head.run_id or head.span_id
            self.sizes[run] = self.sizes.pop(run, 0) + 1
            if head.span_id in self._named:
                self.wanted.add(run)
        return ()


def _places(heads: Sequence[_Head], kept: dict[str, list[Span]]) -> list[int]:
    return [n for n, head in enumerate(heads) if (head.run_id or head.span_id) in kept]
