"""Puts the files of a tree into an empty folder, as a fresh clone of its own.

Hooks, filters and the configuration of the user and of the clone have no part in it.
Objects are borrowed from the clone and from the state folder, which are only read.
"""

import os
from collections.abc import Iterable

from proctor.errors import RepositoryError
from proctor.records.place import Clone
from proctor.repo.clone import place_of, read_config
from proctor.repo.git import Place, display, run_git, split_nul
from proctor.repo.names import is_receipt, may_change_tests

_AUTHOR = ("-c", "user.name=proctor", "-c", "user.email=proctor@localhost")


class Checkout:
    """A working tree of its own, at `root`; `commit` is what is checked out."""

    def __init__(self, root: str, place: Place, commit: str, left_out: tuple[str, ...]) -> None:
        self.root = root
        self.commit = commit
        self.left_out = left_out
        """Scratch files whose content is not here."""
        self._place = place

    def blobs(self) -> dict[str, str]:
        """Return path → blob of all files as they were checked out."""
        return {display(path): blob for path, blob in _indexed(self._place).items()}

    def settle(self) -> None:
        """Make what has been changed the content of a commit, so that it is seen as clean.

        Raises:
            RepositoryError: git gives no answer.
        """
        run_git(self._place, ["add", "--all", "--force", "."])
        run_git(self._place, [*_AUTHOR, "commit", "-q", "--allow-empty", "-m", "as replayed"])


def check_out(
    clone: Clone, objects: str | None, tree: str, head: str | None, folder: str
) -> Checkout:
    """Return the tree's files in a new folder below the empty `folder`.

    `tree` may be a commit. `head` becomes the parent of what is checked out, if it is
    here; `objects` is a further folder to read objects from.

    Raises:
        RepositoryError: an object is not here, or git gives no answer.
    """
    own = place_of(clone)
    if own is None or clone.common_dir is None:
        raise RepositoryError(f"{clone.root}: no git working tree; replay needs one")
    root = os.path.join(folder, "tree", os.path.basename(clone.root) or "root")
    os.makedirs(root)
    place = Place(git_dir=os.path.join(root, ".git"), work_tree=root, sealed=True)
    sha256 = read_config(own).get("extensions.objectformat") == "sha256"
    run_git(
        place,
        ["init", "-q", "--template=", f"--object-format={'sha256' if sha256 else 'sha1'}"],
    )
    borrowed = [os.path.join(clone.common_dir, "objects"), *([objects] if objects else [])]
    _write(os.path.join(place.git_dir, "objects", "info", "alternates"), borrowed)
    _write(os.path.join(place.git_dir, "info", "attributes"), ["* -filter"])
    run_git(place, ["read-tree", tree])
    left_out = _drop(place, tree)
    run_git(place, ["checkout-index", "--all", "--force", "--quiet"])
    commit = _commit(place, head)
    return Checkout(root, place, commit, left_out)


def _drop(place: Place, tree: str) -> tuple[str, ...]:
    """Take Proctor's own outputs, and scratch files that are not here, out of the index.

    Raises:
        RepositoryError: the content of a file that can change tests is not here.
    """
    blobs = _indexed(place)
    absent = _absent(place, blobs.values())
    missing = [path for path, blob in blobs.items() if blob in absent]
    needed = [path for path in missing if may_change_tests(path)]
    if needed:
        raise RepositoryError(
            f"{display(needed[0])} of tree {tree[:12]} is not in this clone; fetch it, or replay "
            "where the receipt was issued"
        )
    ours = [path for path in blobs if is_receipt(path)]
    if missing or ours:
        zero = "0" * len(next(iter(blobs.values())))
        lines = b"".join(f"0 {zero}\t".encode() + path + b"\0" for path in (*missing, *ours))
        run_git(place, ["update-index", "-z", "--index-info"], stdin=lines)
    return tuple(display(path) for path in missing)


def _indexed(place: Place) -> dict[bytes, str]:
    """Return path → blob of the files in the index, submodules aside."""
    blobs: dict[bytes, str] = {}
    for record in split_nul(run_git(place, ["ls-files", "-s", "-z"])):
        head, _, path = record.partition(b"\t")
        mode, blob, _ = head.decode("ascii").split()
        if mode != "160000":
            blobs[path] = blob
    return blobs


def _absent(place: Place, blobs: Iterable[str]) -> set[str]:
    asked = "".join(f"{blob}\n" for blob in dict.fromkeys(blobs)).encode("ascii")
    if not asked:
        return set()
    answer = run_git(place, ["cat-file", "--batch-check"], stdin=asked).decode("ascii", "replace")
    return {line.split()[0] for line in answer.splitlines() if line.endswith(" missing")}


def _commit(place: Place, head: str | None) -> str:
    """Return the commit that HEAD then names: of what is in the index."""
    tree = run_git(place, ["write-tree"]).decode("ascii").strip()
    parents: list[str] = []
    if head is not None:
        try:
            if run_git(place, ["rev-parse", f"{head}^{{tree}}"]).decode("ascii").strip() == tree:
                return _move(place, head)
            parents = ["-p", head]
        except RepositoryError:
            parents = []
    made = run_git(place, [*_AUTHOR, "commit-tree", tree, *parents, "-m", "as tested"])
    return _move(place, made.decode("ascii").strip())


def _move(place: Place, commit: str) -> str:
    run_git(place, ["update-ref", "refs/heads/replay", commit])
    run_git(place, ["symbolic-ref", "HEAD", "refs/heads/replay"])
    return commit


def _write(path: str, lines: Iterable[str]) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.writelines(f"{line}\n" for line in lines)
