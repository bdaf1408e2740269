"""Starts one process and returns all that can be witnessed of its end.

Streams go through pipes, so that a program that reopens or truncates its output
behaves as it would anywhere. The process has a group of its own; what of it still
runs at the end is killed.
"""

import contextlib
import errno
import fcntl
import os
import pty
import resource
import select
import signal
import struct
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from proctor.oracle.begin import begin as start_process

MOST_OUTPUT = 64 << 20
"""Bytes of a stream or a file that a step may write; then it is stopped."""
_PIPE = 60_000
"""Bytes that a pipe takes at once."""
MOST_PROCESSES = 4096
"""Processes of one user that may be; where the user is root nothing limits them."""
LIMITS = (
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_FSIZE, MOST_OUTPUT),
    (resource.RLIMIT_NOFILE, 1024),
    (resource.RLIMIT_NPROC, MOST_PROCESSES),
)
"""What a step may not exceed, beside its time."""
_SOON_MS = 2.0
"""How long a process is given to end before its streams are read."""
_AT_ONCE = 1 << 16
_WINDOW = struct.pack("HHHH", 24, 80, 0, 0)


class Ended(NamedTuple):
    """How a process ended and what it wrote."""

    exit_code: int | None
    signal: str | None
    timed_out: bool
    stdout: bytes
    stderr: bytes
    seconds: float
    left_running: int


class Start(NamedTuple):
    """What to start, and where."""

    argv: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    stdin: bytes | None = None
    timeout_s: float = 10.0
    tty: bool = False
    inner: Sequence[str] = ()
    """argv as it stands within the sandbox."""


def spawn(start: Start) -> Ended:
    """Run a process to its end, or to its timeout.

    A program that cannot be started ends with 127 (not found) or 126, as a shell
    has it, and the reason on stderr.
    """
    return spawn_as(start, lambda fds: _Own(start, fds))


class Job(Protocol):
    """A process that was started, whoever started it."""

    end: int
    """A descriptor that becomes readable when the process ends."""

    def kill(self) -> None:
        """Kill the process and what it started."""

    def wait(self) -> int:
        """Return the exit code, or -n for a signal."""

    def left(self) -> int:
        """Kill what the process left; return how many of it still ran."""

    def close(self) -> None:
        """Give back what the descriptor holds."""


Begin = Callable[[tuple[int, int, int]], Job]
"""Starts a process with these three streams."""


class _Own(Job):
    """A process of ours."""

    def __init__(self, start: Start, fds: tuple[int, int, int]) -> None:
        self._pid = pid = start_process(start.argv, start.cwd, start.env, fds)
        _running.add(pid)
        limit(pid, start.timeout_s)
        self.end = _end_of(pid)

    def kill(self) -> None:
        _kill(self._pid)

    def wait(self) -> int:
        _, status = os.waitpid(self._pid, 0)
        _running.discard(self._pid)
        return os.waitstatus_to_exitcode(status)

    def left(self) -> int:
        return _members(self._pid)

    def close(self) -> None:
        os.close(self.end)


def spawn_as(start: Start, begin: Begin) -> Ended:
    """Run what `begin` starts to its end, or to its timeout."""
    return _in_terminal(start, begin) if start.tty else _in_pipes(start, begin)


def _in_pipes(start: Start, begin: Begin) -> Ended:
    out, out_end = os.pipe2(os.O_CLOEXEC)
    err, err_end = os.pipe2(os.O_CLOEXEC)
    source = _source(start.stdin)
    began = time.perf_counter()
    try:
        job = begin((source, out_end, err_end))
    except OSError as error:
        os.close(out)
        os.close(err)
        return _not_started(start.argv[0], error)
    finally:
        os.close(out_end)
        os.close(err_end)
        os.close(source)
    return _collect(job, (out, err), began, start)


_running: set[int] = set()


def keep_alive(pid: int) -> None:
    """Count a process among those that `kill_all` ends."""
    _running.add(pid)


def forget(pid: int) -> None:
    """Count it no longer."""
    _running.discard(pid)


def kill_all() -> None:
    """Kill every process that is being waited for here."""
    for pid in tuple(_running):
        _kill(pid)


def limit(pid: int, timeout_s: float) -> None:
    """Set the limits of a process that has just begun; one that has gone needs none."""
    seconds = int(timeout_s) + 2
    for kind, value in (*LIMITS, (resource.RLIMIT_CPU, seconds)):
        try:
            resource.prlimit(pid, kind, (value, value))
        except (OSError, ValueError):
            continue


def _source(stdin: bytes | None) -> int:
    """Return a descriptor to read `stdin` from."""
    if not stdin:
        return os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    if len(stdin) <= _PIPE:
        source, end = os.pipe2(os.O_CLOEXEC)
        os.write(end, stdin)
        os.close(end)
        return source
    source = os.memfd_create("in", os.MFD_CLOEXEC)
    view = memoryview(stdin)
    while view:
        view = view[os.write(source, view) :]
    os.lseek(source, 0, os.SEEK_SET)
    return source


def _not_started(program: str, error: OSError) -> Ended:
    code = 127 if error.errno == errno.ENOENT else 126
    said = f"{os.path.basename(program)}: {os.strerror(error.errno or 0)}\n".encode()
    return Ended(code, None, False, b"", said, 0.0, 0)


