"""Reads git's objects, each checked against its own id.

git does not check what it reads: whoever can write to `.git/objects` may put
other bytes under the id of a blob of an older commit. Here the digest is made
again from the bytes, so an id that came from outside the clone says what it is
an id of.
"""

import hashlib
from collections.abc import Iterable, Iterator

from proctor.errors import RepositoryError
from proctor.repo.git import Place, display, run_git

TEXT_LIMIT = 1 << 20
"""The largest blob that is read, in bytes."""
BATCH_BYTES = 64 << 20
"""About how much is asked of git at once, in bytes."""


def read_object(place: Place, object_id: str) -> tuple[str, bytes]:
    """Return kind and content of one object.

    Raises:
        RepositoryError: it is not here, or its bytes are not those of its id.
    """
    for _, kind, data in _read(place, [object_id]):
        return kind, data
    raise RepositoryError(f"git object {object_id} is not in this clone; fetch it: git fetch")


def read_blobs(place: Place, blobs: Iterable[str], *, limit: int = TEXT_LIMIT) -> dict[str, bytes]:
    """Return the content of those of `blobs` that are here and not larger than `limit`.

    Raises:
        RepositoryError: the bytes of one are not those of its id.
    """
    found = {}
    sizes = ((one, size) for one, size in _sizes(place, blobs, "blob") if size <= limit)
    for ids in _batches(sizes):
        found.update({object_id: data for object_id, _, data in _read(place, ids)})
    return found


def read_path(place: Place, tree: str, path: str) -> bytes | None:
    """Return the content of a file in a tree; none if it has no such plain file.

    Every tree on the way is checked against its id, like the file itself.

    Raises:
        RepositoryError: an object is not here, or its bytes are not those of its id.
    """
    *folders, name = path.split("/")
    for folder in folders:
        mode, found = _entry(place, tree, folder)
        if mode != _FOLDER:
            return None
        tree = found
    mode, blob = _entry(place, tree, name)
    return read_object(place, blob)[1] if mode in _PLAIN else None


_FOLDER = "40000"
_REPOSITORY = "160000"
_PLAIN = ("100644", "100755")


def _entry(place: Place, tree: str, name: str) -> tuple[str, str]:
    """Return mode and id of an entry of a tree, empty where there is none."""
    for mode, entry, object_id in _entries(read_object(place, tree)[1], len(tree) // 2):
        if entry == name.encode():
            return mode, object_id
    return "", ""


def reachable(place: Place, trees: Iterable[str]) -> set[str]:
    """Return the ids of these trees and of all that they hold, repositories within included.

    What is not here is passed over, with what it holds.

    Raises:
        RepositoryError: git gives no answer, or the bytes of a tree are not those
            of its id.
    """
    found: set[str] = set()
    waiting = set(trees)
    while waiting:
        found |= waiting
        below: set[str] = set()
        for ids in _batches(_sizes(place, waiting, "tree")):
            for tree, _, data in _read(place, ids):
                for mode, _, object_id in _entries(data, len(tree) // 2):
                    (below if mode in (_FOLDER, _REPOSITORY) else found).add(object_id)
        waiting = below - found
    return found


def _entries(data: bytes, id_bytes: int) -> Iterator[tuple[str, bytes, str]]:
    """Yield mode, name and id of each entry of a tree."""
    at = 0
    while at < len(data):
        head_end = data.index(b"\0", at)
        mode, _, name = data[at:head_end].partition(b" ")
        at = head_end + 1 + id_bytes
        yield mode.decode("ascii"), name, data[head_end + 1 : at].hex()


def _sizes(place: Place, objects: Iterable[str], kind: str) -> Iterator[tuple[str, int]]:
    """Yield id and size of those objects that are here and of a kind."""
    asked = "".join(f"{one}\n" for one in dict.fromkeys(objects)).encode("ascii")
    for line in run_git(place, ["cat-file", "--batch-check"], stdin=asked).splitlines():
        words = line.decode("ascii", "replace").split()
        if len(words) == _HEAD_WORDS and words[1] == kind:
            yield words[0], int(words[2])


_HEAD_WORDS = 3


def _batches(sizes: Iterable[tuple[str, int]]) -> Iterator[list[str]]:
    batch: list[str] = []
    total = 0
    for object_id, size in sizes:
        batch.append(object_id)
        total += size
        if total >= BATCH_BYTES:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch


def _read(place: Place, ids: list[str]) -> Iterator[tuple[str, str, bytes]]:
    asked = "".join(f"{one}\n" for one in ids).encode("ascii")
    answer = run_git(place, ["cat-file", "--batch"], stdin=asked)
    at = 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        words = display(answer[at:end]).split()
        at = end + 1
        if len(words) != _HEAD_WORDS:
            continue
        object_id, kind, size = words[0], words[1], int(words[2])
        data = answer[at : at + size]
        at += size + 1
        _check(object_id, kind, data)
        yield object_id, kind, data


def _check(object_id: str, kind: str, data: bytes) -> None:
    digest = hashlib.sha256() if len(object_id) == 64 else hashlib.sha1(usedforsecurity=False)
    digest.update(f"{kind} {len(data)}\0".encode("ascii"))
    digest.update(data)
    if digest.hexdigest() != object_id:
        raise RepositoryError(
            f"git object {object_id} holds other bytes than its id says: "
            "the clone is damaged or was altered; clone it again"
        )
