"""Starts the recorder as a process of its own, for programs that have children.

A tracer takes every child of its process, so a library records in a helper process
and reads what that says of its root.
"""

import asyncio
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from proctor.errors import RecorderError
from proctor.recorder import proc
from proctor.recorder.signals import send_all
from proctor.records.span import Span

GRACE = 1.0
"""Seconds between SIGTERM and SIGKILL for what was called off."""
LAST_GRACE = 5.0
"""Seconds that the recorder then has to write its record."""
_START = "from proctor.cli.main import main; main()"
_KILL = 9
_PATIENCE = 50
"""How often an outer recorder's log is looked at for what it has just seen end."""


class RecorderCall:
    """The words of one recorded command, and where the recorder tells its span.

    `options` are those of `proctor run`, `_` for `-`; a null one is not given.

    Raises:
        ValueError: argv is empty.
    """

    def __init__(self, argv: Sequence[str | os.PathLike[str]], options: Mapping[str, Any]) -> None:
        self.argv = [os.fspath(word) for word in argv]
        if not self.argv or not self.argv[0]:
            raise ValueError("argv is empty")
        self.told = os.memfd_create("proctor-span", 0)
        start = [sys.executable, "-I", "-c", _START, "run", "--span-fd", str(self.told)]
        self.words = [*start, *_option_words(options), "--", *self.argv]

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        os.close(self.told)

    def span(self) -> Span | None:
        """Return the root's span; none where the recorder left none."""
        line = os.pread(self.told, os.fstat(self.told).st_size, 0)
        return msgspec.json.decode(line, type=Span) if line else None


async def call_off(process: asyncio.subprocess.Process) -> None:
    """End a recorded command and all that it started; the recorder writes its record.

    The recorder hands SIGTERM on to the command; what is left a second later is killed.
    """
    known = _living_below(process.pid)
    if process.returncode is None:
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), GRACE)
    except TimeoutError:
        known |= _living_below(process.pid)
    send_all([pid for pid, began in known.items() if began and proc.start_of(pid) == began], _KILL)
    try:
        await asyncio.wait_for(process.wait(), LAST_GRACE)
    except TimeoutError:
        process.kill()
        await process.wait()


def _living_below(pid: int) -> dict[int, int | None]:
    return {one: proc.start_of(one) for one in proc.descendants_of(pid)}


def size_of(log: str) -> int:
    """Return how long a log is now, 0 where there is none."""
    try:
        return os.stat(log).st_size
    except OSError:
        return 0


async def written_since(log: str, size: int, root: Span | None, pid: int) -> list[Span]:
    """Return a command's root span and those below it, from what the log has grown by.

    Where an outer recorder took over, the root is the process `pid`, and its span may
    still be on its way.

    Raises:
        RecorderError: nothing was recorded.
    """
    for _ in range(_PATIENCE):
        spans = list(_grown(log, size))
        own = root or next((one for one in reversed(spans) if one.pid == pid), None)
        if own is not None:
            return [own, *_below(own, spans)]
        await asyncio.sleep(0.02)
    raise RecorderError("the recorder ended without a record")


def _grown(log: str, size: int) -> Iterator[Span]:
    try:
        with open(log, "rb") as file:
            # NOTE: a log that is shorter now was rotated: all of it is new.
            file.seek(size if size <= os.fstat(file.fileno()).st_size else 0)
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=Span)
        except msgspec.DecodeError:
            continue


def _below(root: Span, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans of a command below its root, and the earlier images of the root."""
    children: dict[str, list[Span]] = {}
    parents = {span.span_id: span.parent_span_id for span in spans}
    for span in spans:
        children.setdefault(span.parent_span_id or "", []).append(span)
    top = root.span_id
    while (above := parents.get(top)) and any(
        one.span_id == above and one.pid == root.pid for one in spans
    ):
        top = above
    waiting = [top]
    while waiting:
        for span in children.pop(waiting.pop(), []):
            if span.span_id != root.span_id:
                yield span
            waiting.append(span.span_id)


def _option_words(options: Mapping[str, Any]) -> list[str]:
    return [
        f"--{name.replace('_', '-')}={os.fspath(value) if name == 'log' else value}"
        for name, value in options.items()
        if value is not None
    ]
