"""Removes from a clone's state folder what no record refers to any more.

Reports and git objects are named by the spans of the logs that were recorded for the
clone, closed parts that are still here included. Anything that is younger than the age
asked for stays, and everything stays while a command is being recorded or where a log
cannot be read whole: a doubt is a reason to keep.
"""

import os
import shutil
from collections.abc import Iterator, Sequence

import msgspec

from proctor.errors import Error, LogError, RepositoryError
from proctor.host import boot_id
from proctor.records.log import Head, Wanted, read_log
from proctor.records.parts import closed_parts
from proctor.records.place import Clone, noted_logs
from proctor.records.span import Git, Report
from proctor.records.starts import read_pending
from proctor.repo.clone import read_config
from proctor.repo.history import object_place
from proctor.repo.index import Index
from proctor.repo.objects import reachable
from proctor.results.wheel import NAME, folder_name

_HEX = frozenset("0123456789abcdef")


class Swept(msgspec.Struct, frozen=True, kw_only=True):
    """What is, or would be, removed of one kind."""

    kind: str
    """reports, git objects, indexes of working trees, plugins of other versions,
    markers, cached settings or scraps."""
    paths: tuple[str, ...]
    bytes: int


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """What nothing refers to."""

    swept: tuple[Swept, ...] = ()
    refusal: str | None = None
    """Why nothing was looked at."""


class _Names(msgspec.Struct):
    """What the spans of all logs name."""

    reports: set[str] = msgspec.field(default_factory=set)
    trees: set[str] = msgspec.field(default_factory=set)


class _RefHead(Head, frozen=True, kw_only=True):
    git: Git | None = None
    report: Report | None = None


def sweep(clone: Clone, state: str, before: float, *, dry_run: bool) -> Sweep:
    """Remove what nothing refers to and what nobody changed since `before` (a time)."""
    if not os.path.isdir(state):
        return Sweep()
    try:
        names = _named(noted_logs(state))
        found = [
            ("reports", _reports(state, names.reports)),
            ("git objects", _objects(clone, state, names.trees)),
            ("indexes of working trees", _indexes(state)),
            ("plugins of other versions", _plugins(state)),
            ("markers", _markers(noted_logs(state))),
            ("cached settings", _caches(os.path.dirname(state))),
            ("scraps", _scraps(state)),
        ]
        swept = [_old(kind, paths, before) for kind, paths in found]
    except (Error, OSError, ValueError) as error:
        return Sweep(refusal=str(error))
    swept = [one for one in swept if one.paths]
    for one in swept if not dry_run else ():
        for path in one.paths:
            _remove(path)
    return Sweep(swept=tuple(swept))


def _old(kind: str, paths: Iterator[tuple[str, str]], before: float) -> Swept:
    """Take those paths whose witness, a file, was not changed since a time."""
    chosen = []
    size = 0
    for path, witness in paths:
        s = os.stat(witness)
        if max(s.st_mtime, s.st_ctime if kind == "markers" else 0) < before:
            chosen.append(path)
            size += _size(path)
    return Swept(kind=kind, paths=tuple(chosen), bytes=size)


def _named(logs: Sequence[str]) -> _Names:
    """Return what the spans of logs refer to.

    Raises:
        LogError: one cannot be read whole, or a command is being recorded.
    """
    names = _Names()
    for log in logs:
        if any(pending.locked for pending in read_pending(log)):
            raise LogError(f"{log}: a command is being recorded; prune again when it has ended")
        if not os.path.lexists(log):
            continue
        for path in (log, *(part.path for part in closed_parts(log) if part.state == "here")):
            _add_named(path, names)
    return names


def _add_named(path: str, names: _Names) -> None:
    def note(heads: Sequence[_RefHead]) -> tuple[int, ...]:
        for head in heads:
            if head.git is not None:
                trees = (head.git.tree, head.git.tree_after)
                names.trees.update(tree for tree in trees if tree)
            if head.report is not None:
                names.reports.add(head.report.sha256)
                names.reports.update(kept.sha256 for kept in head.report.also)
        return ()

    log = read_log(path, Wanted(_RefHead, note))
    for _ in log:
        pass
    if log.skipped:
        raise LogError(f"{path}: {log.problems[0].message}; see: proctor verify {path}")


