"""Reads what /proc says of one process.

At an exec stop all of it is the new image's and none of its code has run, so
argv is exact: empty arguments, newlines and bytes that are not UTF-8 survive.
Nothing here raises for a process that has gone or may not be looked at: null is
not the same as empty.
"""

import os

_PAGE = 4096
_root = "/proc"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def is_own() -> bool:
    """Return whether /proc shows our own pid namespace.

    In `unshare --pid` without `--mount-proc` it shows another, and under our
    children's numbers other processes.
    """
    try:
        return os.readlink("/proc/self") == str(os.getpid())
    except OSError:
        return False


def forget() -> None:
    """Look at no process by its number from here on: everything is null."""
    global _root  # noqa: PLW0603 - one fact about this process
    _root = "/proc/self/nothing"


def own_tracer() -> str:
    """Return the process that traces us as /proc numbers it, 0 where it shows none."""
    status = read("/proc/self/status") or b""
    at = status.find(b"TracerPid:")
    return status[at:].split(None, 2)[1].decode("ascii") if at >= 0 else "0"


def argv_of(pid: int) -> "list[str] | None":
    """Return the arguments, non-UTF-8 bytes as surrogates (`os.fsdecode`)."""
    data = read(f"{_root}/{pid}/cmdline")
    if data is None:
        return None
    if data.endswith(b"\0"):
        data = data[:-1]
    return os.fsdecode(data).split("\0")


def exe_of(pid: int) -> str | None:
    """Return the executable's path."""
    return _link(f"{_root}/{pid}/exe")


def cwd_of(pid: int) -> str | None:
    """Return the current folder."""
    return _link(f"{_root}/{pid}/cwd")


def read_environ(pid: int) -> bytes:
    """Return the environment that the image was started with, empty where it may not be read."""
    return read(f"{_root}/{pid}/environ") or b""


def parse_environ(data: bytes) -> "dict[str, str]":
    """Return the names and values in an environment."""
    pairs = (part.partition("=") for part in os.fsdecode(data).split("\0") if "=" in part)
    return {name: value for name, _, value in pairs}


def environ_of(pid: int) -> "dict[str, str] | None":
    """Return the environment that the image was started with."""
    data = read(f"{_root}/{pid}/environ")
    return None if data is None else parse_environ(data)


def start_of(pid: int) -> int | None:
    """Return when the process started, in clock ticks since boot."""
    data = read(f"{_root}/{pid}/stat")
    if data is None:
        return None
    return int(data[data.rfind(b")") + 2 :].split(None, 20)[19])


def status_of(pid: int, names: "Iterable[str]") -> dict[str, str]:
    """Return the named lines of /proc/PID/status, those that are there."""
    data = read(f"{_root}/{pid}/status") or b""
    wanted = frozenset(names)
    pairs = (line.partition(":") for line in data.decode("utf-8", "replace").splitlines())
    return {name: value.strip() for name, _, value in pairs if name in wanted}


def is_thread_of(tid: int, pid: int) -> bool:
    """Return whether `tid` is a thread of process `pid`."""
    try:
        # The kernel gives a descriptor for a process, never for another thread:
        # a fifth of the cost of a look at /proc, which only threads pay.
        os.close(os.pidfd_open(tid))
    except (OSError, AttributeError):
        return os.path.exists(f"{_root}/{pid}/task/{tid}")
    return False


def descendants_of(pid: int) -> list[int]:
    """Return the live descendants of a process, for a witness without a tree."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if _root == "/proc" else ():
        if name.isdigit():
            parent = status_of(int(name), ("PPid",)).get("PPid")
            if parent:
                children.setdefault(int(parent), []).append(int(name))
    found: list[int] = []
    queue = [pid]
    while queue:
        for child in children.get(queue.pop(), ()):
            found.append(child)
            queue.append(child)
    return found


def read(path: str) -> bytes | None:
    """Return a file of /proc whole, none if it cannot be read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        # NOTE: a short read from /proc is the end; a large buffer would cost a
        # mapping of fresh memory for every process.
        data = os.read(fd, _PAGE)
        if len(data) < _PAGE:
            return data
        parts = [data]
        while data:
            data = os.read(fd, 1 << 20)
            parts.append(data)
        return b"".join(parts)
    except OSError:
        return None
    finally:
        os.close(fd)


def _link(path: str) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None
