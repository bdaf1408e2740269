"""Opens a transcript's bytes, as UTF-8 whatever they were written in."""

import codecs
import os
import stat
from collections.abc import Callable
from io import FileIO

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


def open_text(
    path: str, progress: Callable[[int], None] | None
) -> tuple[Callable[[int], bytes], bytes]:
    """Return a function that reads UTF-8 from `path`, and the first 64 KiB of it.

    A byte order mark is left out. `progress` is told the bytes of every block.

    Raises:
        TranscriptError: it cannot be read, or is packed.
    """
    try:
        file, head = _begun(path)
    except OSError as error:
        raise TranscriptError(f"{path}: {_unreadable(error)}") from None
    for magic, cure in _PACKED.items():
        if head.startswith(magic):
            file.close()
            raise TranscriptError(f"{path}: {cure.format(path=path)}")
    waiting = [head] if head else []

    def read(size: int) -> bytes:
        try:
            block = waiting.pop() if waiting else file.read(size)
        except OSError as error:
            raise TranscriptError(f"{path}: {_unreadable(error)}") from None
        if progress is not None:
            progress(len(block))
        if not block:
            file.close()
        return block

    encoding = _encoding_of(head)
    if encoding is None:
        return read, head
    start = codecs.getincrementaldecoder(encoding)("replace").decode(head)
    return _as_utf8(read, encoding), start.encode("utf-8", "replace")


def _begun(path: str) -> tuple[FileIO, bytes]:
    file = FileIO(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    if stat.S_ISDIR(os.fstat(file.fileno()).st_mode):
        file.close()
        raise IsADirectoryError(21, "it is a folder")
    head = b""
    while len(head) < HEAD and (block := file.read(HEAD - len(head))):
        head += block
    return file, head


def _as_utf8(read: Callable[[int], bytes], encoding: str) -> Callable[[int], bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")

    def recoded(size: int) -> bytes:
        while block := read(size):
            if text := decoder.decode(block):
                return text.encode("utf-8", "replace")
        return decoder.decode(b"", final=True).encode("utf-8", "replace")

    return recoded


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
