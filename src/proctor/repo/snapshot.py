"""Identifies the content of a working tree while a test leaf is held still.

The id is git's: the tree that a commit of every file, untracked ones included
and ignored ones not, would have. It shows which bytes were on disk when the
leaf started and when it ended. It does **not** show that the tests loaded them:
code may come from elsewhere, and what lies outside the tree is not in its id.

Steps: 1. ask git for the paths, 2. stat each, 3. compare with what the last
snapshot knew, 4. have git read the files that differ, 5. write the tree,
6. list what the id does not see. docs/tree-identity.md follows the same order.
"""

import os
import stat
import time
from collections.abc import Iterable, Mapping

from proctor.errors import RepositoryError
from proctor.records.place import Clone, find_clone
from proctor.repo import blind
from proctor.repo.blind import BlindSpots
from proctor.repo.clone import is_bare, place_of, read_config, read_head, root_commit
from proctor.repo.git import Place, display, find_git, run_git, split_nul
from proctor.repo.history import parse_changes
from proctor.repo.index import RACY_NS, Index, blob_id, empty_index, pack_stat
from proctor.repo.lfs import pointer_id
from proctor.repo.listing import EMPTY_TREE, Listing, Tracked, list_files
from proctor.repo.mounts import other_mounts
from proctor.repo.names import Own, may_change_tests
from proctor.repo.store import Store, Update

UNTRACKED_CAP = 100
TOUCHED_CAP = 20
STORE_LIMIT = 32 << 20
"""Larger files are identified, but their content is not kept (bytes)."""
READ_LIMIT = 4 << 30
"""Larger files are not read at all (bytes)."""
NESTED_LIMIT = 20
"""Repositories within the tree that are looked into."""
NESTED_DEPTH = 3
_GITLINK = "160000"


def snapshot(
    cwd: str, *, state_folder: str, environ_pid: int | None = None
) -> dict[str, object] | None:
    """Return the members of `records.span.Git` for the tree that holds `cwd`.

    None outside git and in a bare repository. Without an answer from git `tree`
    is null and a blind spot says why; nothing is raised. `state_folder` is the
    log's folder. `environ_pid` is the process that is about to run the tests:
    if it sees other files mounted here than we do, that is a blind spot.
    """
    return _members(_take(cwd, state_folder, environ_pid))


def finish_snapshot(
    before: Mapping[str, object], cwd: str, *, started_ns: int
) -> dict[str, object]:
    """Return `before` with `tree_after` and `touched`, at the end of the leaf.

    `started_ns` is the wall clock at the leaf's start, in nanoseconds. A file
    that was edited during the run and put back has the same content at both
    ends, but its inode changed in between: `touched` names such files, code,
    tests and configuration only. `cwd` stands in where the root has gone.
    """
    after = dict(before)
    root = str(before["root"])
    objects = before.get("objects")
    if not isinstance(objects, str):
        return after
    taken = _take(root if os.path.isdir(root) else cwd, os.path.dirname(objects), None)
    if taken is None:
        return after
    spots = BlindSpots()
    spots.add_text(_texts(before.get("blind_spots")))
    spots.add_text(taken.spots.texts())
    after["blind_spots"] = spots.texts()
    after["tree_after"] = taken.tree
    after["touched"] = taken.touched(_text(before.get("tree")), started_ns)
    return after


def current(cwd: str, state_folder: str) -> dict[str, object] | None:
    """Return the same facts as `snapshot` for the working tree as it is now."""
    return snapshot(cwd, state_folder=state_folder)


class _Taken:
    """A snapshot and what it was made from."""

    def __init__(self, clone: Clone, spots: BlindSpots) -> None:
        self.clone = clone
        self.spots = spots
        self.config: dict[str, str] = {}
        self.head: str | None = None
        self.head_tree: str | None = None
        self.root_commit: str | None = None
        self.tree: str | None = None
        self.index: Index | None = None
        self.store: Store | None = None
        self.tracked: Mapping[bytes, Tracked] = {}
        self.untracked: list[tuple[str, str]] = []

    @property
    def objects(self) -> str | None:
        """The folder that holds the tree's objects."""
        return self.store.objects if self.store is not None else None

    def touched(self, tree_before: str | None, started_ns: int) -> list[str]:
        """Return tracked files of the same content whose inode changed since."""
        if self.index is None or self.store is None or not tree_before or not self.tree:
            return []
        candidates = [
            path
            for path in self.index.changed_since(started_ns)
            if path in self.tracked and may_change_tests(path)
        ]
        if not candidates:
            return []
        try:
            changed = _changed_paths(self.store.place, tree_before, self.tree)
        except RepositoryError:
            return []
        return [display(path) for path in sorted(set(candidates) - changed)[:TOUCHED_CAP]]


def _members(taken: _Taken | None) -> dict[str, object] | None:
    if taken is None:
        return None
    return {
        "root": display(os.fsencode(taken.clone.root)),
        "repository": [taken.root_commit, taken.clone.repository_id],
        "head": taken.head,
        "tree": taken.tree,
        "tree_after": None,
        "untracked": [list(item) for item in taken.untracked[:UNTRACKED_CAP]],
        "untracked_count": len(taken.untracked),
        "touched": [],
        "blind_spots": taken.spots.texts(),
        "objects": taken.objects,
    }


