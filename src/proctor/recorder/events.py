"""Waits for what happens next below the root, and writes what has ended meanwhile.

What a tracer does at an event takes less than the two switches that bring it to the
event and back. So it looks a few times before it sleeps, as long as nobody else wants
its processor; and of what can wait, the parent that stands still comes first.
"""

import os
import time
from resource import RUSAGE_SELF, getrusage

from proctor.recorder import ptrace

LOOKS = 300
"""How often to look before writing, and sleeping: about as many microseconds."""
MOST_ENDED = 8
"""Ended images that may wait to be written while something else asks to go on."""
LONGEST_NS = 1_000_000
"""How long the first of them may wait."""
SLOW_NS = 5_000_000
"""A log that takes longer is written while nobody runs: an end meanwhile is seen late."""
_MOST_REST = 256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from resource import struct_rusage
    from typing import Protocol

    from proctor.recorder.image import Image

    Event = tuple[int, int, struct_rusage | None]

    class Observer(Protocol):
        """What the tracer tells."""

        def started(self, image: Image) -> bool:
            """An image is at its first instruction; true: hold it, a helper works."""

        def running(self, image: Image) -> None:
            """A kept image runs: time for what can be read until it is reaped."""

        def leaving(self, image: Image) -> bool:
            """A held leaf is about to exit; true: hold it, a helper works."""

        def ended(self, image: Image) -> None:
            """A kept image has ended and nobody works on it any more."""

        def helper_done(self, pid: int) -> "tuple[int, Image] | None":
            """A child of the recorder ended: the process it worked for, and its image."""

        def not_started(self, image: Image, pid: int, code: int) -> None:
            """A child of a shell ended with 126 or 127 and never was an image."""


class Events:
    """The events of a tree. `write` takes an image that has ended, and may be slow."""

    __slots__ = ("_ended", "_is_slow", "_looks", "_preempted", "_rest", "_resting", "_write")

    def __init__(self, write: "Callable[[Image], None]", *, is_slow: bool = False) -> None:
        self._write = write
        self._is_slow = is_slow
        self._ended: list[Image] = []
        self._looks = LOOKS if len(os.sched_getaffinity(0)) > 1 else 0
        self._preempted = 0
        self._rest = 1
        """Events to sleep through, where looking took somebody's processor."""
        self._resting = 0

    def next(self, flags: int) -> "Event":
        """Return tid, status and the resources used; tid 0: nothing yet, -1: nobody."""
        ended = self._ended
        if ended and (len(ended) >= MOST_ENDED or time.monotonic_ns() - ended[0].end > LONGEST_NS):
            self.write_ended()
        event = self._look(flags)
        if event[0] == 0:
            self.write_ended()
            if flags == 0:
                event = ptrace.next_event(0)
        return event

    def end(self, image: "Image") -> None:
        """Have an image written that has ended: at once where it may be evidence."""
        if image.classification is None and not self._is_slow:
            self._ended.append(image)
        else:
            self._write(image)

    def write_ended(self) -> None:
        """Write what has ended and was not written yet."""
        for image in self.take_ended():
            began = time.monotonic_ns()
            self._write(image)
            self._is_slow = self._is_slow or time.monotonic_ns() - began > SLOW_NS

    def take_ended(self) -> "list[Image]":
        """Return what has ended and was not written yet, for somebody else to write."""
        ended, self._ended = self._ended, []
        return ended

    def _look(self, flags: int) -> "Event":
        """Return what happens soon; tid 0: nothing did."""
        event = ptrace.next_event(os.WNOHANG)
        if event[0] or flags or not self._looks:
            return event
        if self._resting:
            self._resting -= 1
            return event
        if self._is_wanted():
            return event
        for _ in range(self._looks):
            # NOTE: nothing here may fail once there is an event: it comes but once.
            event = ptrace.next_event(os.WNOHANG)
            if event[0]:
                break
        return event

    def _is_wanted(self) -> bool:
        """Return whether somebody wanted our processor of late, maybe whom we wait for."""
        before, self._preempted = self._preempted, getrusage(RUSAGE_SELF).ru_nivcsw
        if before == self._preempted:
            self._rest = 1
            return False
        self._resting = self._rest
        self._rest = min(2 * self._rest, _MOST_REST)
        return True
