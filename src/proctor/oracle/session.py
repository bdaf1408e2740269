"""One process for a whole sequence, fed a line for each step.

A step's answer is what the process wrote until it was quiet: an answer of one line
ends with that line, a longer one when nothing more has come for a moment. What comes
after the last step belongs to it.
"""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence

from proctor.oracle.spawn import MOST_OUTPUT, Ended, Start, limit

SILENT_S = 1.0
"""How long the first word of an answer is waited for, in seconds."""
QUIET_S = 0.05
"""How long a process says nothing before its answer is taken for whole, in seconds."""


def play_session(start: Start, lines: Sequence[bytes]) -> Iterator[Ended]:
    """Yield what a process answered to each line, and to the last also how it ended."""
    try:
        process = subprocess.Popen(
            start.argv,
            cwd=start.cwd,
            env=start.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
            bufsize=0,
        )
    except OSError as error:
        for _ in lines:
            yield Ended(127, None, False, b"", f"{error.strerror}\n".encode(), 0.0, 0)
        return
    limit(process.pid, start.timeout_s)
    deadline = time.monotonic() + start.timeout_s
    try:
        for number, line in enumerate(lines, 1):
            began = time.perf_counter()
            last = number == len(lines)
            with contextlib.suppress(OSError):
                _stdin(process).write(line)
                if last:
                    _stdin(process).close()
            out, err, timed_out = _answer(process, deadline, to_end=last)
            seconds = time.perf_counter() - began
            if not last:
                yield Ended(None, None, False, out, err, seconds, 0)
                continue
            code = _end(process, timed_out=timed_out)
            name = signal.Signals(-code).name if code < 0 and not timed_out else None
            yield Ended(code if code >= 0 else None, name, timed_out, out, err, seconds, 0)
    finally:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _stdin(process: "subprocess.Popen[bytes]") -> "subprocess.IO[bytes]":  # type: ignore[name-defined]
    assert process.stdin is not None  # noqa: S101 - asked for above
    return process.stdin


def _answer(
    process: "subprocess.Popen[bytes]", deadline: float, *, to_end: bool
) -> tuple[bytes, bytes, bool]:
    """Return what came on both streams, and whether the time ran out."""
    assert process.stdout is not None  # noqa: S101 - asked for above
    assert process.stderr is not None  # noqa: S101 - as above
    found = {process.stdout.fileno(): b"", process.stderr.fileno(): b""}
    poll = select.poll()
    for one in found:
        poll.register(one, select.POLLIN)
    left = len(found)
    said = False
    while left and sum(map(len, found.values())) < MOST_OUTPUT:
        wait = deadline - time.monotonic()
        if wait <= 0:
            return (*found.values(), True)  # type: ignore[return-value]
        patience = wait if to_end else min(wait, QUIET_S if said else SILENT_S)
        events = poll.poll(1000 * patience)
        if not events and not to_end:
            break
        for one, _ in events:
            data = os.read(one, 1 << 16)
            found[one] += data
            said = said or bool(data)
            if not data:
                poll.unregister(one)
                left -= 1
    out, err = found.values()
    return out, err, False


def _end(process: "subprocess.Popen[bytes]", *, timed_out: bool) -> int:
    if timed_out:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    try:
        return process.wait(2.0)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        return process.wait()