def _reports(state: str, named: set[str]) -> Iterator[tuple[str, str]]:
    folder = os.path.join(state, "reports")
    for name in _list(folder):
        digest = name.partition(".")[0]
        if len(digest) == 64 and _HEX.issuperset(digest) and digest not in named:
            yield (os.path.join(folder, name),) * 2


def _objects(clone: Clone, state: str, trees: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the loose objects that neither spans nor indexes lead to."""
    folder = os.path.join(state, "objects")
    loose = [
        (two + rest, os.path.join(folder, two, rest))
        for two in _list(folder)
        if len(two) == 2 and _HEX.issuperset(two)
        for rest in _list(os.path.join(folder, two))
        if _HEX.issuperset(rest)
    ]
    if not loose:
        return
    if clone.git_dir is None:
        raise RepositoryError(f"{clone.root}: the repository is gone, its objects stay")
    place = object_place(clone.root, folder)
    id_bytes = 32 if read_config(place).get("extensions.objectformat") == "sha256" else 20
    held: set[str] = set()
    for index in _list(state):
        if index.startswith("index-"):
            trees = trees | _known_to(os.path.join(state, index), id_bytes, held)
    held |= reachable(place, trees)
    yield from ((path, path) for object_id, path in loose if object_id not in held)


def _known_to(index: str, id_bytes: int, held: set[str]) -> set[str]:
    """Add to `held` what the next snapshot takes to be there; return the last tree."""
    try:
        with open(os.path.join(index, "index"), "rb") as file:
            held.update(Index(file.read(), id_bytes).ids().values())
        with open(os.path.join(index, "tree"), encoding="ascii") as file:
            return {file.read().partition(" ")[2]}
    except FileNotFoundError:
        return set()


def _indexes(state: str) -> Iterator[tuple[str, str]]:
    """Yield the indexes; without one the next snapshot takes longer, no more."""
    yield from _folders(state, "index-", "index")


def _plugins(state: str) -> Iterator[tuple[str, str]]:
    own = os.path.join(state, folder_name())
    yield from (pair for pair in _folders(state, "plugin-", NAME) if pair[0] != own)


def _folders(state: str, prefix: str, witness: str) -> Iterator[tuple[str, str]]:
    for name in _list(state):
        path = os.path.join(state, name, witness)
        if name.startswith(prefix) and os.path.isfile(path):
            yield os.path.dirname(path), path


def _markers(logs: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield markers of recorders that ended before they could say how, and before this boot."""
    for log in logs:
        for pending in read_pending(log):
            if not pending.locked and pending.boot_id != boot_id():
                yield pending.path, pending.path


def _caches(above: str) -> Iterator[tuple[str, str]]:
    """Yield what was kept of the configuration of folders; it is read anew where it is missing."""
    folder = os.path.join(above, "cache")
    for name in _list(folder):
        if name.startswith("settings-"):
            yield (os.path.join(folder, name),) * 2


def _scraps(state: str) -> Iterator[tuple[str, str]]:
    """Yield files that a program that was killed had not finished."""
    folder = os.path.join(state, "reports")
    for name in _list(folder):
        if name.startswith("new-"):
            yield (os.path.join(folder, name),) * 2
    for index in _list(state):
        for name in _list(os.path.join(state, index)) if index.startswith("index-") else ():
            if name.startswith("scratch-"):
                yield (os.path.join(state, index, name),) * 2


def _list(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _size(path: str) -> int:
    if os.path.isdir(path):
        return sum(_size(os.path.join(path, name)) for name in _list(path))
    return os.lstat(path).st_size


def _remove(path: str) -> None:
    """Remove a file or folder; one that has gone meanwhile is no matter."""
    if os.path.isdir(path):
        shutil.rmtree(path, ignore_errors=True)
        return
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
