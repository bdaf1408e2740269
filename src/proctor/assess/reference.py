"""The commit whose tests the present ones are held against, and reports by id.

With a base it is the commit where the patch began. Without one it is, where it can
be told, the commit where this branch left the main one, else HEAD.
"""

import msgspec

from proctor.assess.changes import changes_of
from proctor.assess.reports import read_tests
from proctor.errors import RepositoryError
from proctor.gate.case import Case
from proctor.gate.evidence import Change, Difference, Evidence, Policy, Reference
from proctor.gate.judge import SELECTING
from proctor.gate.lost import groups
from proctor.gate.matters import can_change_tests
from proctor.gate.narrowed import beyond, unseen
from proctor.repo.main_branch import default_base

_SHORT = 9


def case_with_tests(evidence: Evidence, policy: Policy, objects: str | None) -> Case:
    """Return the case, with what the reports of the leaves that matter say by id.

    `objects` is the folder with the objects of snapshots.
    """
    if evidence.base is not None and evidence.tree is not None:
        evidence = msgspec.structs.replace(evidence, reference=_given(evidence))
    case = _read(Case(evidence, policy, SELECTING))
    if evidence.reference is None and evidence.tree is not None and _needs_reference(case):
        found = _found(evidence, objects)
        if found is not None and _is_elsewhere(case):
            evidence = msgspec.structs.replace(evidence, reference=found)
            case = _read(Case(evidence, policy, SELECTING))
        elif found is not None:
            case = _read(case.knowing(reference=found))
    return case


def _is_elsewhere(case: Case) -> bool:
    """Return whether a run took place in another working tree: it may be a comparison."""
    root = case.evidence.root
    leaves = (part for attempt in case.recorded for part in attempt.leaves)
    return any(part.span.git is not None and part.span.git.root != root for part in leaves)


def _read(case: Case) -> Case:
    evidence = case.evidence
    wanted = {part.span.span_id: part.span for _, part in case.leaves()}
    if evidence.reference is not None:
        for group in groups(case):
            wanted |= {part.span.span_id: part.span for part in group.reports}
    left = [span for span_id, span in wanted.items() if span_id not in evidence.tests]
    other = evidence.other_job
    tests, unread = read_tests(left, {evidence.root: other.root} if other is not None else {})
    return case.knowing(tests=evidence.tests | tests, unread=evidence.unread | unread)


def _needs_reference(case: Case) -> bool:
    """Return whether anything could be learnt from a reference that nobody named."""
    for _, part in case.leaves():
        tests = case.evidence.tests.get(part.span.span_id)
        if tests is not None and (beyond(part, tests) or unseen(case, part, tests)):
            return True
    trees = {
        part.span.git.tree
        for attempt in case.recorded
        for part in attempt.leaves
        if part.span.git is not None and part.span.report is not None
    }
    return len(trees) > 1


def _given(evidence: Evidence) -> Reference:
    base = evidence.base
    assert base is not None  # noqa: S101 - asked by the caller
    return Reference(
        name=f"base {base.merge_base[:_SHORT]}",
        given=True,
        trees=_trees(evidence, {base.tree, base.merge_tree}, evidence.changes),
        changes=evidence.changes,
    )


def _found(evidence: Evidence, objects: str | None) -> Reference | None:
    assert evidence.tree is not None  # noqa: S101 - asked by the caller
    try:
        base = default_base(evidence.root)
        now = evidence.tree.tree or "HEAD"
        changes = changes_of(evidence.root, objects, base.merge_tree, now)
    except RepositoryError:
        return None
    is_head = base.merge_base == evidence.tree.head
    return Reference(
        name="HEAD" if is_head else f"{base.name} {base.merge_base[:_SHORT]}",
        given=False,
        trees=_trees(evidence, {base.merge_tree}, changes),
        changes=changes,
    )


def _trees(evidence: Evidence, own: set[str], changes: tuple[Change, ...]) -> frozenset[str]:
    """Return the trees among those that runs saw that have the reference's content.

    Files that cannot change tests may differ.
    """
    assert evidence.tree is not None  # noqa: S101 - asked by the caller
    reference: dict[str, str | None] = {}
    for change in changes:
        reference[change.path] = None
        if change.old_path is not None:
            reference[change.old_path] = change.old_blob
    alike = {
        tree
        for tree, since in evidence.tree.since.items()
        if not any(can_change_tests(path) for path in _unlike(reference, since))
    }
    return frozenset(own | alike)


def _unlike(reference: dict[str, str | None], since: tuple[Difference, ...]) -> set[str]:
    then = {one.path: one.before for one in since}
    return {
        path
        for path in reference.keys() | then.keys()
        if reference.get(path, "as now") != then.get(path, "as now")
    }
