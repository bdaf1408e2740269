"""Whether the files that a receipt is about are the files that are here.

Compared by content, file by file, as the gate compares runs: a file is as it was if
it equals the one at the start, or the one at the end (then the run wrote it). A new
commit of the same content changes nothing.
"""

import os
from collections.abc import Iterator

from proctor.receipt.base import EXIT_STALE, Refusal, rerun, shown
from proctor.receipt.fields import Receipt
from proctor.receipt.here import Here
from proctor.repo.names import decides_tests, may_change_tests
from proctor.requirements import patterns

_POLICY = frozenset(("proctor.toml", "approvals.toml"))
"""What decides the judgement, and no test."""
_LISTED = 3


def stale(receipt: Receipt, here: Here, paths: tuple[str, ...] = ()) -> Iterator[Refusal]:
    """Yield why a receipt is not about the files that are here.

    `paths` are the gitignore patterns of the requirement, none for the whole tree.
    """
    if receipt.changed_during:
        yield Refusal(
            code=EXIT_STALE,
            rule="tree-changed-during-run",
            field="changed_during",
            message=f"{_listed(receipt.changed_during)} changed while the tests ran, and was the "
            "same file neither before nor after for all of them",
            cure=rerun(receipt.argv, receipt.folder),
        )
    if here.tree is None:
        yield _stale(receipt, "git_tree", f"the receipt is about {shown(receipt.git_tree)}, "
                     f"{here.root} is no git working tree that can be identified")  # fmt: skip
    elif receipt.git_tree is None:
        yield from _by_commit(receipt, here)
    elif not here.has_tree_of(receipt):
        yield _stale(
            receipt,
            "git_tree",
            f"the receipt is about {receipt.git_tree}, here is {here.tree}, "
            "and nothing here tells how they differ",
        )
    else:
        found = _differing(receipt, here, paths)
        if found:
            yield _stale(
                receipt,
                "git_tree",
                f"the receipt is about {receipt.git_tree}, here is {here.tree}: "
                f"{_listed(found)} {'differs' if len(found) == 1 else 'differ'}",
            )


def _by_commit(receipt: Receipt, here: Here) -> Iterator[Refusal]:
    """Compare by the commit alone, where the receipt names no tree."""
    if receipt.git_head is None or receipt.git_head != here.head:
        yield _stale(
            receipt,
            "git_head",
            f"the receipt is about {shown(receipt.git_head)}, here is {shown(here.head)}",
        )


def _differing(receipt: Receipt, here: Here, paths: tuple[str, ...]) -> list[str]:
    assert receipt.git_tree is not None  # noqa: S101 - asked by the caller
    assert here.tree is not None  # noqa: S101 - as above
    wanted = patterns(paths) if paths else None
    ignored = patterns(here.config.gate.ignore_paths)

    def skips(path: str) -> bool:
        if path in _POLICY or ignored.match_file(path):
            return True
        return wanted is not None and not wanted.match_file(path)

    ends = {}
    if receipt.git_tree_after not in (None, receipt.git_tree):
        known = here.differences(receipt.git_tree, str(receipt.git_tree_after)) or []
        ends = {path: after for path, _, after in known}
    untracked = {path for path, _ in receipt.untracked}
    found = set()
    for path, before, after in here.differences(receipt.git_tree, here.tree) or []:
        scratch = (before is None or path in untracked) and not _matters(path)
        if not skips(path) and not scratch and after != ends.get(path, "nothing"):
            found.add(path)
    if here.head != receipt.git_head:
        # What was tested beside a commit and still is in none: the commit lacks it.
        found |= {p for p in untracked & here.untracked if _matters(p) and not skips(p)}
    return sorted(found)


def _matters(path: str) -> bool:
    data = os.fsencode(path)
    return may_change_tests(data) or decides_tests(data)


def _stale(receipt: Receipt, field: str, message: str) -> Refusal:
    return Refusal(
        code=EXIT_STALE,
        rule="stale-tree",
        field=field,
        message=message,
        cure=rerun(receipt.argv, receipt.folder),
    )


def _listed(paths: tuple[str, ...] | list[str]) -> str:
    named = ", ".join(paths[:_LISTED])
    return named if len(paths) <= _LISTED else f"{named} and {len(paths) - _LISTED} more"
