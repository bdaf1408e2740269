"""`--pty`: the command gets a terminal of its own for its output.

What it writes there passes through like any stream; both of its outputs are one,
as on any terminal, and are digested as stdout. Where our own input is a
terminal, its keys go to the command's, in raw mode, so that Ctrl-C means what it
meant before.
"""

import _thread
import fcntl
import os
import termios
from _signal import SIGWINCH, signal  # type: ignore[import-not-found]

from proctor.recorder.streams import Stream

_SIZE = b"\0" * 8


class Terminal(Stream):
    """A pseudo-terminal between the command and our stdout."""

    __slots__ = ("_before", "_master")

    def __init__(self, limit: int | None) -> None:
        self._master, slave = os.openpty()
        super().__init__(1, limit, ends=(self._master, slave))
        self._before: list[object] | None = None
        self.resize()
        signal(SIGWINCH, self._resized)

    def start(self) -> None:
        """Begin to pass bytes on, and keys where there is a keyboard."""
        super().start()
        if os.isatty(0):
            self._before = termios.tcgetattr(0)
            _make_raw(0)
            _thread.start_new_thread(self._pass_keys, ())

    def resize(self) -> None:
        """Give the command's terminal the size of ours."""
        for fd in (1, 0, 2):
            try:
                size = fcntl.ioctl(fd, termios.TIOCGWINSZ, _SIZE)
                fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)
            except OSError:
                continue
            return

    def _resized(self, _number: int, _frame: object) -> None:
        self.resize()

    def restore(self) -> None:
        """Give our terminal back as it was."""
        if self._before is not None:
            termios.tcsetattr(0, termios.TCSADRAIN, self._before)  # type: ignore[arg-type]

    def _pass_keys(self) -> None:
        while True:
            try:
                keys = os.read(0, 4096)
                if not keys:
                    return
                os.write(self._master, keys)
            except OSError:
                return


def take_terminal() -> None:
    """Make fd 1 the controlling terminal of this process, in a session of its own.

    It is the keyboard too where there was one.
    """
    os.setsid()
    fcntl.ioctl(1, termios.TIOCSCTTY, 0)
    if os.isatty(0):
        os.dup2(1, 0)


def _make_raw(fd: int) -> None:
    """Set raw mode as cfmakeraw(3) does; `tty` would import more than this."""
    mode = termios.tcgetattr(fd)
    mode[0] &= ~(termios.BRKINT | termios.ICRNL | termios.INPCK | termios.ISTRIP | termios.IXON)
    mode[1] &= ~termios.OPOST  # the command's own terminal has done that
    mode[2] = mode[2] & ~(termios.CSIZE | termios.PARENB) | termios.CS8
    mode[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
    termios.tcsetattr(fd, termios.TCSADRAIN, mode)
