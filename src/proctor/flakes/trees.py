"""Which trees do not contain the patch under judgement.

Only runs on them can show that a test was flaky before: a failure that the patch brings
with it, however seldom, is a regression.
"""

from collections.abc import Iterable

from proctor.errors import RepositoryError
from proctor.records.place import find_clone
from proctor.repo.git import run_git
from proctor.repo.history import changes_between, object_place
from proctor.repo.revision import resolve_base
from proctor.repo.snapshot import current

_HISTORY = 10_000
"""Commits of the base's history whose trees are known."""


def trees_without_patch(
    folder: str, base: str, state_folder: str, trees: Iterable[str]
) -> frozenset[str]:
    """Return those of `trees` that hold nothing of the patch since `base`.

    They are trees of the base's own history, and trees in which every file that the
    patch changes is as it was where the patch began.

    Raises:
        RepositoryError: the base cannot be had here, or there is no repository.
    """
    revision = resolve_base(folder, base)
    root = find_clone(folder).root
    words = ["log", "--format=%T", f"--max-count={_HISTORY}", revision.merge_base, "--"]
    own = set(run_git(object_place(root), words).decode("ascii").split())
    snapshot = current(root, state_folder)
    tree = snapshot["tree"] if snapshot is not None else None
    objects = snapshot["objects"] if snapshot is not None else None
    if not isinstance(tree, str) or not (objects is None or isinstance(objects, str)):
        raise RepositoryError(f"{root}: the working tree cannot be identified; see `git status`")
    asked = set(trees)
    start = revision.merge_tree
    changes = changes_between(objects, root, [(start, one) for one in {*asked, tree}])
    patch = {path for path, _, _ in changes.get((start, tree), [])}
    free = {
        one
        for one in asked
        if (start, one) in changes
        and patch.isdisjoint(path for path, _, _ in changes[(start, one)])
    }
    return frozenset((asked & own) | free)
