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
import time
from collections.abc import Mapping

from proctor.errors import RepositoryError
from proctor.records.place import Clone, find_clone
from proctor.repo import blind
from proctor.repo.blind import BlindSpots
from proctor.repo.clone import is_bare, place_of, read_config, read_head, root_commit
from proctor.repo.git import Place, display, find_git, run_git, split_nul
from proctor.repo.history import parse_changes
from proctor.repo.index import RACY_NS, Index
from proctor.repo.listing import EMPTY_TREE, GITLINK, Listing, Tracked, list_files
from proctor.repo.mounts import other_mounts
from proctor.repo.names import Own, may_change_tests
from proctor.repo.plan import Plan, stat_all
from proctor.repo.store import Store

UNTRACKED_CAP = 100
TOUCHED_CAP = 20
NESTED_LIMIT = 20
"""Repositories within the tree that are looked into."""
NESTED_DEPTH = 3


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
        taken.root_commit = root_commit(place, clone, taken.head, store)
        _fill(taken, place, store, depth)
    except (RepositoryError, OSError) as error:
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
    present = stat_all(clone.root, listing, own)
    assert clone.common_dir is not None  # noqa: S101 - `place_of` saw a clone
    attributes = blind.read_attributes(clone.root, clone.common_dir, present)
    filtered = blind.find_filtered(place, taken.config, attributes, present)
    plan = Plan(clone.root, store, spots)
    plan.compare(present, filtered)
    plan.keep_skipped(listing, present)
    _Nested(taken, plan, depth).look(listing)
    index, tree = plan.write()
    index.distrust(index.changed_since(began_ns - RACY_NS))
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


class _Nested:
    """Repositories within the tree: submodules, and those that are not tracked.

    Each stands in the outer tree as its commit while it is clean, as git has
    it; otherwise as the id of its own working tree's content, so that every
    change of it changes the outer id as well.
    """

    def __init__(self, taken: _Taken, plan: Plan, depth: int) -> None:
        self.taken = taken
        self.plan = plan
        self.depth = depth
        self.left = NESTED_LIMIT if depth < NESTED_DEPTH else 0

    def look(self, listing: Listing) -> None:
        """Plan for all of them."""
        for path, tracked in listing.tracked.items():
            if tracked.mode == GITLINK:
                self._submodule(path, tracked.id)
        for path in listing.folders:
            self._untracked(path)

    def _submodule(self, path: bytes, commit: str) -> None:
        inner = self._take(path)
        if inner is None:
            self.plan.hold(path, GITLINK, commit)
            if _holds_files(self._folder(path)):
                self.taken.spots.add("submodule", path)
            return
        content, clean = _content_of(inner)
        self.plan.hold(path, GITLINK, content or commit)
        if not clean:
            self.taken.spots.add("submodule", path)
        self.taken.spots.add_inner(inner.spots.texts(), path)

    def _untracked(self, path: bytes) -> None:
        if find_clone(self._folder(path)).common_dir == self.taken.clone.common_dir:
            return  # another working tree of this clone, with a life of its own
        self.taken.spots.add("nested-repository", path)
        inner = self._take(path)
        content = _content_of(inner)[0] if inner is not None else None
        if content is not None:
            self.plan.hold(path, GITLINK, content)

    def _take(self, path: bytes) -> _Taken | None:
        self.left -= 1
        folder = self._folder(path)
        objects = self.taken.objects
        if self.left < 0 or objects is None or find_clone(folder).root != folder:
            return None
        return _take(folder, os.path.dirname(objects), None, self.depth + 1)

    def _folder(self, path: bytes) -> str:
        return os.path.join(self.taken.clone.root, os.fsdecode(path))


def _holds_files(folder: str) -> bool:
    try:
        return bool(os.listdir(folder))
    except OSError:
        return False


def _content_of(inner: _Taken) -> tuple[str | None, bool]:
    """Return the id that stands for a nested repository, and whether it is clean.

    NOTE: what a run leaves behind in it (compiled files, caches) changes no test.
    """
    clean = inner.tree is not None and (inner.tree == inner.head_tree or _holds_only_output(inner))
    return (inner.head if clean else inner.tree), clean


def _holds_only_output(inner: _Taken) -> bool:
    """Return whether all that differs from the commit is new and cannot change tests."""
    if inner.store is None or inner.head_tree is None or inner.tree is None:
        return False
    place = inner.store.place
    new = {path for path, _ in _added(place, inner.head_tree, inner.tree)}
    changed = _changed_paths(place, inner.head_tree, inner.tree)
    return changed == new and not any(map(may_change_tests, new))


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
