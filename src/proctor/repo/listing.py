"""What git says belongs to a working tree: tracked files, and untracked ones.

Read from the user's index without writing it, and without reading one file's
content.
"""

import os

from proctor.errors import RepositoryError
from proctor.repo.git import Place, run_git, split_nul

EMPTY_TREE = {
    20: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    32: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""git's id of a tree without files, by the length of its ids in bytes."""


GITLINK = "160000"
"""The mode of an entry that stands for a repository of its own."""


class Tracked:
    """One entry of the user's index."""

    __slots__ = ("assumed", "id", "mode", "skipped")

    def __init__(self, mode: str, blob: str, tag: str) -> None:
        self.mode = mode
        self.id = blob
        self.assumed = tag.islower()
        """assume-unchanged is set: git does not look at the file."""
        self.skipped = tag in "Ss"
        """skip-worktree is set: git takes the index's word for the file."""


class Listing:
    """The paths of a working tree.

    `folders` are untracked folders that git does not enter: repositories of
    their own. `damaged` says that the user's index could not be read, so that
    HEAD's files stand in for it.
    """

    __slots__ = ("damaged", "folders", "tracked", "untracked")

    def __init__(self) -> None:
        self.tracked: dict[bytes, Tracked] = {}
        self.untracked: list[bytes] = []
        self.folders: list[bytes] = []
        self.damaged = False


def list_files(place: Place, scratch: str) -> Listing:
    """Return what belongs to the working tree.

    `scratch` is a path at which an index may be written while that of the user
    cannot be read.

    Raises:
        RepositoryError: git gives no answer.
    """
    listing = Listing()
    words = ["ls-files", "-z", "-s", "-v", "-c", "-o", "--exclude-standard"]
    try:
        answer = run_git(place, words)
    except RepositoryError:
        answer = _from_head(place, words, scratch)
        listing.damaged = True
    for record in split_nul(answer):
        _take(listing, record)
    return listing


def list_ignored(place: Place) -> list[bytes]:
    """Return what the ignore rules hide; folders hidden whole end in `/`.

    Raises:
        RepositoryError: git gives no answer.
    """
    words = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"]
    return list(split_nul(run_git(place, words)))


def _take(listing: Listing, record: bytes) -> None:
    if record.startswith(b"? "):
        path = record[2:]
        if path.endswith(b"/"):
            listing.folders.append(path[:-1])
        else:
            listing.untracked.append(path)
        return
    head, _, path = record.partition(b"\t")
    tag, mode, blob, _stage = head.decode("ascii").split(" ")
    listing.tracked[path] = Tracked(mode, blob, tag)


def _from_head(place: Place, words: list[str], scratch: str) -> bytes:
    stand_in = Place(
        git_dir=place.git_dir,
        work_tree=place.work_tree,
        index=scratch,
        settings=place.settings,
    )
    try:
        run_git(stand_in, ["read-tree", "HEAD"])
        return run_git(stand_in, words)
    finally:
        if os.path.exists(scratch):
            os.unlink(scratch)
