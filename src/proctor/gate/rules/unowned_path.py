"""Changed files belong to no requirement.

Proves that no `[[require]]` item names a pattern for them. Does not prove that they
need a test.

Likely cause: a new folder that `proctor.toml` does not know yet.

Next: add the folder to the `paths` of a requirement: `proctor init`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.matters import can_change_tests
from proctor.gate.words import listed
from proctor.requirements import touched


def _check(case: Case) -> Iterator[Hit]:
    tree, owed = case.evidence.tree, case.policy.require
    if tree is None or not owed:
        return
    changed = tree.changed if case.evidence.diff is None else case.evidence.diff
    unowned = tuple(
        path
        for path in changed
        if can_change_tests(path)
        and path not in _POLICY
        and not any(touched(one.item, (path,)) for one in owed)
    )
    if unowned:
        yield Hit(
            message=f"no requirement owns {listed(unowned)}",
            cure="add them to the paths of a [[require]] item in proctor.toml",
            paths=unowned,
        )


_POLICY = frozenset(("approvals.toml", "proctor.toml"))
"""Proctor's own files: no test run tells whether they are right."""

RULE = Rule(level=Level.NOTE, check=_check)
