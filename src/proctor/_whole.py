"""Writes files whole or not at all, opens plain ones, and takes the digest of one."""

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import BinaryIO

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_BLOCK = 1 << 18


class WholeFile:
    """A file that is written beside its place, then renamed there.

    ```
    with WholeFile(path) as file:
        file.write(…)
    ```

    Where that ends in an exception, nothing is left behind and `path` is as it was.
    `durable`: the bytes are on the disk before the name is.

    Raises:
        OSError: on entry, or on leaving: it cannot be written.
    """

    def __init__(self, path: str, *, mode: int = 0o644, durable: bool = False) -> None:
        self._path = path
        self._fresh = f"{path}.{os.getpid()}-{os.urandom(4).hex()}"
        self._mode = mode
        self._durable = durable

    def __enter__(self) -> "BinaryIO":
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

    A pipe would be waited for without end, and a device read without end.

    Raises:
        OSError: it cannot be opened, or is no plain file.
    """
    fd = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    kind = os.fstat(fd).st_mode & 0o170000
    if kind != 0o100000:
        os.close(fd)
        if kind == 0o040000:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        raise OSError(errno.EINVAL, "not a plain file", path)
    return fd


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


def file_sha256(path: str) -> str:
    """Return the SHA-256 of a file's bytes as 64 hex digits.

    Raises:
        OSError: it cannot be read.
    """
    from hashlib import sha256  # writing alone needs light modules only

    digest = sha256()
    with open(path, "rb", buffering=0, opener=plain) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