def _take(cwd: str, state_folder: str, pid: int | None, depth: int = 0) -> _Taken | None:
    clone = find_clone(cwd)
    place = place_of(clone)
    if place is None:
        return None
    taken = _Taken(clone, BlindSpots())
    if pid is not None:
        for point in other_mounts(pid, cwd, clone.root):
            taken.spots.add("other-mount", os.fsencode(point) or None)
    if find_git() is None:
        taken.spots.add("no-git")
        return taken
    try:
        taken.config = read_config(place)
        if is_bare(clone, taken.config):
            return None
        taken.head, taken.head_tree = read_head(place)
        store = taken.store = Store(clone, state_folder, taken.config)
        taken.root_commit = root_commit(place, clone, taken.head, store.folder)
        _fill(taken, place, store, depth)
    except RepositoryError as error:
        taken.spots.add("git-error", str(error).encode())
        taken.tree = None
    return taken


def _fill(taken: _Taken, place: Place, store: Store, depth: int) -> None:
    """Do the steps of the module's docstring, in their order."""
    began_ns = time.time_ns()
    clone, spots = taken.clone, taken.spots
    listing = list_files(place, store.scratch())
    taken.tracked = listing.tracked
    own = Own(clone.root, os.path.dirname(store.objects))
    present = _stat_all(clone.root, listing, own)
    assert clone.common_dir is not None  # noqa: S101 - `place_of` saw a clone
    attributes = blind.read_attributes(clone.root, clone.common_dir, present)
    filtered = blind.find_filtered(place, taken.config, attributes, present)
    plan = _Plan(taken, store, listing, present)
    plan.compare(filtered)
    plan.look_into(own, depth)
    index, tree = plan.write()
    index.distrust(index.changed_since(began_ns - RACY_NS))
    if plan.update:
        store.keep(index, tree)
    taken.index, taken.tree = index, tree
    if taken.head_tree != tree:
        base = taken.head_tree or EMPTY_TREE[store.id_bytes]
        taken.untracked = [(display(path), blob) for path, blob in _added(store.place, base, tree)]
    blind.note_flags(spots, listing, taken.config)
    blind.note_work_tree(spots, clone, taken.config)
    blind.note_links(spots, clone.root, present)
    if not listing.damaged:
        blind.note_ignored(spots, place, clone, taken.config)
    if blind.converts(taken.config, attributes):
        blind.note_conversions(spots, store.place, index, present)


