"""Makes a tree again that another clone, or an earlier moment, identified.

A receipt names the tree that was tested by its id. Where that object is not here it
can often be made of what is: a commit's files, and those that it did not hold, of
which the receipt names path and blob. That the id comes out shows that the content
is the same. The blobs themselves need not be here.
"""

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from proctor.errors import RepositoryError
from proctor.records.place import Clone
from proctor.repo.clone import place_of, read_config
from proctor.repo.git import Place, run_git, split_nul
from proctor.repo.history import object_place, plain_name, resolve
from proctor.repo.names import is_receipt
from proctor.repo.store import Store

MOST_UNTRACKED = 100
"""As many untracked files a record names; of more it is not known which they were."""


class Told(NamedTuple):
    """What a record says of the tree that it names."""

    tree: str
    head: str | None
    untracked: tuple[tuple[str, str], ...]
    """Path and blob of files that the commit lacks."""
    untracked_count: int


def made_here(
    clone: Clone, state_folder: str, objects: str | None, told: Told, also: Sequence[str] = ()
) -> bool:
    """Return whether a tree is here, or could be made of what is.

    It is made of the commit that the record names, or of one of the trees `also`.

    Raises:
        RepositoryError: git, or the state folder, gives no answer.
    """
    if is_here(clone.root, objects, told.tree):
        return True
    if told.untracked_count > MOST_UNTRACKED:
        return False
    bases = list(also)
    if told.head is not None and resolve(clone.root, told.head) is not None:
        bases.insert(0, told.head)
    extra = [one for one in told.untracked if _is_plain(*one)]
    return rebuild(clone, state_folder, told.tree, bases, extra)


def _is_plain(path: str, blob: str) -> bool:
    """Return whether a name and an id may be given to git as they stand."""
    return (
        bool(path)
        and "\0" not in path
        and len(blob) in (40, 64)
        and all(c in "0123456789abcdef" for c in blob)
    )


def is_here(root: str, objects: str | None, object_id: str) -> bool:
    """Return whether an object of this id can be read.

    Raises:
        RepositoryError: `root` is in no repository.
    """
    place = object_place(root, objects)
    try:
        run_git(place, ["cat-file", "-e", plain_name(object_id)])
    except RepositoryError:
        return False
    return True


def rebuild(
    clone: Clone,
    state_folder: str,
    wanted: str,
    bases: Iterable[str],
    extra: Sequence[tuple[str, str]],
) -> bool:
    """Make the tree `wanted` out of one of `bases` and the files `extra`; say if it worked.

    Proctor's own outputs, which a commit may hold, are left out as a snapshot does.

    Raises:
        RepositoryError: git, or the state folder, gives no answer.
    """
    own = place_of(clone)
    if own is None:
        return False
    store = Store(clone, state_folder, read_config(own))
    scratch = store.scratch()
    place = store.place_with(scratch)
    lines = [f"100644 {blob}\t".encode() + os.fsencode(path) + b"\0" for path, blob in extra]
    zero = "0" * (2 * store.id_bytes)
    try:
        return any(_is_made(place, base, lines, zero, wanted) for base in bases)
    finally:
        for path in (scratch, f"{scratch}.lock"):
            if os.path.exists(path):
                os.unlink(path)


def _is_made(place: Place, base: str, lines: list[bytes], zero: str, wanted: str) -> bool:
    """Put a base and further lines into the index, and say if that makes the tree."""
    try:
        run_git(place, ["read-tree", plain_name(base)])
    except RepositoryError:
        return False
    held = split_nul(run_git(place, ["ls-files", "-z"]))
    ours = [f"0 {zero}\t".encode() + path + b"\0" for path in held if is_receipt(path)]
    if lines or ours:
        given = b"".join([*ours, *lines])
        run_git(place, ["update-index", "-z", "--add", "--index-info"], stdin=given)
    made = run_git(place, ["write-tree", "--missing-ok"]).decode("ascii").strip()
    return made == wanted
