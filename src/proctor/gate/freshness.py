"""Whether the files that a test leaf ran on are the files that are there now.

Compared by content, file by file. A file is as it was if its blob now equals the
one at the leaf's start, or the one at its end (then the run itself wrote it).
"""

import os
from collections.abc import Iterable

import msgspec

from proctor.gate.attempts import Attempt, Part
from proctor.gate.evidence import Difference, Evidence, Policy
from proctor.gate.matters import can_change_tests, is_code
from proctor.records.span import Git, files_of
from proctor.requirements import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pathspec


class Differences(msgspec.Struct, frozen=True, kw_only=True):
    """How the tree that a leaf ran on differs from the current one."""

    known: bool = True
    """False where nothing tells which files the leaf ran on."""
    stale: tuple[str, ...] = ()
    """Files whose content is not what was tested."""
    scratch: tuple[str, ...] = ()
    """New or left-over files that cannot change tests."""

    @property
    def matter(self) -> bool:
        """Whether a file that can change tests is among the stale ones."""
        return any(can_change_tests(path) for path in self.stale)


class Freshness:
    """Compares leaves with the current tree; answers are kept."""

    def __init__(self, evidence: Evidence, policy: Policy) -> None:
        self._tree = evidence.tree
        self._ignored = patterns(policy.ignore_paths)
        self._logs = _logs_inside(evidence)
        self._written = _written(evidence)
        self._reports = _reports(evidence)
        self._answers: dict[tuple[object, ...], Differences] = {}

    def of_attempt(self, attempt: Attempt, paths: tuple[str, ...] = ()) -> Differences:
        """Return the differences of all leaves of an attempt taken together.

        `paths` are the gitignore patterns of the requirement, none for all.
        """
        each = [self.of_part(part, paths) for part in attempt.leaves]
        return Differences(
            known=bool(each) and all(found.known for found in each),
            stale=_merged(found.stale for found in each),
            scratch=_merged(found.scratch for found in each),
        )

    def of_part(self, part: Part, paths: tuple[str, ...] = ()) -> Differences:
        """Return the differences of one leaf."""
        git = part.span.git
        if self._tree is None or git is None or git.tree is None:
            return Differences(known=False)
        key = (git.tree, git.tree_after, git.head, paths)
        if key not in self._answers:
            self._answers[key] = self._compare(git, paths)
        return self._answers[key]

    def changed_during(self, part: Part) -> tuple[str, ...]:
        """Return files that were modified, deleted, or edited and put back, in the run.

        What the run itself adds is not among them, nor what only tools write.
        """
        git = part.span.git
        if self._tree is None or git is None or git.tree is None or git.tree_after is None:
            return ()
        changes = self._tree.during.get((git.tree, git.tree_after), ())
        untracked = {path for path, _ in git.untracked}
        found = {
            change.path
            for change in changes
            if change.before is not None
            and not (change.path in untracked and not can_change_tests(change.path))
        }
        # NOTE: a suite may well write a golden file with the bytes it had; only
        # code that was put back can have lent the tests another program.
        found.update(path for path in git.touched if is_code(path))
        return tuple(sorted(path for path in found if not self._skips(path)))

    def _compare(self, git: Git, paths: tuple[str, ...]) -> Differences:
        assert self._tree is not None  # noqa: S101 - asked by the caller
        changes = self._tree.since.get(git.tree or "")
        if changes is None:
            return Differences(known=False)
        wanted = patterns(paths) if paths else None
        ends = self._ends(git)
        stale: list[str] = []
        scratch: list[str] = []
        for change in changes:
            if self._skips(change.path, wanted) or change.after == ends.get(change.path, _NOTHING):
                continue
            if _is_log_thrown_away(change, git, ends):
                continue
            harmless = self._is_scratch(change) or self._is_left_behind(change, git)
            (scratch if harmless else stale).append(change.path)
        if self._tree.head != git.head:
            for path, _ in git.untracked:
                if path in self._tree.untracked and not self._skips(path, wanted):
                    (stale if can_change_tests(path) else scratch).append(path)
        return Differences(stale=tuple(sorted(set(stale))), scratch=tuple(sorted(set(scratch))))

    def _ends(self, git: Git) -> dict[str, str | None]:
        """Return what the run itself made of the files that it changed."""
        assert self._tree is not None  # noqa: S101 - asked by the caller
        changes = self._tree.during.get((git.tree or "", git.tree_after or ""), ())
        return {change.path: change.after for change in changes}

    def _is_scratch(self, change: Difference) -> bool:
        """Return whether a file that differs cannot have changed the tests' result."""
        assert self._tree is not None  # noqa: S101 - asked by the caller
        path = change.path
        if change.after is not None and change.after in self._written.get(path, ()):
            return not is_code(path) and path in self._tree.untracked
        return change.before is None and not can_change_tests(path)

    def _is_left_behind(self, change: Difference, git: Git) -> bool:
        """Return whether another job's machine had a file of its own that is no part of this.

        Only what cannot change a test, or is the report of a run that was witnessed there.
        """
        assert self._tree is not None  # noqa: S101 - asked by the caller
        path = change.path
        if self._reports is None or change.after is not None:
            return False
        if all(path != name for name, _ in git.untracked):
            return False
        return not can_change_tests(path) or (path in self._reports and not is_code(path))

    def _skips(self, path: str, wanted: "pathspec.GitIgnoreSpec | None" = None) -> bool:
        if path in _POLICY or path.startswith(self._logs) or self._ignored.match_file(path):
            return True
        return wanted is not None and not wanted.match_file(path)


def _is_log_thrown_away(change: Difference, git: Git, ends: dict[str, str | None]) -> bool:
    """Return whether a file is what `> test.log` makes: written in the run, removed since."""
    gone = change.after is None and change.path in ends
    return (
        gone
        and any(path == change.path for path, _ in git.untracked)
        and not can_change_tests(change.path)
    )


_NOTHING = "nothing"
_POLICY = frozenset(("proctor.toml", "approvals.toml"))
"""What the gate reads, and no test: a change of policy is another rule's question."""


def _logs_inside(evidence: Evidence) -> tuple[str, ...]:
    """Return the beginnings of our own files' paths where a log lies in the repository."""
    return tuple(
        os.path.relpath(log.path, evidence.root) for log in evidence.logs if log.in_repository
    )


def _written(evidence: Evidence) -> dict[str, set[str]]:
    """Return the blobs that witnessed test runs wrote, by path: build output."""
    found: dict[str, set[str]] = {}
    if evidence.tree is not None:
        for changes in evidence.tree.during.values():
            for change in changes:
                if change.after is not None:
                    found.setdefault(change.path, set()).add(change.after)
    return found


def _reports(evidence: Evidence) -> frozenset[str] | None:
    """Return where another job's runs wrote their reports, from the root; else null."""
    if evidence.other_job is None:
        return None
    spans = (seen.span for seen in evidence.every_seen())
    reports = [span.report for span in spans if span.report is not None]
    kept = [one.source for report in reports for one in files_of(report)]
    inside = f"{evidence.root.rstrip('/')}/"
    return frozenset(p.removeprefix(inside) for p in kept if p is not None and p.startswith(inside))


def _merged(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({path for paths in lists for path in paths}))
