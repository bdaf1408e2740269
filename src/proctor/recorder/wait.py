"""What a wait status says, and the direct witness.

The direct witness sees the command itself, by the real wait of its parent.
"""

import os

from proctor.recorder.signals import stop_self

_TERMINAL_STOPS = (20, 21, 22)  # SIGTSTP, SIGTTIN, SIGTTOU


def wait_for(pid: int) -> "tuple[int, str | None, tuple[int, int]] | None":
    """Return exit code, signal and (CPU ms, peak KiB) of a child; none if unknown.

    Unknown is the answer where somebody else took the status (ECHILD): it is
    never a zero.
    """
    while True:
        try:
            _, status, usage = os.wait4(pid, os.WUNTRACED)
        except ChildProcessError:
            return None
        if os.WIFSTOPPED(status):
            if os.WSTOPSIG(status) in _TERMINAL_STOPS:
                stop_self(os.WSTOPSIG(status))
            continue
        code, signal = decode(status)
        cpu = round((usage.ru_utime + usage.ru_stime) * 1000)
        return code, signal, (cpu, usage.ru_maxrss)


def decode(status: int) -> "tuple[int, str | None]":
    """Return exit code and signal name of a wait status (128+n after a signal)."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return 128 + number, signal_name(number)
    return os.WEXITSTATUS(status), None


def signal_name(number: int) -> str:
    """Return a signal's name, such as `SIGTERM`."""
    from signal import Signals

    try:
        return Signals(number).name
    except ValueError:
        return f"SIGRTMIN+{number - 34}"