class _Plan:
    """Compares the files on disk with what the last snapshot knew."""

    def __init__(
        self,
        taken: _Taken,
        store: Store,
        listing: Listing,
        present: Mapping[bytes, os.stat_result],
    ) -> None:
        self.taken = taken
        self.store = store
        self.listing = listing
        self.present = present
        self.root = os.fsencode(taken.clone.root) + b"/"
        self.known = store.load() or empty_index(store.id_bytes)
        self.update = Update()
        self.wanted: set[bytes] = set()
        self.stats: dict[bytes, bytes] = {}

    def compare(self, filtered: Mapping[bytes, str]) -> None:
        """Plan for every file that is there, and for those that are kept without."""
        entries = self.known.entries
        if any(p.endswith(b".gitattributes") and not self._same(p) for p in self.present):
            self.known = empty_index(self.store.id_bytes)
            entries = self.known.entries
        for path, s in self.present.items():
            packed = pack_stat(s)
            entry = entries.get(path)
            self.wanted.add(path)
            driver = filtered.get(path)
            if driver not in (None, "lfs"):
                self.taken.spots.add("filter", path)
            if s.st_size > STORE_LIMIT and stat.S_ISREG(s.st_mode):
                self.taken.spots.add("unstored", path)
            if entry is None or entry[0] != packed:
                self._read(path, s, packed, driver)
        for path, tracked in self.listing.tracked.items():
            if tracked.skipped and path not in self.present and tracked.mode != _GITLINK:
                self._hold(path, tracked.mode, tracked.id)

    def look_into(self, own: Own, depth: int) -> None:
        """Plan for submodules and for repositories that are not tracked."""
        left = NESTED_LIMIT if depth < NESTED_DEPTH else 0
        for path, tracked in self.listing.tracked.items():
            if tracked.mode == _GITLINK:
                self._submodule(path, tracked, depth if left > 0 else -1)
                left -= 1
        for path in self.listing.folders:
            if not own.holds(path + b"/"):
                self._nested(path, depth if left > 0 else -1)
                left -= 1

    def write(self) -> tuple[Index, str]:
        """Write the tree; files that cannot be read are left out and said."""
        for path in set(self.known.entries) - self.wanted:
            self.update.drop(path, self.store.id_bytes)
        if not self.update:
            tree = self.store.known_tree(self.known)
            if tree is not None:
                return self.known, tree
            tree, index = self.store.write(self.known, self.update)
            self.store.keep(index, tree)
            return index, tree
        known = self.known if self.known.entries else None
        try:
            tree, index = self.store.write(known, self.update)
        except RepositoryError:
            self._leave_out_unreadable()
            tree, index = self.store.write(known, self.update)
        for path, packed in self.stats.items():
            index.remember(path, packed)
        return index, tree

    def _same(self, path: bytes) -> bool:
        entry = self.known.entries.get(path)
        return entry is not None and entry[0] == pack_stat(self.present[path])

    def _read(self, path: bytes, s: os.stat_result, packed: bytes, driver: str | None) -> None:
        mode = f"{int.from_bytes(packed[24:28]):o}"
        if stat.S_ISLNK(s.st_mode) or (s.st_size <= STORE_LIMIT and driver != "lfs"):
            self.update.files.append(path)
            return
        if s.st_size > READ_LIMIT:
            self.taken.spots.add("unread", path)
            self.wanted.discard(path)
            return
        try:
            found = pointer_id(self.root + path, self.store.id_bytes) if driver == "lfs" else None
            found = found or blob_id(self.root + path, s.st_size, self.store.id_bytes)
        except OSError:
            self.taken.spots.add("unread", path)
            self.wanted.discard(path)
            return
        self.update.set(path, mode, found)
        self.stats[path] = packed

    def _hold(self, path: bytes, mode: str, object_id: str) -> None:
        """Make the tree hold an id for something that is not read from disk."""
        self.wanted.add(path)
        entry = self.known.entries.get(path)
        if entry is None or entry[1].hex() != object_id:
            self.update.set(path, mode, object_id)

    def _submodule(self, path: bytes, tracked: Tracked, depth: int) -> None:
        folder = os.fsdecode(self.root + path)
        inner = self._inner(path, depth)
        if inner is None:
            self._hold(path, _GITLINK, tracked.id)
            if os.path.isdir(folder) and os.listdir(folder):
                self.taken.spots.add("submodule", path)
            return
        content, clean = _content_of(inner)
        self._hold(path, _GITLINK, content or tracked.id)
        if not clean:
            self.taken.spots.add("submodule", path)
        self.taken.spots.add_inner(inner.spots.texts(), path)

    def _nested(self, path: bytes, depth: int) -> None:
        clone = find_clone(os.fsdecode(self.root + path))
        if clone.common_dir == self.taken.clone.common_dir:
            return  # another working tree of this clone, with a life of its own
        self.taken.spots.add("nested-repository", path)
        inner = self._inner(path, depth)
        below = path + b"/"
        if inner is None or any(other.startswith(below) for other in self.wanted):
            return
        content, _ = _content_of(inner)
        if content is not None:
            self._hold(path, _GITLINK, content)

    def _inner(self, path: bytes, depth: int) -> _Taken | None:
        folder = os.fsdecode(self.root + path)
        if depth < 0 or not os.path.isdir(folder) or find_clone(folder).root != folder:
            return None
        return _take(folder, os.path.dirname(self.store.objects), None, depth + 1)

    def _leave_out_unreadable(self) -> None:
        readable = []
        for path in self.update.files:
            try:
                if not stat.S_ISLNK(os.lstat(self.root + path).st_mode):
                    os.close(os.open(self.root + path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
            except FileNotFoundError:
                readable.append(path)
            except OSError:
                self.taken.spots.add("unread", path)
                self.update.drop(path, self.store.id_bytes)
            else:
                readable.append(path)
        self.update.files = readable


def _stat_all(root: str, listing: Listing, own: Own) -> dict[bytes, os.stat_result]:
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


def _paths(listing: Listing) -> Iterable[bytes]:
    for path, tracked in listing.tracked.items():
        if tracked.mode != _GITLINK:
            yield path
    yield from listing.untracked


def _is_real_folder(base: bytes, folder: bytes, known: dict[bytes, bool]) -> bool:
    answer = known.get(folder)
    if answer is None:
        answer = _is_real_folder(base, folder.rpartition(b"/")[0], known)
        if answer:
            try:
                answer = stat.S_ISDIR(os.lstat(base + folder).st_mode)
            except OSError:
                answer = False
        known[folder] = answer
    return answer


def _content_of(inner: _Taken) -> tuple[str | None, bool]:
    """Return the id that stands for a repository within this one, and whether it is clean.

    Clean, it is the commit, as git has it; else the id of its working tree's
    content, so that every change of it changes the outer tree as well.
    """
    clean = inner.tree is not None and inner.tree == inner.head_tree
    return (inner.head if clean else inner.tree), clean


def _added(place: Place, base: str, tree: str) -> list[tuple[bytes, str]]:
    words = ["diff-tree", "-r", "-z", "--no-renames", "--diff-filter=A", base, tree]
    return [(path, new or "") for path, _, new in parse_changes(run_git(place, words))]


def _changed_paths(place: Place, base: str, tree: str) -> set[bytes]:
    words = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", base, tree]
    return set(split_nul(run_git(place, words))) if base != tree else set()


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else []


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
