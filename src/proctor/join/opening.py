"""Opens a transcript's bytes, as UTF-8 whatever they were written in."""

import codecs
import errno
import os
import stat
from collections.abc import Callable

from proctor.errors import TranscriptError

HEAD = 1 << 16
"""Bytes from which a format is told."""
_PACKED = {
    b"\x1f\x8b": "compressed; unpack it first: gunzip --keep {path}",
    b"\x28\xb5\x2f\xfd": "compressed; unpack it first: zstd -d {path}",
    b"BZh": "compressed; unpack it first: bunzip2 --keep {path}",
    b"\xfd7zXZ": "compressed; unpack it first: unxz --keep {path}",
    b"PK\x03\x04": "an archive; unpack it first: unzip {path}",
    b"SQLite format 3": "a database; export the session as JSON, for OpenCode: opencode export ID",
}
_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Text:
    """A transcript's bytes, as UTF-8, a byte order mark left out.

    `progress` is told the bytes of every block that is taken from the file. The file is
    closed at its end, or with this object.

    Raises:
        TranscriptError: it cannot be read, or is packed.
    """

    def __init__(self, path: str, progress: Callable[[int], None] | None = None) -> None:
        self._path = path
        self._progress = progress
        self._fd = -1
        if not path:
            # What `$(ls …)` leaves where it finds no file.
            raise TranscriptError("the transcript's name is empty: no file was found for it")
        try:
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            if stat.S_ISDIR(os.fstat(self._fd).st_mode):
                raise IsADirectoryError(errno.EISDIR, "it is a folder")
        except OSError as error:
            raise TranscriptError(f"{path}: {_unreadable(error)}") from None
        self._first = b""
        while len(self._first) < HEAD and (block := self._block(HEAD - len(self._first))):
            self._first += block
        for magic, cure in _PACKED.items():
            if self._first.startswith(magic):
                raise TranscriptError(f"{path}: {cure.format(path=path)}")
        encoding = _encoding_of(self._first)
        self.head = self._first
        """The first 64 KiB."""
        self._decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
        if encoding:
            start = codecs.getincrementaldecoder(encoding)("replace").decode(self._first)
            self.head = start.encode("utf-8", "replace")

    def read(self, size: int) -> bytes:
        """Return the next bytes, about `size` of them; none at the end."""
        while True:
            block, self._first = self._first or self._block(size), b""
            if self._progress is not None:
                self._progress(len(block))
            if self._decoder is None:
                return block
            text = self._decoder.decode(block, final=not block)
            if text or not block:
                return text.encode("utf-8", "replace")

    def close(self) -> None:
        """Close the file; nothing is to be read any more."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1

    def __del__(self) -> None:
        self.close()

    def _block(self, size: int) -> bytes:
        if self._fd < 0:
            return b""
        try:
            block = os.read(self._fd, size)
        except OSError as error:
            raise TranscriptError(f"{self._path}: {_unreadable(error)}") from None
        if not block:
            self.close()
        return block


def _encoding_of(head: bytes) -> str | None:
    for mark, encoding in _ENCODINGS:
        if head.startswith(mark):
            return encoding
    if len(head) >= 4 and head[0:4:2].count(0) == 0 and head[1:4:2].count(0) == 2:
        return "utf-16-le"
    if len(head) >= 4 and head[0:4:2].count(0) == 2 and head[1:4:2].count(0) == 0:
        return "utf-16-be"
    return None


def _unreadable(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such transcript"
    if isinstance(error, PermissionError):
        return "the transcript may not be read by this user"
    return f"the transcript cannot be read: {error.strerror}"
