"""The direct witness: the command itself, by its parent's real wait."""

import os

from proctor.recorder.signals import stop_self
from proctor.recorder.tree import decode

_TERMINAL_STOPS = (20, 21, 22)


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
