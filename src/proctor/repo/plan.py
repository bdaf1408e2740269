"""Compares the files on disk with what the last snapshot knew, and plans the difference."""

import os
import stat
from collections.abc import Iterator, Mapping

from proctor.errors import RepositoryError
from proctor.repo.blind import BlindSpots
from proctor.repo.index import Index, blob_id, empty_index, pack_stat
from proctor.repo.lfs import pointer_id
from proctor.repo.listing import GITLINK, Listing
from proctor.repo.names import Own
from proctor.repo.store import Store, Update

STORE_LIMIT = 32 << 20
"""Larger files are identified, but their content is not kept (bytes)."""
READ_LIMIT = 4 << 30
"""Larger files are not read at all (bytes)."""

Stats = Mapping[bytes, os.stat_result]


class Plan:
    """What has to happen so that the store's index holds the files on disk.

    `wanted` are the paths that the tree is to hold; whatever else the last
    snapshot knew is dropped. What cannot be read is left out, and said in
    `spots`.
    """

    __slots__ = ("_known", "_root", "_spots", "_stats", "_store", "update", "wanted")

    def __init__(self, root: str, store: Store, spots: BlindSpots) -> None:
        self._root = os.fsencode(root) + b"/"
        self._store = store
        self._spots = spots
        self._known = store.load() or empty_index(store.id_bytes)
        self._stats: dict[bytes, bytes] = {}
        self.update = Update()
        self.wanted: set[bytes] = set()

    def compare(self, present: Stats, filtered: Mapping[bytes, str]) -> None:
        """Plan for every file that is there. `filtered` names the files' filters."""
        if any(p.endswith(b".gitattributes") and not self._is_known(p, present) for p in present):
            self._known = empty_index(self._store.id_bytes)
        entries = self._known.entries
        for path, s in present.items():
            packed = pack_stat(s)
            entry = entries.get(path)
            driver = filtered.get(path)
            if driver not in (None, "lfs"):
                self._spots.add("filter", path)
            if s.st_size > STORE_LIMIT:
                self._spots.add("unstored", path)
            if s.st_size > READ_LIMIT:
                self._spots.add("unread", path)
                continue
            self.wanted.add(path)
            if entry is None or entry[0] != packed:
                self._read(path, s, packed, driver)

    def keep_skipped(self, listing: Listing, present: Stats) -> None:
        """Plan for files that a sparse checkout leaves out: the tree holds them still."""
        for path, tracked in listing.tracked.items():
            if tracked.skipped and path not in present and tracked.mode != GITLINK:
                self.hold(path, tracked.mode, tracked.id)

    def hold(self, path: bytes, mode: str, object_id: str) -> None:
        """Make the tree hold an id for something that is not read from disk."""
        self.wanted.add(path)
        entry = self._known.entries.get(path)
        if entry is None or entry[1].hex() != object_id:
            self.update.set(path, mode, object_id)

    def write(self) -> tuple[Index, str]:
        """Return the index and the id of the tree that hold what is wanted.

        Raises:
            RepositoryError: git gives no answer.
        """
        known = self._known
        for path in known.entries.keys() - self.wanted:
            self.update.drop(path, self._store.id_bytes)
        if not self.update:
            tree = self._store.known_tree(known)
            if tree is not None:
                return known, tree
        try:
            tree, index = self._store.write(known, self.update)
        except RepositoryError:
            self._leave_out_unreadable()
            tree, index = self._store.write(known, self.update)
        for path, packed in self._stats.items():
            index.remember(path, packed)
        return index, tree

    def _is_known(self, path: bytes, present: Stats) -> bool:
        entry = self._known.entries.get(path)
        return entry is not None and entry[0] == pack_stat(present[path])

    def _read(self, path: bytes, s: os.stat_result, packed: bytes, driver: str | None) -> None:
        """Leave a file to git, or work its id out here: large ones, and LFS's pointers."""
        if not stat.S_ISREG(s.st_mode) or (s.st_size <= STORE_LIMIT and driver != "lfs"):
            self.update.files.append(path)
            return
        full, length = self._root + path, self._store.id_bytes
        try:
            found = pointer_id(full, length) if driver == "lfs" else None
            found = found or blob_id(full, s.st_size, length)
        except OSError:
            self._spots.add("unread", path)
            self.wanted.discard(path)
            return
        self.update.set(path, f"{int.from_bytes(packed[24:28]):o}", found)
        self._stats[path] = packed

    def _leave_out_unreadable(self) -> None:
        for path in list(self.update.files):
            try:
                os.close(os.open(self._root + path, _READ))
            except PermissionError:
                self._spots.add("unread", path)
                self.update.files.remove(path)
                self.update.drop(path, self._store.id_bytes)
            except OSError:
                continue  # gone or a link meanwhile, which git copes with


_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


def stat_all(root: str, listing: Listing, own: Own) -> dict[bytes, os.stat_result]:
    """Return the stat of every file and link that is there and counts.

    A file below a folder that has become a link is not there: git does not
    follow links either.
    """
    base = os.fsencode(root) + b"/"
    folders: dict[bytes, bool] = {b"": True}
    found = {}
    for path in _paths(listing):
        if not _is_real_folder(base, path.rpartition(b"/")[0], folders) or own.holds(path):
            continue
        try:
            s = os.lstat(base + path)
        except OSError:
            continue
        if stat.S_ISREG(s.st_mode) or stat.S_ISLNK(s.st_mode):
            found[path] = s
    return found


def _paths(listing: Listing) -> Iterator[bytes]:
    for path, tracked in listing.tracked.items():
        if tracked.mode != GITLINK:
            yield path
    yield from listing.untracked


def _is_real_folder(base: bytes, folder: bytes, known: dict[bytes, bool]) -> bool:
    answer = known.get(folder)
    if answer is None:
        above = folder.rpartition(b"/")[0]
        answer = _is_real_folder(base, above, known) and _is_folder(base + folder)
        known[folder] = answer
    return answer


def _is_folder(path: bytes) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False
