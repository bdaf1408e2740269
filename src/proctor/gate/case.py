"""A case: the evidence, the attempts in it, and which of them decides what.

The steps are those of the gate's default algorithm: candidates and attempts
(3, 4) come from `proctor.gate.attempts`, the comparison of trees (5) from
`proctor.gate.freshness`; here stand coverage (6) and what is owed (7, 8).
"""

import copy
from collections.abc import Iterable, Iterator

import msgspec

from proctor.classify.selection import count_selected
from proctor.config import RequireTable
from proctor.gate.attempts import Attempt, Part, State, attempts_of
from proctor.gate.evidence import Evidence, Known, Policy
from proctor.gate.explained import by_quarantine
from proctor.gate.freshness import Differences, Freshness
from proctor.gate.matters import is_prose
from proctor.records.span import Span
from proctor.requirements import (
    Selecting,
    Selection,
    is_whole,
    project_of,
    seen_from,
    selection_covers,
    touched,
    union,
    within_project,
)

SCRIPT_CLASS = "python script"
"""What `python test_x.py` is: a script, whatever its name; never evidence."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One owed selection, and the attempt that decides it."""

    item: RequireTable | None
    """The `[[require]]` item; null where the attempts themselves say what is owed."""
    deciding: Attempt | None
    """The newest covering attempt on the current tree, else the newest; null: never run."""
    differences: Differences
    """Between the deciding attempt's tree and the current one."""
    covering: tuple[Attempt, ...] = ()
    """Oldest first."""
    same: tuple[Attempt, ...] = ()
    """Attempts at the deciding selection on this tree, oldest first."""
    narrower: Attempt | None = None
    """The newest green attempt at a part of it, later than the deciding one."""
    whole: bool = False
    """Whether nothing narrows it, or a requirement says that it is what is owed."""

    @property
    def fresh(self) -> bool:
        """Whether it is known to have run on the current files."""
        return self.differences.known and not self.differences.stale

    @property
    def is_red_here(self) -> bool:
        """Whether it failed on the current files."""
        return self.fresh and self.deciding is not None and self.deciding.state is State.RED

    @property
    def earlier_red(self) -> tuple[Attempt, ...]:
        """Red attempts on this tree of which at least one was before the deciding one."""
        return tuple(
            attempt
            for attempt in self.same
            if attempt.state is State.RED
            and self.deciding is not None
            and attempt.times_before(self.deciding.started)
        )

    @property
    def attempts(self) -> int:
        """How many attempts at this were made on this tree."""
        return sum(attempt.times for attempt in self.same)

    @property
    def red(self) -> int:
        """How many of them were red."""
        return sum(attempt.times for attempt in self.same if attempt.state is State.RED)


