"""What a step did to files: its folder and its home before and after.

Caches that tools keep for themselves, below `~/.cache` and in `__pycache__`, are not
looked at. Small files are always read; a large one only where its time or size
differs. How often a file was closed after writing is counted where the kernel tells.
"""

import ctypes
import os
import stat
import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from proctor.oracle.trace import File, Stream, keep

SMALL = 1 << 20
"""Bytes up to which a file's content is always read, and kept in the trace."""
MOST_FILES = 20_000
CACHES = frozenset(("__pycache__", ".cache", ".npm", ".mypy_cache", ".ruff_cache", ".pytest_cache"))

State = dict[str, "Seen"]


class Seen(NamedTuple):
    """A file at one moment."""

    kind: str
    mode: int
    stamp: tuple[int, int, int]
    content: bytes | None
    target: str | None


def look(root: str, prefix: str, ignored: Callable[[str], bool]) -> State:
    """Return every file below `root`, by `prefix` and path."""
    return dict(_walk(root, prefix, ignored))


def _walk(root: str, prefix: str, ignored: Callable[[str], bool]) -> Iterator[tuple[str, Seen]]:
    count = 0
    folders = [(root, prefix)]
    while folders:
        folder, front = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            name = front + os.fsencode(entry.name).decode("utf-8", "backslashreplace")
            if entry.name in CACHES or entry.name.endswith(".pyc") or ignored(name):
                continue
            count += 1
            if count > MOST_FILES:
                return
            seen = _see(entry)
            if seen is None:
                continue
            yield name, seen
            if seen.kind == "folder":
                folders.append((entry.path, f"{name}/"))


def _see(entry: "os.DirEntry[str]") -> Seen | None:
    try:
        s = entry.stat(follow_symlinks=False)
        stamp = (s.st_size, s.st_mtime_ns, s.st_ino)
        mode = stat.S_IMODE(s.st_mode)
        if stat.S_ISLNK(s.st_mode):
            target = os.fsencode(os.readlink(entry.path)).decode("utf-8", "backslashreplace")
            return Seen("link", 0o777, stamp, None, target)
        if stat.S_ISDIR(s.st_mode):
            return Seen("folder", mode, (0, 0, s.st_ino), None, None)
        if not stat.S_ISREG(s.st_mode):
            return Seen("other", mode, (0, 0, s.st_ino), None, None)
        content = _read(entry.path) if s.st_size <= SMALL else None
    except OSError:
        return None
    return Seen("file", mode, stamp, content, None)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(SMALL + 1)


class Difference(NamedTuple):
    """What happened to files in between."""

    created: dict[str, File]
    changed: dict[str, File]
    deleted: tuple[str, ...]


NOTHING = Difference({}, {}, ())


def differ(
    before: State, after: State, roots: dict[str, str], writes: dict[str, int], hide: "Hide"
) -> Difference:
    """Return what happened between two looks. `roots`: prefix → folder on disk."""
    created, changed = {}, {}
    for name, now in sorted(after.items()):
        was = before.get(name)
        if was is None:
            created[name] = _file(name, now, roots, writes, hide)
        elif not _is_same(was, now) or (now.kind == "file" and writes.get(name, 0)):
            changed[name] = _file(name, now, roots, writes, hide)
    deleted = tuple(sorted(before.keys() - after.keys()))
    return Difference(created, changed, deleted)


Hide = Callable[[bytes], bytes]
"""Replaces paths of the sandbox in what a step wrote."""


def _is_same(was: Seen, now: Seen) -> bool:
    if (was.kind, was.mode, was.target) != (now.kind, now.mode, now.target):
        return False
    if was.content is not None and now.content is not None:
        return was.content == now.content
    return was.stamp == now.stamp


def _file(name: str, seen: Seen, roots: dict[str, str], writes: dict[str, int], hide: Hide) -> File:
    content: Stream | None = None
    if seen.kind == "file":
        data = seen.content
        content = keep(hide(data), SMALL) if data is not None else _large(name, roots)
    target = seen.target
    if target is not None:
        target = hide(target.encode("utf-8", "replace")).decode("utf-8", "replace")
    return File(
        kind=seen.kind,  # type: ignore[arg-type]
        mode=f"{seen.mode:04o}",
        target=target,
        content=content,
        writes=max(1, writes.get(name, 1)) if seen.kind == "file" else 1,
    )


