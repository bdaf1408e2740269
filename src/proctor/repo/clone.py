"""Facts about a clone that do not depend on its working tree."""

import os

from proctor.errors import RepositoryError
from proctor.records.place import Clone
from proctor.repo.git import Place, run_git, split_nul
from proctor.repo.store import Store

_HEAD_LINES = 2


def place_of(clone: Clone) -> Place | None:
    """Return where git works in a clone; none if it has no working tree."""
    if clone.git_dir is None or clone.root == clone.git_dir:
        return None
    return Place(git_dir=clone.git_dir, work_tree=clone.root)


def read_config(place: Place) -> dict[str, str]:
    """Return the configuration that git sees, names in lower case, last value first.

    Raises:
        RepositoryError: git gives no answer.
    """
    config = {}
    for record in split_nul(run_git(place, ["config", "--list", "-z", "--includes"])):
        name, _, value = os.fsdecode(record).partition("\n")
        config[name] = value
    return config


def is_bare(clone: Clone, config: dict[str, str]) -> bool:
    """Return whether the clone's main folder is no working tree."""
    return config.get("core.bare") == "true" and clone.git_dir == clone.common_dir


def read_head(place: Place) -> tuple[str | None, str | None]:
    """Return HEAD's commit and its tree, nulls where no commit has been made."""
    try:
        answer = run_git(place, ["rev-parse", "HEAD^{commit}", "HEAD^{tree}"])
    except RepositoryError:
        return None, None
    lines = answer.decode("ascii").split()
    return (lines[0], lines[1]) if len(lines) == _HEAD_LINES else (None, None)


def root_commit(place: Place, clone: Clone, head: str | None, store: Store) -> str | None:
    """Return the first commit of HEAD's first-parent line; noted in the store.

    None while there is none, and in a shallow clone, which does not have it.
    """
    assert clone.common_dir is not None  # noqa: S101 - callers know
    if head is None or os.path.exists(os.path.join(clone.common_dir, "shallow")):
        return None
    known_head, _, root = store.noted("root").partition(" ")
    if known_head == head:
        return root
    try:
        answer = run_git(place, ["rev-list", "--first-parent", "--max-parents=0", head])
    except RepositoryError:
        return None
    root = answer.decode("ascii").split()[0]
    store.note("root", f"{head} {root}")
    return root
