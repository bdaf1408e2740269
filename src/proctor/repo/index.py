"""Reads and amends the file in which git caches what it knows of a working tree.

Proctor keeps an index of its own per working tree, never the user's. git itself
compares times to the second; here they are compared to the nanosecond, together
with inode, device, owner and size, and an entry that was changed about the time
at which the index was written is not trusted at all. An entry is distrusted by
writing 0 as its size, which is how git marks such entries itself.

Format: https://git-scm.com/docs/index-format (version 2, no extended flags).
"""

import errno
import hashlib
import os
import stat
import struct
from collections.abc import Iterable

from proctor.errors import RepositoryError

_STAT = struct.Struct(">10I")
_HEADER = struct.Struct(">4sII")
_SIZE_AT = 36
_LONG_NAME = 0xFFF
_MASK = 0xFFFFFFFF
GITLINK = 0o160000
RACY_NS = 1_000_000_000
"""Entries changed less than this before a snapshot began are read again next time.

File systems stamp times from a clock that ticks every few milliseconds, some
only every second."""


def empty_index(id_bytes: int) -> "Index":
    """Return an index without entries."""
    return Index(_HEADER.pack(b"DIRC", 2, 0) + bytes(id_bytes), id_bytes)


class Index:
    """An index file as bytes, with the place of each entry in it.

    `entries` maps a path to `(stat bytes, object id, offset)`.

    Raises:
        RepositoryError: the bytes are no index that this reads.
    """

    __slots__ = ("data", "entries", "id_bytes")

    def __init__(self, data: bytes, id_bytes: int) -> None:
        self.data = bytearray(data)
        self.id_bytes = id_bytes
        try:
            self.entries = _entries(data, id_bytes)
        except (struct.error, ValueError):
            raise RepositoryError("Proctor's own index is damaged") from None

    def distrust(self, paths: Iterable[bytes]) -> None:
        """Make git, and the next snapshot, read these files again."""
        for path in paths:
            entry = self.entries.get(path)
            if entry is not None:
                at = entry[2] + _SIZE_AT
                self.data[at : at + 4] = bytes(4)

    def remember(self, path: bytes, packed: bytes) -> None:
        """Note the stat of a file whose id was found without git."""
        entry = self.entries.get(path)
        if entry is not None:
            self.data[entry[2] : entry[2] + 40] = packed

    def changed_since(self, moment_ns: int) -> list[bytes]:
        """Return the files whose inode changed at or after a moment of the wall clock."""
        found = []
        for path, (packed, _, _) in self.entries.items():
            seconds, nanoseconds = struct.unpack_from(">II", packed)
            if seconds * 1_000_000_000 + nanoseconds >= moment_ns:
                found.append(path)
        return found

    def checksum(self) -> str:
        """Return the digest of the entries, as the file holds it once sealed."""
        return self.sealed()[-self.id_bytes :].hex()

    def ids(self) -> dict[bytes, str]:
        """Return each path's object id."""
        return {path: entry[1].hex() for path, entry in self.entries.items()}

    def sealed(self) -> bytes:
        """Return the file's bytes with their checksum made anew."""
        body = bytes(self.data[: -self.id_bytes])
        return body + _hash(self.id_bytes, body).digest()


def pack_stat(s: os.stat_result) -> bytes:
    """Return the stat of a file as an index holds it."""
    mode = 0o100755 if s.st_mode & stat.S_IXUSR else 0o100644
    if stat.S_ISLNK(s.st_mode):
        mode = 0o120000
    changed, modified = divmod(s.st_ctime_ns, 10**9), divmod(s.st_mtime_ns, 10**9)
    return _STAT.pack(
        changed[0] & _MASK,
        changed[1],
        modified[0] & _MASK,
        modified[1],
        s.st_dev & _MASK,
        s.st_ino & _MASK,
        mode,
        s.st_uid & _MASK,
        s.st_gid & _MASK,
        s.st_size & _MASK,
    )


def blob_id(path: bytes, size: int, id_bytes: int) -> str:
    """Return the id git gives a file's bytes, without storing them.

    Raises:
        OSError: the file cannot be read, or changed its size meanwhile.
    """
    digest = _hash(id_bytes, b"blob %d\0" % size)
    left = size
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            left -= len(block)
    if left:
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), path)
    return digest.hexdigest()


def _hash(id_bytes: int, data: bytes) -> "hashlib._Hash":
    return hashlib.new("sha1" if id_bytes == 20 else "sha256", data)


def _entries(data: bytes, id_bytes: int) -> dict[bytes, tuple[bytes, bytes, int]]:
    magic, version, count = _HEADER.unpack_from(data)
    if magic != b"DIRC" or version != 2:
        raise ValueError(version)
    entries = {}
    flags_at = 40 + id_bytes
    at = _HEADER.size
    for _ in range(count):
        length = int.from_bytes(data[at + flags_at : at + flags_at + 2]) & _LONG_NAME
        start = at + flags_at + 2
        end = start + length if length < _LONG_NAME else data.index(b"\0", start)
        entries[data[start:end]] = (data[at : at + 40], data[at + 40 : at + flags_at], at)
        at += (end - at + 8) & ~7
    if at > len(data) - id_bytes:
        raise ValueError(at)
    return entries
