"""Writes the files of a tree to a folder, without hooks, filters or a `.git`."""

import os

from proctor.errors import RepositoryError
from proctor.records.place import Clone
from proctor.repo.clone import place_of, read_config
from proctor.repo.git import Place, run_git
from proctor.repo.store import Store


def export_tree(clone: Clone, tree: str, folder: str, state_folder: str) -> None:
    """Write the files of `tree`, an id, to `folder`, which must exist.

    `state_folder` is where snapshots keep their objects. Submodules stay empty.

    Raises:
        RepositoryError: an object is missing, or the folder cannot be written.
    """
    place = place_of(clone)
    if place is None:
        raise RepositoryError(f"{clone.root}: not a git repository with a working tree")
    store = Store(clone, state_folder, read_config(place))
    scratch = store.scratch()
    own = store.place
    there = Place(
        git_dir=own.git_dir,
        work_tree=folder,
        objects=own.objects,
        alternates=own.alternates,
        index=scratch,
        sealed=True,
    )
    try:
        run_git(there, ["read-tree", "--reset", "-u", tree])
    finally:
        for path in (scratch, f"{scratch}.lock"):
            if os.path.exists(path):
                os.unlink(path)