class Case:
    """Everything that a rule may ask about."""

    def __init__(self, evidence: Evidence, policy: Policy, selecting: Selecting) -> None:
        self.evidence = evidence
        self.policy = policy
        self.selecting = selecting
        self.freshness = Freshness(evidence, policy)
        self._coverage: dict[tuple[object, object], bool] = {}
        recorded = [_read_with(evidence, attempt) for attempt in attempts_of(evidence)]
        self.recorded = tuple(attempt for attempt in recorded if self._is_own(attempt))
        """All of this repository, oldest first."""
        self.attempts = tuple(a for a in recorded if not self._is_comparison(a))
        """All that may be judged, oldest first."""
        own = [attempt for attempt in self.attempts if self._is_own(attempt)]
        self.real = self._near([attempt for attempt in own if attempt.is_run])
        """Attempts that ran, or should have run, tests of this repository."""
        self.non_runs = () if self.real else tuple(a for a in own if not a.is_run)[-1:]
        """Where there is nothing else: the newest attempt that asks for no run."""
        self.outside = () if own else tuple(a for a in self.attempts if a.is_run)[-1:]
        """Where there is nothing else: the newest attempt in another repository."""
        self.scripts = () if self.attempts else self._scripts()
        """Where there is nothing else: the newest script that is named like a test."""
        self.is_prose = evidence.diff is not None and all(map(is_prose, evidence.diff))
        """Whether a base was given, and the patch has no code, test or config file."""
        self.decisions = tuple(self._required() if policy.require else self._attempted())
        if not self.decisions and (self.is_prose or (policy.require and evidence.diff is not None)):
            self.non_runs = self.outside = self.scripts = ()

    def judged(self) -> Iterator[tuple[Decision, Attempt]]:
        """Yield each decision that has an attempt, with that attempt."""
        for decision in self.decisions:
            if decision.deciding is not None:
                yield decision, decision.deciding

    def parts(self) -> Iterator[tuple[Decision, Part]]:
        """Yield each part of each deciding attempt once, leaves before drivers."""
        met = set()
        for decision, attempt in self.judged():
            for part in reversed(attempt.parts):
                key = (part.span.span_id, part.what.argv)
                if key not in met:
                    met.add(key)
                    yield decision, part

    def leaves(self) -> Iterator[tuple[Decision, Part]]:
        """Yield each leaf of each deciding attempt once."""
        drivers = {id(attempt.driver) for _, attempt in self.judged()}
        return ((d, part) for d, part in self.parts() if id(part) not in drivers)

    def reports_here(self, paths: tuple[str, ...] = ()) -> set[str]:
        """Return the digests of reports that recorded runs on the current files wrote."""
        fresh = [a for a in self.recorded if self.evidence.tree is None or self._is_fresh(a, paths)]
        return reports_of(part.span for attempt in fresh for part in attempt.parts)

    def known(self, command_class: str) -> Known:
        """Return what is known of the tests of a command class."""
        return self.evidence.known.get(command_class, Known())

    def knowing(self, **members: object) -> "Case":
        """Return the case with more of the evidence that nothing decided here depends on."""
        other = copy.copy(self)
        other.evidence = msgspec.structs.replace(self.evidence, **members)
        return other

    def covers(self, a: Attempt, b: Attempt) -> bool:
        """Return whether `a` runs everything that `b` runs."""
        key = (a.key(), b.key())
        if key not in self._coverage:
            self._coverage[key] = self._covers(a, b)
        return self._coverage[key]

    def _covers(self, a: Attempt, b: Attempt) -> bool:
        if b.driver and a.driver and self._selection_covers(a.driver, b.driver.selection):
            return True
        return self.leaves_cover(a, b)

    def leaves_cover(self, a: Attempt, b: Attempt) -> bool:
        """Return whether the leaves of `a` run everything that those of `b` run."""
        return bool(b.leaves) and all(
            any(self._selection_covers(mine, part.selection) for mine in a.leaves)
            for part in b.leaves
        )

    def is_whole(self, attempt: Attempt) -> bool:
        """Return whether nothing narrows an attempt: its leaves together run all they can."""
        groups: dict[tuple[str, str], list[Selection]] = {}
        for part in attempt.leaves or attempt.parts:
            key = (part.what.command_class, part.selection.project)
            groups.setdefault(key, []).append(part.selection)
        return all(
            any(
                is_whole(one, files, self.selecting)
                for one in (*group, union(group))
                for files in self._named(command_class)
            )
            for (command_class, _), group in groups.items()
        )

    def _named(self, command_class: str) -> Iterator[tuple[str, ...]]:
        """Yield the known test files by their own names, then by those that links give them."""
        files = self.known(command_class).files
        yield files
        if self.evidence.links:
            yield tuple(self._linked(path) for path in files)

    def _linked(self, path: str) -> str:
        for link, target in self.evidence.links.items():
            if path.startswith(f"{target}/"):
                return link + path[len(target) :]
        return path

    def reaches(self, part: Part, path: str) -> bool:
        """Return whether a leaf selects a test file, or something in it."""
        return any(self._reaches(part, name) for name in {path, self._linked(path)})

    def _reaches(self, part: Part, path: str) -> bool:
        what, base = within_project(part.selection), part.selection.project
        if base and not path.startswith(f"{base}/"):
            return False
        inner = path.removeprefix(f"{base}/") if base else path
        if any(word.partition("::")[0] == inner for word in what.selectors):
            return True
        return bool(count_selected(what, [inner]))

    def _selection_covers(self, part: Part, selection: Selection) -> bool:
        return selection_covers(part.selection, selection, self.selecting.covers)

    def _is_own(self, attempt: Attempt) -> bool:
        seen = [part.span for part in attempt.parts if part.span.git is not None]
        return all(self._is_here(span) for span in seen or [p.span for p in attempt.parts])

    def _is_comparison(self, attempt: Attempt) -> bool:
        """Return whether it ran elsewhere, on the reference's files: no attempt at ours."""
        reference, root = self.evidence.reference, self.evidence.root
        gits = [part.span.git for part in attempt.leaves]
        return (
            reference is not None
            and bool(gits)
            and all(git and git.root != root and git.tree in reference.trees for git in gits)
            and not self._is_fresh(attempt)
        )

    def _is_here(self, span: Span) -> bool:
        tree, root = self.evidence.tree, self.evidence.root
        if span.git is None or tree is None:
            cwd = root if span.cwd is None else span.cwd
            return cwd == root or cwd.startswith(root.rstrip("/") + "/")
        (commit, clone), (our_commit, our_clone) = span.git.repository, tree.repository
        return clone == our_clone and (not commit or not our_commit or commit == our_commit)

    def _scripts(self) -> tuple[Span, ...]:
        spans = [
            seen.span
            for seen in self.evidence.every_seen()
            if seen.what is not None
            and seen.what.command_class == SCRIPT_CLASS
            and self._is_here(seen.span)
        ]
        return tuple(sorted(spans, key=lambda span: (span.started_at, span.span_id))[-1:])

    def _near(self, attempts: list[Attempt]) -> tuple[Attempt, ...]:
        """Leave out other worktrees of the clone, unless their content is ours.

        Where this worktree has no attempt at all, theirs are what there is.
        """
        root = self.evidence.root
        near = [
            attempt
            for attempt in attempts
            if all(part.span.git is None or part.span.git.root == root for part in attempt.parts)
            or self._is_fresh(attempt)
        ]
        return tuple(near or attempts)

    def _is_fresh(self, attempt: Attempt, paths: tuple[str, ...] = ()) -> bool:
        found = self.freshness.of_attempt(attempt, paths)
        return found.known and not found.stale

    def _required(self) -> Iterator[Decision]:
        for owed in self.policy.require:
            item, selection = owed.item, owed.selection
            if not touched(item, self.evidence.diff) or (self.is_prose and not item.paths):
                continue
            covering = [a for a in self.real if self._is_covered(selection, a)]
            covering = covering or self._shards(selection, item.paths)
            alike = [a for a in self.real if _is_of_class(a, selection.what.command_class)]
            yield self._decision(item, covering, alike)

    def _shards(self, selection: Selection, paths: tuple[str, ...]) -> list[Attempt]:
        """Return one attempt made of the parts that together cover a requirement."""
        project = project_of(selection.where, self.evidence.projects)
        newest = {
            part.selection.key(): (part, inside)
            for attempt in self.real
            if self._is_fresh(attempt, paths)
            for part in attempt.leaves
            if part.what.command_class == selection.what.command_class
            and part.selection.project in (selection.project, project)
            and (inside := seen_from(part.selection, selection.where)) is not None
        }
        if not newest:
            return []
        together = union([inside for _, inside in newest.values()])
        files = self.known(selection.what.command_class).files
        whole = not selection.what.selectors and is_whole(together, files, self.selecting)
        if whole or selection_covers(together, selection, self.selecting.covers):
            parts = [part for part, _ in newest.values()]
            oldest_first = sorted(parts, key=lambda part: part.span.started_at)
            shards = Attempt(leaves=tuple(oldest_first)).alone()
            return [_read_with(self.evidence, shards)]
        return []

    def _attempted(self) -> Iterator[Decision]:
        for top in self._maximal():
            covering = [a for a in self.real if self.covers(a, top)]
            alike = [a for a in self.real if self.covers(top, a)]
            decision = self._decision(None, covering, alike)
            # NOTE: prose owes no run, but what is known to fail on these very files stays said.
            if not self.is_prose or decision.is_red_here:
                yield decision

    def _maximal(self) -> list[Attempt]:
        """Return one attempt for each selection that no other strictly covers."""
        by_key = {attempt.key(): attempt for attempt in self.real}
        newest = sorted(by_key.values(), key=lambda attempt: attempt.started)
        kept: list[Attempt] = []
        for one in reversed(newest):
            wider = [a for a in newest if a is not one and self.covers(a, one)]
            if not any(a in kept or not self.covers(one, a) for a in wider):
                kept.append(one)
        return kept[::-1]

    def _is_covered(self, selection: Selection, attempt: Attempt) -> bool:
        return any(self._selection_covers(part, selection) for part in attempt.parts)

    def _decision(
        self, item: RequireTable | None, covering: list[Attempt], alike: list[Attempt]
    ) -> Decision:
        """Return the decision by the newest covering attempt on the current tree.

        `alike` are attempts at the same or a part of it.
        """
        paths = item.paths if item else ()
        deciding = self._newest(covering, paths)
        if deciding is None:
            narrower = [a for a in alike if a.state is State.GREEN]
            return Decision(
                item=item,
                deciding=None,
                differences=Differences(known=False),
                narrower=narrower[-1] if narrower else None,
            )
        narrower = [
            a
            for a in alike
            if a not in covering and a.state is State.GREEN and a.started > deciding.started
        ]
        return Decision(
            item=item,
            deciding=deciding,
            differences=self.freshness.of_attempt(deciding, paths),
            covering=tuple(covering),
            same=tuple(self._repeats(covering, deciding, paths)),
            narrower=narrower[-1] if narrower else None,
            whole=item is not None or self.is_whole(deciding),
        )

    def _newest(self, covering: list[Attempt], paths: tuple[str, ...]) -> Attempt | None:
        """Return the attempt that decides.

        A driver that failed before any leaf began has no tree of its own; it
        decides where it is the newest.
        """
        fresh = [a for a in covering if self._is_fresh(a, paths)]
        if not fresh:
            return covering[-1] if covering else None
        failed = [
            a
            for a in covering
            if not a.leaves and a.state is State.RED and a.started > fresh[-1].started
        ]
        return failed[-1] if failed else fresh[-1]

    def _repeats(
        self, covering: list[Attempt], deciding: Attempt, paths: tuple[str, ...]
    ) -> Iterator[Attempt]:
        """Yield the attempts at the deciding selection on this tree, and the deciding one."""
        for attempt in covering:
            found = self.freshness.of_attempt(attempt, paths)
            if found.known and not found.matter and self.covers(deciding, attempt):
                yield attempt
            elif attempt is deciding:
                yield attempt.alone()


def reports_of(spans: Iterable[Span]) -> set[str]:
    """Return the digests of all reports that these processes wrote."""
    found = set()
    for span in spans:
        if span.report is not None:
            found.add(span.report.sha256)
            found.update(one.sha256 for one in span.report.also)
    return found


def _read_with(evidence: Evidence, attempt: Attempt) -> Attempt:
    """Return an attempt, explained where the quarantine says all of its failures."""
    return msgspec.structs.replace(attempt, explained=by_quarantine(evidence, attempt))


def _is_of_class(attempt: Attempt, command_class: str) -> bool:
    return any(part.what.command_class == command_class for part in attempt.parts)
