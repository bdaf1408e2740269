"""From spans to attempts at running the tests.

An attempt is everything that ran below one topmost driver (tox, make, an npm
script), or a lone test leaf. What leaves start themselves is their own business
and is never judged: a suite that runs failing sample projects is honest.
"""

import enum
import os
from collections.abc import Iterator, Sequence
from itertools import takewhile

import msgspec

from proctor.classify.base import Classification
from proctor.gate.evidence import Evidence, Run, Seen
from proctor.gate.moments import text_of
from proctor.records.span import Report, Span
from proctor.requirements import Selection, project_of

SHELLS = frozenset(("sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "busybox"))


class State(enum.Enum):
    """How an attempt, or a part of one, ended."""

    GREEN = "green"
    RED = "red"
    UNKNOWN = "unknown"
    """The number that the operating system returned is not the runner's own."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A test leaf, or a driver, as one span shows it."""

    span: Span
    what: Classification
    selection: Selection
    above: tuple[Span, ...] = ()
    """Its kept ancestors, nearest first."""
    status: str = "own"
    """Whose the span's exit code is: own, masked, altered, unknown; or absent:
    the shell line names the runner, and no such program ever ran."""
    masked_by: str = ""
    bypassed: bool = False
    """Whether the line may return 0 without having started the runner."""
    not_found: bool = False
    """Whether a program that the line starts could not be found, or not be executed."""
    workers: int = 0
    """Worker spans seen below."""
    below: int = 0
    """Spans below that have no command class and are no shell."""
    earlier: Sequence[int] = ()
    """When the same ran before, with the same end (µs since 1970)."""

    @property
    def state(self) -> State:
        """How it ended, its report aside."""
        if self.status == "absent" or self.span.exit_code is None:
            return State.RED
        if self.status != "own":
            return State.UNKNOWN
        if self.span.exit_code != 0:
            return State.RED
        return State.UNKNOWN if self.bypassed else State.GREEN


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt at running tests.

    It also stands for those before it that were alike in everything but their time.
    """

    driver: Part | None = None
    leaves: tuple[Part, ...] = ()
    explained: bool = False
    """Whether it failed, and only by tests whose failure the quarantine explains."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The driver, if there is one, and the leaves."""
        return (self.driver, *self.leaves) if self.driver else self.leaves

    @property
    def first(self) -> Part:
        """The part that names the attempt: the driver, or the lone leaf."""
        return self.parts[0]

    @property
    def started(self) -> tuple[str, str]:
        """A key that orders attempts by their start."""
        span = self.first.span
        return span.started_at, span.span_id

    @property
    def times(self) -> int:
        """How many attempts this is: itself, and those that it stands for."""
        return 1 + len(self.first.earlier)

    def times_before(self, started: tuple[str, str]) -> int:
        """Return how many of these attempts began before `started`."""
        earlier = sum(1 for micros in self.first.earlier if text_of(micros) < started[0])
        return earlier + (self.started < started)

    def alone(self) -> "Attempt":
        """Return this attempt without those that it stands for."""
        return Attempt(
            driver=msgspec.structs.replace(self.driver, earlier=()) if self.driver else None,
            leaves=tuple(msgspec.structs.replace(part, earlier=()) for part in self.leaves),
            explained=self.explained,
        )

    @property
    def state(self) -> State:
        """How it ended: green only if every part ended with a 0 of its own, or is explained."""
        if self.explained:
            return State.GREEN
        states = {part.state for part in self.parts}
        if State.RED in states or any(contradicts(part) for part in self.leaves):
            return State.RED
        if State.UNKNOWN in states or not self.leaves or self.executed == 0:
            return State.UNKNOWN
        return State.GREEN

    @property
    def executed(self) -> int | None:
        """Tests executed, as reports counted them; null where there is none."""
        reports = self.reports
        return sum(ran(report) for report in reports) if reports else None

    @property
    def reports(self) -> list[Report]:
        """Its leaves' reports, else its driver's."""
        reports = [part.span.report for part in self.leaves if part.span.report]
        if not reports and self.driver is not None and self.driver.span.report is not None:
            reports = [self.driver.span.report]
        return reports

    @property
    def is_run(self) -> bool:
        """Whether argv asks for tests to be executed and nothing else."""
        if self.driver and not_a_run(self.driver.what):
            return False
        return not self.leaves or any(not not_a_run(part.what) for part in self.leaves)

    def key(self) -> tuple[object, ...]:
        """Return what attempts at the same thing share."""
        driver = self.driver.selection.key() if self.driver else None
        return (driver, *(part.selection.key() for part in self.leaves))


def not_a_run(what: Classification) -> str | None:
    """Return the option that makes a command no evidence, if there is one."""
    return what.not_a_run or (what.updates[0] if what.updates else None)


def ran(report: Report) -> int:
    """Return how many tests a report says were executed and could have failed the run.

    Skipped ones are not counted, nor those that were expected to fail.
    """
    if report.passed == report.failed == 0 and report.executed <= report.skipped:
        return 0
    return max(report.executed - report.xfailed, 0)


def contradicts(part: Part) -> str | None:
    """Return why a leaf's own report and its exit code 0 cannot both be true."""
    report = part.span.report
    if part.span.exit_code != 0:
        return None
    if report is None:
        return "it became another program before it ended" if _became_another(part) else None
    if report.failed:
        return f"its report counts {report.failed} failed"
    if report.exit_status:
        return f"the runner itself meant to return {report.exit_status}"
    if not report.complete:
        return "its report was never finished"
    return None


def _became_another(part: Part) -> bool:
    """Return whether a Python runner left its process to a program that is no runner.

    One that hands over to a runner is no part: that runner is.
    """
    program = os.path.basename(part.span.exe or "")
    is_ours = part.what.command_class in ("pytest", "unittest") and part.status == "own"
    return part.span.ended_by == "exec" and is_ours and program.startswith(("python", "pypy"))


def attempts_of(evidence: Evidence) -> list[Attempt]:
    """Return every attempt in the evidence, oldest first."""
    found = [attempt for run in evidence.runs for attempt in _Tree(run, evidence).attempts()]
    return sorted(found, key=lambda attempt: attempt.started)


def selection_at(what: Classification, cwd: str, root: str, projects: frozenset[str]) -> Selection:
    """Return what `what` selects when started in the folder `cwd` below `root`."""
    where = os.path.relpath(cwd, root or "/")
    where = "" if where == "." else where
    project = where if where.startswith("..") else project_of(where, projects)
    return Selection(what=what, where=where, project=project)


def is_shell(span: Span) -> bool:
    """Return whether the program of a span is a shell, by its executable's name."""
    words = span.argv[:1] if span.exe is None else (span.exe,)
    return bool(words) and os.path.basename(words[0]).lstrip("-") in SHELLS


class _Tree:
    """The spans of one run, by parent."""

    def __init__(self, run: Run, evidence: Evidence) -> None:
        self._seen = sorted(run.seen, key=lambda seen: (seen.span.started_at, seen.span.span_id))
        self._by_id = {seen.span.span_id: seen for seen in run.seen}
        self._evidence = evidence
        self._roots = {seen.span.git.root for seen in run.seen if seen.span.git is not None}
        self._above = {seen.span.span_id: tuple(self._ancestors(seen)) for seen in run.seen}
        self._below: dict[str, list[Seen]] = {}
        for seen in self._seen:
            for span in self._above[seen.span.span_id]:
                self._below.setdefault(span.span_id, []).append(seen)
        self._leaves = self._opaque_leaves()

    def attempts(self) -> Iterator[Attempt]:
        """Yield the run's attempts."""
        groups: dict[str, list[Part]] = {}
        for seen in self._seen:
            if seen.span.span_id in self._leaves and not self._leaf_above(seen):
                top = self._topmost_driver(seen)
                groups.setdefault(top.span.span_id if top else "", []).append(self._part(seen))
        for part in groups.pop("", []):
            yield Attempt(leaves=(part,))
        for seen in self._seen:
            if self._is_driver(seen) and self._topmost_driver(seen) is None:
                yield self._driven(seen, groups.get(seen.span.span_id, []))
            yield from self._named_in_line(seen)

    def _driven(self, driver: Seen, leaves: list[Part]) -> Attempt:
        real = [part for part in leaves if not not_a_run(part.what)]
        return Attempt(driver=self._part(driver), leaves=tuple(real or leaves))

    def _named_in_line(self, seen: Seen) -> Iterator[Attempt]:
        """Yield what a shell line names.

        All of it where nothing below was witnessed, else only what must have been
        started and was not.
        """
        for run in seen.line or ():
            if run.what.role != "test" or run.what.kind not in ("leaf", "driver"):
                continue
            status, masked_by = run.status, run.masked_by
            if seen.span.witness == "tree":
                if run.conditional or self._has_below(seen, run.what.command_class):
                    continue
                status, masked_by = "absent", ""
            part = self._part(seen, run.what, status, masked_by, run.bypassed)
            driven = run.what.kind == "driver"
            yield Attempt(driver=part) if driven else Attempt(leaves=(part,))

    def _part(
        self,
        seen: Seen,
        what: Classification | None = None,
        status: str = "own",
        masked_by: str = "",
        bypassed: bool = False,
    ) -> Part:
        what = what or seen.what
        assert what is not None  # noqa: S101 - only classified spans become parts
        below = self._below.get(seen.span.span_id, [])
        return Part(
            span=seen.span,
            what=what,
            selection=self._selection(seen.span, what),
            above=self._above[seen.span.span_id],
            status=status,
            masked_by=masked_by,
            bypassed=bypassed,
            not_found=any(not other.span.argv for other in below),
            workers=sum(1 for other in below if other.what and other.what.kind == "worker"),
            below=_unknown_below(seen.span, self._above[seen.span.span_id], below),
            earlier=seen.earlier,
        )

    def _selection(self, span: Span, what: Classification) -> Selection:
        root = span.git.root if span.git else self._root_of(span.cwd or "")
        return selection_at(what, span.cwd or root, root, self._evidence.projects)

    def _root_of(self, cwd: str) -> str:
        """Return the root of the working tree that holds a folder, as the run's leaves name it."""
        holding = [root for root in self._roots if f"{cwd}/".startswith(f"{root}/")]
        return max(holding, key=len, default=self._evidence.root)

    def _ancestors(self, seen: Seen) -> Iterator[Span]:
        met = {seen.span.span_id}
        parent = seen.span.parent_span_id
        while parent is not None and parent not in met and parent in self._by_id:
            met.add(parent)
            span = self._by_id[parent].span
            yield span
            parent = span.parent_span_id

    def _opaque_leaves(self) -> frozenset[str]:
        """Return the leaves that count: shims that hand over to another leaf do not."""
        named = {
            seen.span.span_id
            for seen in self._seen
            if seen.what and seen.what.kind == "leaf" and seen.what.role == "test"
        }
        handed_over = set()
        for span_id in named:
            for above in self._above[span_id]:
                if above.span_id in named and self._hands_over(above, span_id):
                    handed_over.add(above.span_id)
        return frozenset(named - handed_over)

    def _hands_over(self, above: Span, span_id: str) -> bool:
        """Return whether a leaf only became, or is a shim that starts, the one below.

        A runner written in shell starts other runners as any runner may.
        """
        mine, below = self._by_id[above.span_id].what, self._by_id[span_id].what
        alike = mine and below and mine.command_class == below.command_class
        return above.ended_by == "exec" or (is_shell(above) and bool(alike))

    def _leaf_above(self, seen: Seen) -> bool:
        return any(span.span_id in self._leaves for span in self._above[seen.span.span_id])

    def _is_driver(self, seen: Seen) -> bool:
        what = seen.what
        return (
            what is not None
            and what.kind == "driver"
            and what.role == "test"
            and not self._leaf_above(seen)
        )

    def _topmost_driver(self, seen: Seen) -> Seen | None:
        for span in reversed(self._above[seen.span.span_id]):
            above = self._by_id[span.span_id]
            if self._is_driver(above):
                return above
        return None

    def _has_below(self, seen: Seen, command_class: str) -> bool:
        return any(
            other.what is not None and other.what.command_class == command_class
            for other in self._below.get(seen.span.span_id, ())
        ) or (seen.what is not None and seen.what.command_class == command_class)


def _unknown_below(span: Span, above: tuple[Span, ...], below: list[Seen]) -> int:
    """Return how many programs of no known class ran below, a shell aside.

    Where the recorder counted processes, those it did not keep are among them;
    one of these may be the shell that a driver always starts. The count stands on
    the root, which may be an earlier image of the driver's process (`env node npm`).
    """
    kept = sum(
        1
        for other in below
        if other.what is None
        and other.span.argv
        and not other.span.denied_binary
        and not is_shell(other.span)
    )
    earlier = takewhile(lambda other: other.pid == span.pid, above)
    tree = next((image.tree for image in (span, *earlier) if image.tree), {})
    processes = tree.get("seen", 0) - 1 - len({other.span.pid for other in below})
    return max(kept, processes - 1, 0)
