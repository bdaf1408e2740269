"""Which tests were executed before and are not executed now, and what explains it.

Compared by id. An id counts as executed before if a run on the reference's tree
executed it, or an earlier run while its file was still as the reference has it;
the runs must have been given the same narrowing options. Steps:

1. by group (command class and project folder), what the deciding leaves executed;
2. what earlier leaves executed, within what the deciding ones select;
3. the difference, moved files mapped, variants of one function counted;
4. what carries a lost test on, or explains its going.
"""

from collections.abc import Iterable, Iterator

import msgspec

from proctor.classify.selection import count_selected, positionals
from proctor.gate.attempts import Part, State, not_a_run
from proctor.gate.carried import Carried
from proctor.gate.case import Case
from proctor.gate.definitions import is_test_side
from proctor.gate.evidence import Reference, Tests
from proctor.requirements import within_project

MOST_RUNS = 50
"""Earlier runs, different in what they executed, that are looked at in a group."""
EXECUTED = frozenset(("passed", "failed", "error", "xpassed", "xfailed"))
_EXPECTED = frozenset(("xfailed", "xpassed"))
_RANK = {"skipped": 0, "xfailed": 1}


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """One test that was executed before and is not executed now."""

    test: str
    """Its id, as it is now where its file has moved."""
    how: str
    """gone, skipped, or xfailed: its result no longer counts, whatever it is."""
    failed: bool
    """Whether it failed when it was last executed."""
    explained: str = ""
    """What in the patch explains it, in words."""


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """The leaves of one kind that decide, and the earlier ones they are held against."""

    now: tuple[Part, ...]
    at_reference: tuple[Part, ...]
    """Newest first; on the reference's tree."""
    earlier: tuple[Part, ...]
    """Newest first; on other trees."""

    @property
    def reports(self) -> Iterator[Part]:
        """The leaves whose reports the comparison needs."""
        return (p for p in (*self.now, *self.at_reference, *self.earlier) if p.span.report)


def groups(case: Case) -> Iterator[Group]:
    """Yield what can be compared: no deciding leaf of a group may be red."""
    found: dict[tuple[str, str], list[Part]] = {}
    red = set()
    for _, attempt in case.judged():
        for part in attempt.leaves:
            key = _kind(part)
            found.setdefault(key, []).append(part)
            if attempt.state is State.RED:
                red.add(key)
    for key, parts in found.items():
        if key not in red:
            yield _group(case, parts)


def losses(case: Case, group: Group) -> tuple[Loss, ...]:
    """Return the tests that a group has lost, sorted by id."""
    reference = case.evidence.reference
    if reference is None or any(part.span.span_id not in case.evidence.tests for part in group.now):
        return ()
    now = _outcomes(case, group.now)
    before = _before(case, group, reference)
    lost = list(_missing(before, now))
    if not lost:
        return ()
    carried = Carried(reference.changes, before, {i for i, o in now.items() if o in EXECUTED})
    return tuple(sorted(_explained(lost, carried), key=lambda loss: loss.test))


def at_reference(case: Case, part: Part) -> bool:
    """Return whether a leaf ran on the reference's content."""
    reference, git = case.evidence.reference, part.span.git
    return reference is not None and git is not None and git.tree in reference.trees


def _group(case: Case, now: list[Part]) -> Group:
    spans = {part.span.span_id for part in now}
    current = case.evidence.tree.tree if case.evidence.tree else None
    at: dict[tuple[object, ...], Part] = {}
    earlier: dict[tuple[object, ...], Part] = {}
    for part in _others(case, now[0]):
        report, git = part.span.report, part.span.git
        if part.span.span_id in spans or not any(_same_options(part, one) for one in now):
            continue
        key = (report.ids_sha256, report.passed, report.failed) if report else (part,)
        if at_reference(case, part):
            at.setdefault(key, part)
        elif git is not None and git.tree != current and git.root == case.evidence.root:
            earlier.setdefault((*key, _test_files(case, git.tree)), part)
    return Group(
        now=tuple(now),
        at_reference=tuple(at.values())[:MOST_RUNS],
        earlier=tuple(earlier.values())[:MOST_RUNS],
    )


def _test_files(case: Case, tree: str | None) -> frozenset[tuple[str, str | None]]:
    """Return how the test files of a tree differ from the present ones."""
    since = case.evidence.tree.since.get(tree or "", ()) if case.evidence.tree else ()
    return frozenset((one.path, one.before) for one in since if is_test_side(one.path))


