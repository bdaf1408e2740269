"""Signals and alarms of the recorder's main thread.

NOTE: `_signal` is the C module below `signal`, which imports `enum`. A handler
never raises: wait4 would lose the status that it had just taken.
"""

import _signal  # type: ignore[import-not-found]
import os
import time

_FORWARDED = (1, 2, 3, 10, 12, 15)  # HUP INT QUIT USR1 USR2 TERM
_FROM_TERMINAL = (2, 3)
_OFTEN_LATER_NS = 100_000_000

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Alarms:
    """Calls functions at given times, from SIGALRM."""

    __slots__ = ("_due",)

    def __init__(self) -> None:
        self._due: list[tuple[float, Callable[[], None]]] = []
        _signal.signal(_signal.SIGALRM, self._ring)

    def after(self, seconds: float, call: "Callable[[], None]") -> None:
        """Call `call` in so many seconds."""
        self._due.append((time.monotonic() + seconds, call))
        self._arm()

    def cancel(self) -> None:
        """Call nothing any more."""
        self._due.clear()
        _signal.setitimer(_signal.ITIMER_REAL, 0)

    def _arm(self) -> None:
        if self._due:
            wait = min(when for when, _ in self._due) - time.monotonic()
            _signal.setitimer(_signal.ITIMER_REAL, max(0.001, wait))

    def _ring(self, _number: int, _frame: object) -> None:
        now = time.monotonic()
        ready = [call for when, call in self._due if when <= now]
        self._due = [item for item in self._due if item[0] > now]
        for call in ready:
            call()
        self._arm()


class Forwarder:
    """Passes signals on to the command, once.

    The command shares the recorder's process group, so that whoever kills the
    group kills the command too. A signal to the group therefore reaches both;
    under the tree witness its delivery is seen and it is not sent again.
    `delivered` maps signals to when the command got them (monotonic, ns).
    """

    __slots__ = ("_alarms", "_child", "_delivered")

    def __init__(self, child: int, alarms: Alarms, delivered: "dict[int, int] | None") -> None:
        self._child = child
        self._alarms = alarms
        self._delivered = delivered
        for number in _FORWARDED:
            if _signal.getsignal(number) != _signal.SIG_IGN:
                _signal.signal(number, self._got)
        _signal.signal(_signal.SIGTSTP, _signal.SIG_IGN)

    def stop(self) -> None:
        """Forward nothing any more; the command has ended."""
        for number in _FORWARDED:
            if _signal.getsignal(number) == self._got:
                _signal.signal(number, _signal.SIG_IGN)

    def _got(self, number: int, _frame: object) -> None:
        if self._delivered is None:
            if number not in _FROM_TERMINAL or not _in_foreground():
                self._send(number)
            return
        self._alarms.after(0.03, lambda: self._send_unless_delivered(number))

    def _send_unless_delivered(self, number: int) -> None:
        last = (self._delivered or {}).get(number)
        if last is None or time.monotonic_ns() - last > _OFTEN_LATER_NS:
            self._send(number)

    def _send(self, number: int) -> None:
        try:
            os.kill(self._child, number)
        except ProcessLookupError:
            return


def send_all(pids: "Iterable[int]", number: int) -> None:
    """Send a signal to each process that is still there."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def prepare_parent() -> None:
    """Make wait work: with SIGCHLD ignored the kernel throws exit codes away."""
    _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)


def prepare_child() -> None:
    """Give the command the dispositions it would have had without Python."""
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_DFL)


def prepare_helper() -> None:
    """Take back every disposition that the recorder has set for itself."""
    for number in (*_FORWARDED, _signal.SIGTSTP):
        _signal.signal(number, _signal.SIG_DFL)
    _signal.setitimer(_signal.ITIMER_REAL, 0)


def stop_self(number: int) -> None:
    """Stop as the command was stopped, so that the shell above sees its job stop."""
    before = _signal.signal(number, _signal.SIG_DFL)
    os.kill(os.getpid(), number)
    _signal.signal(number, before)


def _in_foreground() -> bool:
    """Return whether the terminal's keys reach this process's group by themselves."""
    try:
        fd = os.open("/dev/tty", os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(fd)
