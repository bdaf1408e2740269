"""Writes files whole or not at all, opens plain ones, and takes the digest of one."""

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO
    from types import TracebackType
    from typing import BinaryIO

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_BLOCK = 1 << 18
NO_FILE = "a device or a pipe, not a file"


class WholeFile:
    """A file that is written beside its place, then renamed there.

    ```
    with WholeFile(path) as file:
        file.write(…)
    ```

    Where that ends in an exception, nothing is left behind and `path` is as it was.
    `durable`: the bytes are on the disk before the name is.

    Raises:
        OSError: on entry, or on leaving: it cannot be written. A device or a pipe is
            not replaced: root could.
    """

    def __init__(self, path: str, *, mode: int = 0o644, durable: bool = False) -> None:
        self._path = path
        self._fresh = f"{path}.{os.getpid()}-{os.urandom(4).hex()}"
        self._mode = mode
        self._durable = durable

    def __enter__(self) -> "BinaryIO":
        _refuse_special(self._path)
        self._file = open(os.open(self._fresh, _FLAGS, self._mode), "wb")
        return self._file

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: "BaseException | None",
        trace: "TracebackType | None",
    ) -> None:
        whole = False
        try:
            with self._file as file:
                if kind is None:
                    file.flush()
                    if self._durable:
                        os.fsync(file.fileno())
            if kind is None:
                os.replace(self._fresh, self._path)
                whole = True
        finally:
            if not whole:
                os.unlink(self._fresh)


def plain(path: str, flags: int) -> int:
    """Return a descriptor of a plain file; an `opener` for what others may have put there.

    Raises:
        OSError: it cannot be opened, or may have no end: a device or a pipe.
    """
    fd = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    kind = os.fstat(fd).st_mode
    if stat.S_ISREG(kind):
        return fd
    os.close(fd)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise OSError(errno.EINVAL, NO_FILE, path)


def write_fully(fd: int, data: bytes) -> None:
    """Write all of `data` to a descriptor.

    NOTE: a write that takes a part only hides the reason; the next one tells it.

    Raises:
        OSError: it cannot be written; a part of it may have been.
    """
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def write_whole(path: str, data: bytes, *, mode: int = 0o644, durable: bool = False) -> None:
    """Make the file at `path` hold `data`, never a part of it.

    Raises:
        OSError: it cannot be written.
    """
    with WholeFile(path, mode=mode, durable=durable) as file:
        file.write(data)


def open_file(path: str) -> "FileIO":
    """Return a plain file, open for reading, its bytes not buffered.

    Raises:
        OSError: it cannot be opened, or may have no end: a device or a pipe.
    """
    return open(plain(path, os.O_RDONLY), "rb", buffering=0)


def file_sha256(path: str) -> str:
    """Return the SHA-256 of a plain file's bytes as 64 hex digits.

    Raises:
        OSError: it cannot be read, or may have no end: a device or a pipe.
    """
    from hashlib import sha256  # writing alone needs light modules only

    digest = sha256()
    with open_file(path) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _refuse_special(path: str) -> None:
    """Raise `OSError` where `path` names a device or a pipe, or a link that stands for one.

    `/dev/stdout` may lead to a plain file and is none of its own.
    """
    try:
        kind = os.stat(path).st_mode
    except OSError:
        return  # not there yet, or writing will say what is wrong
    place = os.path.realpath(os.path.dirname(path))
    stands_for = os.path.islink(path) and f"{place}/".startswith(("/dev/", "/proc/"))
    if stands_for or not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        raise OSError(errno.EINVAL, NO_FILE, path)