def _others(case: Case, like: Part) -> Iterator[Part]:
    """Yield the leaves of a kind, newest first, that were asked to run tests."""
    for attempt in reversed(case.recorded):
        for part in attempt.leaves:
            if _kind(part) == _kind(like) and not not_a_run(part.what) and part.span.report:
                yield part


def _kind(part: Part) -> tuple[str, str]:
    return part.what.command_class, part.selection.project


def _same_options(a: Part, b: Part) -> bool:
    """Return whether two leaves were told to leave out the same tests, if any."""
    mine = (sorted(a.what.narrowing), sorted(a.what.narrowing_env), _selecting(a))
    return mine == (sorted(b.what.narrowing), sorted(b.what.narrowing_env), _selecting(b))


def _selecting(part: Part) -> list[str]:
    return sorted(word for word in part.what.selectors if word.startswith(("-", "@")))


def _outcomes(case: Case, parts: Iterable[Part]) -> dict[str, str]:
    """Return the outcome of each test, the one that shows most where there are several."""
    found: dict[str, str] = {}
    for part in parts:
        for test, outcome in case.evidence.tests.get(part.span.span_id, Tests()).outcomes.items():
            known = found.get(test)
            if known is None or _RANK.get(outcome, 2) > _RANK.get(known, 2):
                found[test] = outcome
    return found


def _before(case: Case, group: Group, reference: Reference) -> dict[str, str]:
    """Return what was executed before, by id as it would be now, with its newest outcome."""
    moved = {c.old_path: c.path for c in reference.changes if c.old_path not in (None, c.path)}
    found: dict[str, str] = {}
    for part in (*group.at_reference, *group.earlier):
        tests = case.evidence.tests.get(part.span.span_id)
        if tests is None:
            continue
        same = None if at_reference(case, part) else _SameFiles(case, part, reference)
        for old, outcome in tests.outcomes.items():
            path = old.partition("::")[0]
            if outcome not in EXECUTED or not _selected(group, old):
                continue
            if same is None or same.holds(path):
                found.setdefault(moved.get(path, path) + old[len(path) :], outcome)
    return found


class _SameFiles:
    """Tells which files were, when an earlier leaf ran, as the reference has them."""

    def __init__(self, case: Case, part: Part, reference: Reference) -> None:
        tree, git = case.evidence.tree, part.span.git
        since = tree.since.get(git.tree or "") if tree and git else None
        self._known = since is not None
        self._then = {one.path: one.before for one in since or ()}
        self._reference = {c.old_path: c.old_blob for c in reference.changes if c.old_path}
        self._new = {c.path for c in reference.changes if c.old_path != c.path}
        self._present = frozenset(case.known(part.what.command_class).files)

    def holds(self, path: str) -> bool:
        """Return whether the file at `path` was the same in both."""
        if not self._known or (path in self._new and path not in self._reference):
            return False
        if path in self._reference:
            # NOTE: a file that the earlier run had as it is now differs from the reference.
            return self._then.get(path, "as now") == self._reference[path]
        return path not in self._then and path in self._present


def _selected(group: Group, test: str) -> bool:
    """Return whether one of the deciding leaves selects a test, by its arguments."""
    for part in group.now:
        what = within_project(part.selection)
        if not positionals(what) or what.matching not in ("path", "dotted"):
            return True
        base = f"{part.selection.project}/" if part.selection.project else ""
        if count_selected(what, [test.removeprefix(base)]):
            return True
    return False


def _missing(before: dict[str, str], now: dict[str, str]) -> Iterator[Loss]:
    executed: dict[str, int] = {}
    for test, outcome in now.items():
        if outcome in EXECUTED:
            executed[_function(test)] = executed.get(_function(test), 0) + 1
    wanted: dict[str, int] = {}
    for test in before:
        wanted[_function(test)] = wanted.get(_function(test), 0) + 1
    for test, outcome in before.items():
        found = now.get(test)
        if found is None:
            if executed.get(_function(test), 0) >= wanted[_function(test)]:
                continue  # its parameters have other names
            yield Loss(test=test, how="gone", failed=outcome in ("failed", "error"))
        elif found == "skipped" or (found in _EXPECTED and outcome not in _EXPECTED):
            how = "skipped" if found == "skipped" else "xfailed"
            yield Loss(test=test, how=how, failed=outcome in ("failed", "error"))


def _function(test: str) -> str:
    """Return an id without its parameters."""
    return test.partition("[")[0]


def _explained(lost: Iterable[Loss], carried: Carried) -> Iterator[Loss]:
    for loss in lost:
        if loss.how != "gone":
            yield loss
        elif not carried.goes_on(loss.test):
            yield msgspec.structs.replace(loss, explained=carried.explanation(loss.test))
