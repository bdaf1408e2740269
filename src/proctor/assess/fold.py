"""Folds runs that tell the same thing into the newest of them.

An agent runs the same tests on the same files again and again. Such runs differ in
their times and ids alone, and only their number and order can change a verdict: so
the newest is kept whole, and of the others the times at which they started. Memory
then follows the number of different runs, not that of all.

Two runs tell the same if their spans agree in every member that is not listed in
`PASSING`, in their order in the log and by start, and in who started whom. Runs that
overlap in time are never folded, nor those about which a rule speaks one by one.
"""

import hashlib
import operator
from array import array
from collections.abc import Sequence

import msgspec

from proctor.gate.evidence import Run, Seen
from proctor.gate.moments import micros_of
from proctor.records.span import FIELDS, Report

PASSING = frozenset(
    (
        "span_id",
        "run_id",
        "parent_span_id",
        "parent_tool_span",
        "traceparent",
        "started_at",
        "finished_at",
        "duration_ms",
        "duration_ok",
        "stdout_sha256",
        "stderr_sha256",
        "stdout_bytes",
        "stderr_bytes",
        "hashed_bytes",
        "env_names",
        "cpu_ms",
        "max_rss_kb",
        "injected",
        "report",
        "pid",
        "pid_start",
        "prev",
        "digest",
    )
)
"""Members of a span that differ from run to run. Of the last attempt at a selection
a rule may ask them, and that one is kept; of earlier ones none does."""

_lasting = operator.attrgetter(*(name for name in FIELDS if name not in PASSING))


class Fold:
    """Takes runs, and keeps the newest of those that tell the same.

    `junit` are the digests of the JUnit files that requirements name, as they are
    now: which run wrote one of them is told apart.
    """

    def __init__(self, junit: frozenset[str] = frozenset()) -> None:
        self._junit = junit
        self._newest: dict[bytes, _Newest] = {}
        self._apart: list[Run] = []

    def add(self, run: Run) -> None:
        """Take a run that has ended."""
        starts = [micros_of(seen.span.started_at) for seen in run.seen]
        told = _told(run, self._junit)
        if told is None or None in starts or _is_spoken_of(run):
            self._apart.append(run)
            return
        known = [micros for micros in starts if micros is not None]
        if told not in self._newest:
            self._newest[told] = _Newest(run, known)
        elif not self._newest[told].add(run, known):
            self._apart.append(run)

    def runs(self) -> tuple[Run, ...]:
        """Return the runs that are left."""
        return (*(newest.run() for newest in self._newest.values()), *self._apart)


class _Newest:
    """A run, and when each of its attempts was made before."""

    __slots__ = ("_earlier", "_run", "_starts")

    def __init__(self, run: Run, starts: list[int]) -> None:
        self._run = run
        self._starts = starts
        self._earlier = {n: array("q") for n, seen in enumerate(run.seen) if _may_lead(seen)}

    def add(self, run: Run, starts: list[int]) -> bool:
        """Fold a run that tells the same, unless the two overlap in time."""
        if min(starts) > max(self._starts):
            self._run, self._starts, starts = run, starts, self._starts
        elif max(starts) >= min(self._starts):
            return False
        for place, earlier in self._earlier.items():
            earlier.append(starts[place])
        return True

    def run(self) -> Run:
        """Return the newest run, which stands for the others."""
        seen = list(self._run.seen)
        for place, earlier in self._earlier.items():
            if earlier:
                seen[place] = msgspec.structs.replace(seen[place], earlier=earlier)
        return Run(run_id=self._run.run_id, seen=tuple(seen))


def fold(runs: Sequence[Run], junit: frozenset[str] = frozenset()) -> tuple[Run, ...]:
    """Return `runs` folded; the verdict on them is the same."""
    folded = Fold(junit)
    for run in runs:
        folded.add(run)
    return folded.runs()


def _may_lead(seen: Seen) -> bool:
    """Return whether a span may be the first of an attempt."""
    return bool(seen.line) or (seen.what is not None and seen.what.role == "test")


def _is_spoken_of(run: Run) -> bool:
    """Return whether a rule speaks about this very run: it was claimed to test and did not."""
    has_test = any(_may_lead(seen) for seen in run.seen)
    return any(
        seen.span.claims is not None and (seen.span.denied_binary or not has_test)
        for seen in run.seen
    )


def _told(run: Run, junit: frozenset[str]) -> bytes | None:
    """Return a digest of what a run tells; none where it cannot be told."""
    spans = [seen.span for seen in run.seen]
    places = {span.span_id: place for place, span in enumerate(spans)}
    if len(places) != len(spans):
        return None
    by_start = sorted(range(len(spans)), key=lambda n: (spans[n].started_at, spans[n].span_id))
    rows = [
        (
            _lasting(span),
            None if span.parent_span_id is None else places.get(span.parent_span_id, -1),
            None if span.report is None else _counts(span.report, junit),
        )
        for span in spans
    ]
    try:
        told = msgspec.json.encode((by_start, rows))
    except UnicodeEncodeError:  # arguments that are not UTF-8
        return None
    return hashlib.sha256(told).digest()


def _counts(report: Report, junit: frozenset[str]) -> Report:
    """Return a report without its place, and without its digest if nobody asks for it."""
    sha256 = report.sha256 if report.sha256 in junit else ""
    also = tuple(one for one in report.also if one.sha256 in junit)
    return msgspec.structs.replace(report, path="", source=None, sha256=sha256, also=also)
