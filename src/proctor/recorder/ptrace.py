"""The few calls of ptrace(2) that a tree witness needs, and a probe.

Every request must come from the thread that seized the process; from another
thread the kernel answers ESRCH. `SEIZE` is used, never `ATTACH` or `TRACEME`:
it brings no phantom stop, tells group-stops apart and allows `LISTEN`.
"""

import _ctypes
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from resource import struct_rusage

SEIZE = 0x4206
INTERRUPT = 0x4207
LISTEN = 0x4208
CONT = 7
DETACH = 17
SETOPTIONS = 0x4200
GETEVENTMSG = 0x4201

O_TRACEFORK = 0x2
O_TRACEVFORK = 0x4
O_TRACECLONE = 0x8
O_TRACEEXEC = 0x10
O_TRACEEXIT = 0x40
FOLLOW = O_TRACEFORK | O_TRACEVFORK | O_TRACECLONE | O_TRACEEXEC
"""Stops at every fork, vfork, clone and exec; none at system calls.

NOTE: `O_EXITKILL` is left out on purpose: a recorder that dies must not kill the
tests. The pending marker tells that their end was not witnessed.
"""

EVENT_FORK = 1
EVENT_VFORK = 2
EVENT_CLONE = 3
EVENT_EXEC = 4
EVENT_EXIT = 6
EVENT_STOP = 128

WALL = 0x40000000
"""`__WALL`: without it, children made by clone are never reported."""

_PR_SET_DUMPABLE = 4


class _Long(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "l"


class _Pointer(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "P"


# NOTE: `ctypes` itself takes as long to load as all modules beside it.
class _Call(_ctypes.CFuncPtr):
    _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
    _restype_ = _Long


_library = _ctypes.dlopen(None, 0)  # type: ignore[arg-type] # the program itself
_ptrace = _Call(_ctypes.dlsym(_library, "ptrace"))
_ptrace.argtypes = (_Long, _Long, _Pointer, _Pointer)
_prctl = _Call(_ctypes.dlsym(_library, "prctl"))


def request(what: int, pid: int, data: int = 0) -> bool:
    """Make one request about `pid`; return whether it still existed.

    A process may die while it is stopped (SIGKILL); that is an ordinary answer,
    its exit will be reported by wait.

    Raises:
        OSError: any other refusal.
    """
    if _ptrace(what, pid, None, data) == -1:
        number = _ctypes.get_errno()
        if number == 3:  # ESRCH
            return False
        raise OSError(number, os.strerror(number))
    return True


def event_message(pid: int) -> int | None:
    """Return the number that came with the event `pid` is stopped at."""
    value = _Long()
    if _ptrace(GETEVENTMSG, pid, None, _ctypes.addressof(value)) == -1:
        return None
    return int(value.value)


def next_event(flags: int) -> "tuple[int, int, struct_rusage | None]":
    """Return tid, status and the resources used; tid 0: nothing yet, -1: nobody."""
    try:
        return os.wait4(-1, WALL | flags)
    except ChildProcessError:
        return -1, 0, None


def hide_self() -> None:
    """Close this process's memory to other processes of the same user.

    NOTE: only after the seize. A child forked from a process that is not
    dumpable cannot be seized by an ordinary user.
    """
    _prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def probe() -> str | None:
    """Return why a child cannot be seized here, or none where it can.

    A real child is forked and seized: Yama, seccomp filters, capabilities and
    containers all have their say.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(write)
        os.read(read, 1)
        os._exit(0)
    os.close(read)
    try:
        request(SEIZE, child, FOLLOW)
    except OSError as error:
        return f"ptrace is refused: {error.strerror}"
    finally:
        os.close(write)
        os.waitpid(child, WALL)
    return None
