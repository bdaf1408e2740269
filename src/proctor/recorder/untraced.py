"""Processes that a tracer would change: they run untraced, their exit is still seen.

A program that traces others (gdb, strace, rr, delve) is refused its own tracees
below a tracer; LeakSanitizer fails a passing test; set-user-ID is ignored unless
the tracer has the capability. Such a process is released at its exec, before
its first instruction, and watched through a pidfd: since Linux 6.15 the kernel
gives the exit status of any process, child or not, by that descriptor
(`PIDFD_GET_INFO`). What it starts is not seen.
"""

import fcntl
import os
import select
import stat
import sys

TRACERS = frozenset(("gdb", "strace", "ltrace", "rr", "dlv", "lldb", "lldb-server", "gdbserver"))
_SYSTEM = ("/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/")
_MARKS = (b"__lsan_", b"libasan.so", b"liblsan.so", b"libclang_rt.asan")
_FIRST = 64 << 20
"""No more of a program is searched for a sanitizer's names."""
_KERNEL = (6, 15)

_PIDFD_GET_INFO = (3 << 30) | (64 << 16) | (0xFF << 8) | 11
_INFO_EXIT = 1 << 3
_STATUS_AT = 60

_own_uid = os.geteuid()
_known: dict[tuple[int, int, int], str | None] = {}


def reason(exe: str | None) -> str | None:
    """Return why a program must not be traced, none where it may.

    `exe` is the executable as the kernel names it. Answers are kept by the
    file's device, inode and time.
    """
    if exe is None:
        return None
    name = exe.rpartition("/")[2]
    if name in TRACERS:
        return f"{name} traces what it runs"
    if _own_uid == 0 and exe.startswith(_SYSTEM):
        return None
    return _look_into(exe, name)


def _look_into(exe: str, name: str) -> str | None:
    try:
        s = os.stat(exe)
    except OSError:
        return None
    if s.st_mode & (stat.S_ISUID | stat.S_ISGID) and _own_uid != 0:
        return f"{name} changes its user"
    if exe.startswith(_SYSTEM):
        return None
    key = (s.st_dev, s.st_ino, s.st_mtime_ns)
    if key not in _known:
        _known[key] = f"{name} checks for leaks" if _is_sanitized(exe, s.st_size) else None
    return _known[key]


def is_supported() -> bool:
    """Return whether the kernel tells the exit of a process that is no child of ours."""
    release = os.uname().release.split(".")
    try:
        return (int(release[0]), int(release[1].split("-")[0])) >= _KERNEL
    except (ValueError, IndexError):
        return False


class Watched:
    """A released process, watched through a pidfd."""

    __slots__ = ("_pidfd", "pid")

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._pidfd = os.pidfd_open(pid)

    def wait(self, milliseconds: int) -> int | None:
        """Return the wait status once the process has been reaped, none before that.

        Raises:
            OSError: the kernel does not tell.
        """
        poller = select.poll()
        poller.register(self._pidfd, 0)
        if not poller.poll(milliseconds):
            return None
        info = bytearray(64)
        info[:8] = _INFO_EXIT.to_bytes(8, sys.byteorder)
        fcntl.ioctl(self._pidfd, _PIDFD_GET_INFO, info, True)
        if not int.from_bytes(info[:8], sys.byteorder) & _INFO_EXIT:
            return None
        return int.from_bytes(info[_STATUS_AT : _STATUS_AT + 4], sys.byteorder, signed=True)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._pidfd)


def _is_sanitized(exe: str, size: int) -> bool:
    import mmap

    try:
        with (
            open(exe, "rb") as file,
            mmap.mmap(file.fileno(), min(size, _FIRST), access=mmap.ACCESS_READ) as content,
        ):
            return any(content.find(mark) >= 0 for mark in _MARKS)
    except (OSError, ValueError):
        return False
