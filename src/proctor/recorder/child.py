"""Starts the command: a fork that waits for a go, then becomes it."""

import errno
import os

from proctor.errors import EXIT_NOT_EXECUTABLE, EXIT_NOT_FOUND, EXIT_RECORDER, RecorderError
from proctor.recorder.signals import prepare_child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NOT_FOUND = (errno.ENOENT, errno.ENOTDIR)


class Child:
    """A forked child that waits before its exec.

    `outputs` are the descriptors that become its stdout and stderr (none: it
    has the recorder's own). With `terminal` they are one terminal, which becomes
    its controlling one.
    """

    __slots__ = ("_fault", "_go", "pid")

    def __init__(
        self,
        argv: "list[str]",
        environ: "dict[str, str]",
        outputs: "Sequence[int]",
        *,
        terminal: bool = False,
    ) -> None:
        wait, self._go = os.pipe()
        self._fault, tell = os.pipe()
        try:
            self.pid = os.fork()
        except OSError as error:
            raise RecorderError(
                f"no process can be started: {error.strerror}; allow more (ulimit -u)"
            ) from None
        if self.pid == 0:
            os.close(self._go)
            _become(argv, environ, (outputs, terminal), (wait, tell))
        os.close(wait)
        os.close(tell)

    def go(self) -> None:
        """Let the child exec."""
        os.write(self._go, b"g")
        os.close(self._go)

    def fault(self) -> int:
        """Return the error number of a failed exec, 0 where it succeeded.

        Waits until the one or the other is known.
        """
        told = os.read(self._fault, 16)
        os.close(self._fault)
        return int(told) if told else 0


def exec_command(argv: "list[str]", environ: "dict[str, str]") -> int:
    """Become the command; return the error number where that fails.

    As execvp(3) has it, a text file without `#!` is run by /bin/sh.
    """
    number = 0
    for path in _places(argv[0], environ):
        try:
            os.execve(path, argv, environ)  # noqa: S606 - there is no shell in between
        except (OSError, ValueError) as error:
            now = getattr(error, "errno", None) or errno.EINVAL
        # NOTE: what is there but cannot run says more than what is not.
        if number in (0, *_NOT_FOUND):
            number = now
    if number == errno.ENOEXEC:
        path = _which(argv[0], environ)
        try:
            os.execve("/bin/sh", ["sh", path, *argv[1:]], environ)  # noqa: S606
        except OSError:
            return number
    return number


def exit_code_of(fault: int) -> int:
    """Return 127 for a command that was not found, 126 for one that cannot run."""
    return EXIT_NOT_FOUND if fault in _NOT_FOUND else EXIT_NOT_EXECUTABLE


def explain(argv: "Sequence[str]", fault: int) -> str:
    """Say in one line why the command did not start."""
    if fault in _NOT_FOUND:
        if "/" in argv[0] and os.path.exists(argv[0]):
            return f"{argv[0]}: the interpreter its first line names was not found"
        if len(argv) == 1 and " " in argv[0].strip():
            return f"{argv[0]}: command not found; {_unquoted(argv[0])}"
        return f"{argv[0]}: command not found"
    return f"{argv[0]}: cannot be executed: {os.strerror(fault)}"


def _unquoted(line: str) -> str:
    """Say what to type in place of a whole line that was given as one word."""
    if any(sign in line for sign in "|&;<>()$`*?~\n"):
        return "a shell line wants a shell: -- bash -c '…'"
    return f"give it without quotes: -- {line.strip()}"


def _become(
    argv: "list[str]",
    environ: "dict[str, str]",
    streams: "tuple[Sequence[int], bool]",
    pipes: "tuple[int, int]",
) -> None:
    """Wait for the go and exec; never returns."""
    wait, tell = pipes
    outputs, terminal = streams
    try:
        for target, fd in enumerate(outputs, 1):
            os.dup2(fd, target)
        if terminal:
            from proctor.recorder.pty import take_terminal

            take_terminal()
        prepare_child()
        if os.read(wait, 1) == b"g":
            fault = exec_command(argv, environ)
            os.write(tell, str(fault).encode("ascii"))
            os._exit(exit_code_of(fault))
    finally:
        os._exit(EXIT_RECORDER)


def _which(name: str, environ: "dict[str, str]") -> str:
    return next((path for path in _places(name, environ) if os.access(path, os.X_OK)), name)


def _places(name: str, environ: "dict[str, str]") -> "list[str]":
    """Return where a command may lie, in order.

    NOTE: `os.get_exec_path` would load `warnings` for a PATH in bytes, which there is not.
    """
    if "/" in name:
        return [name]
    return [os.path.join(folder, name) for folder in environ.get("PATH", os.defpath).split(":")]
