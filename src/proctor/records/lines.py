"""Reads a log's lines in flat memory, never past what was whole when it was opened."""

import fcntl
import os
import stat
import tempfile
import time
from collections.abc import Iterator

from proctor.errors import LogError

BLOCK = 1 << 16
"""Bytes read at once: small enough for a processor's cache (1 MiB costs a third more)."""
LONGEST = 64 << 20
"""Bytes of the longest line that is still read."""
_LOCK_TRIES = 50
_LOCK_PAUSE = 0.02


def open_log(path: str) -> int:
    """Return a descriptor for the log at `path`.

    What comes through a pipe is copied to a temporary file first.

    Raises:
        LogError: there is no such log, or it is not a file that may be read.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise LogError(_unreadable(path, error)) from None
    mode = os.fstat(fd).st_mode
    if stat.S_ISFIFO(mode):
        fd = _spool(fd)
    elif not stat.S_ISREG(mode):
        os.close(fd)
        what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise LogError(f"{path}: {what}; name the span log itself, usually …/spans.jsonl")
    return fd


def blocks(fd: int, size: int) -> Iterator[bytes]:
    """Yield the first `size` bytes in blocks of whole lines.

    The newline at the end of each block is removed. A last line without one is
    a block of its own.

    Raises:
        LogError: a line is longer than 64 MiB, or reading failed.
    """
    position = 0
    rest: list[bytes] = []
    held = 0
    while position < size:
        try:
            block = os.pread(fd, min(BLOCK, size - position), position)
        except OSError as error:
            raise LogError(f"the span log cannot be read: {error.strerror}") from None
        if not block:
            break
        position += len(block)
        end = block.rfind(b"\n")
        if end >= 0:
            yield b"".join((*rest, block[:end]))
            rest, held = [], 0
        rest.append(block[end + 1 :])
        held += len(rest[-1])
        if held > LONGEST:
            raise LogError("a line is longer than 64 MiB: this is not a span log")
    if held:
        yield b"".join(rest)


def settled_size(fd: int) -> int:
    """Return how many bytes of a log may be read: up to a line that is whole.

    The size is taken under the writers' lock, so that no line is half written
    at its end; a lock that is held for longer than a second is not waited for.
    """
    for _ in range(_LOCK_TRIES):
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_LOCK_PAUSE)
            continue
        except OSError:  # a file system without locks
            break
        size = os.fstat(fd).st_size
        fcntl.flock(fd, fcntl.LOCK_UN)
        return size
    return os.fstat(fd).st_size


def _spool(pipe: int) -> int:
    """Copy what a pipe holds to an unnamed file and return its descriptor."""
    with open(pipe, "rb") as source, tempfile.TemporaryFile() as copy:
        while block := source.read(BLOCK):
            copy.write(block)
        copy.flush()
        return os.dup(copy.fileno())


def _unreadable(path: str, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{path}: there is no such span log; record a command first: proctor run -- CMD"
    if isinstance(error, PermissionError):
        return f"{path}: the span log may not be read by this user; run as its owner"
    return f"{path}: the span log cannot be read: {error.strerror}"
