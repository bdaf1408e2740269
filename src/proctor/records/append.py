"""Appends whole lines to a span log, each bound to the one before it.

On the light path. A line is written with one `write` under an exclusive lock;
what a crash or a full disk left of a line is moved aside, never overwritten.

The link between lines: a line's last member is `digest`, the SHA-256 of the
line's bytes without that member (`{…,"prev":"…"}`); `prev` is the digest of the
line before, 64 zeros in the first.
"""

import errno
import fcntl
import os
import time

from proctor._digest import encode, sha256_hex
from proctor._whole import write_fully
from proctor.errors import RecorderError
from proctor.records.place import make_private

ZERO = "0" * 64
_TAIL = len(',"digest":""}\n') + 64
_LOCK_SILENCE_S = 2.0
_LOCK_PATIENCE_S = 60.0
_OPEN = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class LogWriter:
    """An open span log that takes records.

    `path` is absolute. `warn` is called with one line when a torn line was
    moved aside. Creating the writer creates the folder (mode 0700) and the file
    (mode 0600).

    Raises:
        RecorderError: the log cannot be opened or is not a regular file.
    """

    __slots__ = ("_fd", "_file", "_last", "_waited", "_warn", "path")

    def __init__(self, path: str, warn: "Callable[[str], None]") -> None:
        self.path = path
        self._warn = warn
        self._last = (0, "")
        """Where our last line ended, and its digest."""
        self._waited = False
        try:
            self._fd = _open(path)
        except OSError as error:
            raise RecorderError(_unwritable(path, error)) from None
        self._file = _identity(os.fstat(self._fd))

    def append(self, record: dict[str, object]) -> str:
        """Write one record, `prev` and `digest` added, and return its digest.

        Raises:
            RecorderError: the line could not be written whole; the log is then
                as it was before.
        """
        try:
            size = self._lock()
            try:
                if size and size == self._last[0]:
                    record["prev"] = self._last[1]
                else:
                    record["prev"], size = self._last_digest(size)
                line, digest = seal(record)
                self._write(line, size)
                self._last = (size + len(line), digest)
            finally:
                fcntl.flock(self._fd, fcntl.LOCK_UN)
        except OSError as error:
            raise RecorderError(_unwritable(self.path, error)) from None
        return digest

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def fileno(self) -> int:
        """Return the file descriptor, for a forked helper to close."""
        return self._fd

    def _lock(self) -> int:
        """Lock the file that the log's path names now, and return its size.

        It may be another than the one that was opened: `proctor log prune` puts a
        new one in its place.
        """
        while True:
            self._wait_for_lock()
            try:
                there = os.lstat(self.path)
                if _identity(there) == self._file:
                    return there.st_size
            except FileNotFoundError:
                pass
            # NOTE: the number stays the same, helpers know the file by it.
            fresh = _open(self.path)
            self._file, self._last = _identity(os.fstat(fresh)), (0, "")
            os.dup2(fresh, self._fd, inheritable=False)
            os.close(fresh)

    def _wait_for_lock(self) -> None:
        """Lock the file; say so where that takes long, and give up where it never ends."""
        began, pause = 0.0, 0.0005
        while True:
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                now = time.monotonic()
                began = began or now
                if now - began > _LOCK_PATIENCE_S:
                    raise
                if now - began > _LOCK_SILENCE_S and not self._waited:
                    self._waited = True
                    self._warn(f"{self.path}: waiting for another process that holds its lock")
                time.sleep(pause)
                pause = min(2 * pause, 0.02)
            else:
                return

    def _last_digest(self, size: int) -> tuple[str, int]:
        if size == 0:
            return ZERO, 0
        tail = os.pread(self._fd, _TAIL, max(0, size - _TAIL))
        if not tail.endswith(b"\n"):
            size = self._move_torn_aside(size)
            return self._last_digest(size)
        digest = tail[-67:-3]
        if not tail.startswith(b',"digest":"') or not tail.endswith(b'"}\n'):
            # The last line is not one of ours: it is kept, and the chain that
            # goes on after it names its bytes, so that `verify` shows the place.
            return sha256_hex(_last_line(self._fd, size)), size
        return digest.decode("ascii", "replace"), size

    def _move_torn_aside(self, size: int) -> int:
        torn = _last_line(self._fd, size)
        aside = f"{self.path}.torn-{size - len(torn)}-{sha256_hex(torn)[:8]}"
        fd = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            write_fully(fd, torn)
        finally:
            os.close(fd)
        os.ftruncate(self._fd, size - len(torn))
        self._warn(f"{self.path}: the last line was torn ({len(torn)} bytes), moved to {aside}")
        return size - len(torn)

    def _write(self, line: bytes, size: int) -> None:
        try:
            write_fully(self._fd, line)
        except OSError:
            os.ftruncate(self._fd, size)
            raise


def seal(record: dict[str, object]) -> tuple[bytes, str]:
    """Return the line for `record`, which holds `prev` already, and its digest."""
    body = encode(record)
    digest = sha256_hex(body)
    return body[:-1] + b',"digest":"' + digest.encode("ascii") + b'"}\n', digest


def _last_line(fd: int, size: int) -> bytes:
    """Return the bytes after the last newline but one (a newline at the end aside)."""
    block = b""
    start = size
    while start > 0:
        step = min(65536, start)
        start -= step
        block = os.pread(fd, step, start) + block
        cut = block.rfind(b"\n", 0, len(block) - 1)
        if cut >= 0:
            return block[cut + 1 :]
    return block


def _identity(s: os.stat_result) -> tuple[int, int]:
    return s.st_dev, s.st_ino


def _open(path: str) -> int:
    """Return a descriptor for the log at `path`, made with its folder if it is not there."""
    make_private(os.path.dirname(path))
    fd = os.open(path, _OPEN, 0o600)
    what = None
    if os.fstat(fd).st_mode & 0o170000 != 0o100000:
        what = "the span log is not a regular file; choose another with --log"
    elif os.pread(fd, 1, 0) not in (b"", b"{"):
        what = "is not a span log; choose another file with --log"
    elif os.fstat(fd).st_nlink > 1:
        what = "the span log has a second name (a hard link); choose another with --log"
    if what is not None:
        os.close(fd)
        raise RecorderError(f"{path}: {what}")
    return fd


def _unwritable(path: str, error: OSError) -> str:
    cures = {
        errno.ENOSPC: "free some space, or choose another place with --log",
        errno.EDQUOT: "free some space, or choose another place with --log",
        errno.EFBIG: "allow larger files (ulimit -f), or prune it: proctor log prune",
        errno.EAGAIN: "another process holds its lock for a minute: end it (fuser tells which)",
        errno.EROFS: "choose a writable place with --log or PROCTOR_STATE_DIR",
        errno.EACCES: "choose a writable place with --log or PROCTOR_STATE_DIR",
        errno.ELOOP: "the log may not be a symbolic link; choose its real path with --log",
        errno.EISDIR: "name a file, not a folder, with --log",
    }
    cure = cures.get(error.errno or 0, "choose another place with --log")
    return f"{path}: cannot write the span log: {error.strerror}; {cure}"