class _Pipes:
    """The streams of a process, read as they come."""

    def __init__(self, pipes: tuple[int, int], end: int) -> None:
        self.read = {pipe: bytearray() for pipe in pipes}
        self._open = set(pipes)
        self._left = MOST_OUTPUT
        self._end = end
        self._poll = select.poll()
        self._poll.register(end, select.POLLIN)

    def until(self, deadline: float) -> str:
        """Read until the process ends, and return why no more was read.

        `ended`, `late` or `flooded`.
        """
        # NOTE: most steps write less than a pipe holds and end soon; to be woken for
        # each line of theirs would cost as much as all else that is done here.
        wait = deadline - time.perf_counter()
        if wait > 0 and self._poll.poll(min(wait * 1000, _SOON_MS)):
            return "ended"
        for pipe in self._open:
            self._poll.register(pipe, select.POLLIN)
        while (wait := deadline - time.perf_counter()) > 0:
            events = dict(self._poll.poll(wait * 1000))
            ended = events.pop(self._end, 0)
            self._take(events)
            if self._left < 0:
                return "flooded"
            if ended:
                return "ended"
        return "late"

    def rest(self, patience_s: float) -> bool:
        """Read what is in the pipes by now; who still holds their other ends is not waited for.

        Returns whether it was more than may be kept.
        """
        poll = self._poll = select.poll()
        for pipe in self._open:
            poll.register(pipe, select.POLLIN)
        while self._open and self._left >= 0 and (events := poll.poll(patience_s * 1000)):
            self._take(dict(events))
        return self._left < 0

    def _take(self, events: dict[int, int]) -> None:
        for pipe, event in events.items():
            data = os.read(pipe, _AT_ONCE) if event & select.POLLIN else b""
            # NOTE: what is kept of a flood ends at the limit, so that two floods are alike.
            self.read[pipe] += data[: max(0, self._left)]
            self._left -= len(data)
            # NOTE: with nobody to write any more, what was there has been read.
            if event & select.POLLHUP and len(data) < _AT_ONCE:
                self._poll.unregister(pipe)
                self._open.discard(pipe)


def _collect(job: Job, pipes: tuple[int, int], began: float, start: Start) -> Ended:
    """Read both streams until the process ends; kill what is left of it then."""
    streams = _Pipes(pipes, job.end)
    try:
        why = streams.until(began + start.timeout_s)
        if why != "ended":
            job.kill()
        code = job.wait()
        seconds = time.perf_counter() - began
        leftover = job.left()
        if why != "flooded" and streams.rest(1.0 if start.tty else 0.0) and why == "ended":
            why = "flooded"
    finally:
        job.close()
        for one in pipes:
            os.close(one)
    out, err = (bytes(streams.read.pop(pipe)) for pipe in pipes)
    kept, name = _code_of(code, why)
    return Ended(kept, name, why == "late", out, err, seconds, leftover)


def _code_of(returncode: int, why: str) -> tuple[int | None, str | None]:
    if why == "late":
        return None, None
    if why == "flooded":
        return None, "SIGXFSZ"
    return (returncode, None) if returncode >= 0 else (None, _signal_name(-returncode))


def _end_of(pid: int) -> int:
    """Return a descriptor that becomes readable when the process ends."""
    try:
        return os.pidfd_open(pid)
    except OSError:  # pragma: other platform - a kernel without process descriptors
        reader, writer = os.pipe2(os.O_CLOEXEC)

        def wait() -> None:
            with contextlib.suppress(OSError):
                os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
            os.close(writer)

        threading.Thread(target=wait, daemon=True).start()
        return reader


def _kill(group: int) -> None:
    """Kill a process group, if anything of it is there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _members(group: int) -> int:
    """Kill what is left of a process group; return how many of it still ran."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return 0
    # NOTE: one that has ended and was not yet asked for its end is there, but does not run.
    count = 0
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError, IndexError, ValueError):
                with open(f"/proc/{name}/stat", "rb") as file:
                    state, _, member = file.read().rpartition(b") ")[2].split()[:3]
                count += int(member) == group and state not in b"ZX"
    _kill(group)
    return count


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def _in_terminal(start: Start, begin: Begin) -> Ended:
    """Run with a terminal for all three streams; what comes out of it is stdout."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, _WINDOW)
    mode = termios.tcgetattr(slave)
    mode[1] &= ~termios.OPOST
    mode[3] &= ~termios.ECHO
    termios.tcsetattr(slave, termios.TCSANOW, mode)
    if start.stdin:
        os.write(master, start.stdin[:_TYPED])
    os.write(master, b"\x04")
    began = time.perf_counter()
    out, err = os.pipe2(os.O_CLOEXEC)
    os.close(err)
    try:
        job = begin((slave, slave, slave))
    except OSError as error:
        os.close(master)
        os.close(out)
        return _not_started(start.argv[0], error)
    finally:
        os.close(slave)
    relay, end = os.pipe2(os.O_CLOEXEC)
    thread = threading.Thread(target=_relay, args=(master, end), daemon=True)
    thread.start()
    ended = _collect(job, (relay, out), began, start)
    thread.join(1.0)
    return ended


_TYPED = 4000
"""Bytes that a terminal holds as typed ahead."""


def _relay(master: int, end: int) -> None:
    """Copy what comes out of a terminal into a pipe, until its other side is closed."""
    with contextlib.suppress(OSError):
        while data := os.read(master, 1 << 16):
            os.write(end, data)
    os.close(end)
    os.close(master)
