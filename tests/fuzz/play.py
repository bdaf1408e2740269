"""Reads changed inputs one by one; each in bounded time and memory, refused in one line or read."""

import resource
import signal
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

from proctor.errors import Error, Fault
from tests.fuzz.mutate import mutated
from tests.fuzz.targets import Target

SECONDS = 8
"""Of processor time: the longest that one input of half a megabyte may take."""
PATIENCE = 60
"""Seconds by the clock, for what waits instead."""
MEBIBYTES = 384
"""By how much the process may grow over all inputs of a target."""


class TooSlowError(BaseException):
    """An input took longer than it may."""


@contextmanager
def bounded(seconds: int) -> Iterator[None]:
    """Raise where the block takes longer; in the main thread."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TooSlowError(f"longer than {seconds} s")

    timers = (
        (signal.SIGPROF, signal.ITIMER_PROF, seconds),
        (signal.SIGALRM, signal.ITIMER_REAL, PATIENCE),
    )
    before = [signal.signal(number, ring) for number, _, _ in timers]
    for _, timer, limit in timers:
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def wrong(target: Target, data: bytes, folder: Path) -> str | None:
    """Return in words what is wrong with how an input is read, none if nothing is."""
    path = folder / target.file
    path.write_bytes(data)
    try:
        with bounded(SECONDS):
            target.read(path, folder)
    except target.refuses as error:
        if isinstance(error, Fault):
            return f"a fault: {error}"
        return None if isinstance(error, Error | ValueError) else repr(error)
    except (Exception, TooSlowError):  # noqa: BLE001 - what is looked for
        return traceback.format_exc(limit=-4)
    return None


def play(target: Target, seed: int, times: int) -> Iterator[tuple[bytes, str]]:
    """Yield the inputs that were read wrongly, with what was wrong."""
    inputs = target.inputs()
    rng = Random(f"{target.name} {seed}")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(times):
        data = inputs[number] if number < len(inputs) else mutated(rng, inputs)
        with tempfile.TemporaryDirectory(prefix="proctor-fuzz-") as name:
            found = wrong(target, data, Path(name))
        if found is not None:
            yield data, found
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
    if grown > MEBIBYTES:
        yield b"", f"the process grew by {grown} MiB"