def _large(name: str, roots: dict[str, str]) -> Stream:
    import hashlib

    prefix = next(one for one in sorted(roots, reverse=True) if name.startswith(one))
    path = os.path.join(roots[prefix], name[len(prefix) :])
    try:
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return Stream(sha256=digest, size=file.tell())
    except OSError:
        return Stream(sha256="", size=-1)


# ── how often a file was written ────────────────────────────────────────────

_ATTRIB, _CLOSE_WRITE, _OPEN, _MOVED_FROM, _MOVED_TO = 0x4, 0x8, 0x20, 0x40, 0x80
_CREATE, _DELETE, _DELETE_SELF, _MOVE_SELF = 0x100, 0x200, 0x400, 0x800
_UNMOUNT, _OVERFLOW, _IGNORED, _ON_FOLDER = 0x2000, 0x4000, 0x8000, 0x40000000
_LOST = _DELETE_SELF | _MOVE_SELF | _UNMOUNT | _OVERFLOW | _IGNORED
"""After one of these, changes may go unseen."""
# NOTE: opens are asked for so that two writes in a row are two events: the kernel makes
# one of equal events that follow each other.
_ASKED = _CLOSE_WRITE | _OPEN | _CREATE | _DELETE | _MOVED_FROM | _MOVED_TO | _ATTRIB
_ASKED |= _DELETE_SELF | _MOVE_SELF
_NONBLOCK, _CLOEXEC = os.O_NONBLOCK, os.O_CLOEXEC
_EVENT = struct.Struct("iIII")
_ROOM = 1 << 16
_LARGEST = _EVENT.size + 256
"""Bytes of an event with the longest name: a read that left room for it read them all."""


class Writes:
    """Counts how often files in given folders are closed after writing, or moved there.

    `lost` is true where a folder itself was changed or taken away, or where the kernel
    did not tell all: then the folders are to be made anew.
    """

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        try:
            self._fd = int(self._libc.inotify_init1(_NONBLOCK | _CLOEXEC))
        except AttributeError:  # pragma: other platform
            self._fd = -1
        self._watched: dict[int, str | None] = {}
        self._found: dict[str, int] = {}
        self._stirred = True
        self.lost = False

    def watch(self, folder: str, prefix: str | None) -> None:
        """Count in this folder from now on; without a prefix only see whether it is used."""
        if self._fd < 0:  # pragma: other platform
            return
        number = int(self._libc.inotify_add_watch(self._fd, os.fsencode(folder), _ASKED))
        if number >= 0:
            self._watched[number] = prefix
        else:
            self.lost = True

    def forget(self) -> None:
        """Watch nothing any more."""
        for number in self._watched:
            self._libc.inotify_rm_watch(self._fd, number)
        self.counts()
        self._watched.clear()
        self._stirred = self.lost = False

    def stirred(self) -> bool:
        """Return whether anything may have happened in the folders since the last call."""
        self._drain()
        stirred, self._stirred = self._stirred, False
        return stirred or self.lost or self._fd < 0

    def counts(self) -> dict[str, int]:
        """Return name → times since the last call."""
        self._drain()
        found, self._found = self._found, {}
        return found

    def _drain(self) -> None:
        if self._fd < 0:  # pragma: other platform
            return
        while True:
            try:
                data = os.read(self._fd, _ROOM)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                number, mask, _, length = _EVENT.unpack_from(data, at)
                at += _EVENT.size
                self._note(number, mask, data[at : at + length])
                at += length
            if len(data) < _ROOM - _LARGEST:
                return

    def _note(self, number: int, mask: int, padded: bytes) -> None:
        if mask & _OPEN and mask & _ON_FOLDER:  # as each look does
            return
        self._stirred = True
        if mask & _LOST or (mask & _ATTRIB and not padded):
            self.lost = True
        prefix = self._watched.get(number)
        if mask & (_CLOSE_WRITE | _MOVED_TO) and prefix is not None:
            path = prefix + padded.rstrip(b"\0").decode("utf-8", "backslashreplace")
            self._found[path] = self._found.get(path, 0) + 1

    def close(self) -> None:
        """Give the descriptor back."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
