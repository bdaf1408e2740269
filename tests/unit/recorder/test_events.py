"""How a tracer waits, and when what has ended is written."""

import os
import time

import pytest

from proctor.classify.classify import classify_argv
from proctor.recorder import ptrace
from proctor.recorder.events import LONGEST_NS, LOOKS, MOST_ENDED, SLOW_NS, Events
from proctor.recorder.image import Image

NOTHING = (0, 0, None)
SOMETHING = (7, 0, None)


class Kernel:
    """Answers as `wait4` would; asked to sleep, it always has an event."""

    def __init__(self) -> None:
        self.soon: list[tuple[int, int, None]] = []
        self.looks = 0
        self.sleeps = 0

    def next_event(self, flags: int) -> tuple[int, int, None]:
        if flags == 0:
            self.sleeps += 1
            return SOMETHING
        self.looks += 1
        return self.soon.pop(0) if self.soon else NOTHING


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel()
    monkeypatch.setattr(ptrace, "next_event", kernel.next_event)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr("proctor.recorder.events.getrusage", lambda _: Usage())
    return kernel


class Usage:
    """What the kernel says of a process that nobody has put aside."""

    ru_nivcsw = 0


def ended() -> Image:
    """Return an image that has just ended."""
    image = Image(1, ["true"], None)
    image.stop_clock()
    return image


def test_what_may_be_evidence_is_written_before_anybody_goes_on(kernel: Kernel) -> None:
    written: list[Image] = []
    image = ended()
    image.classification = classify_argv(["pytest"], peel=False)
    Events(written.append).end(image)
    assert written == [image]
    assert kernel.looks == 0


def test_another_image_is_written_once_nobody_waits(kernel: Kernel) -> None:
    written: list[Image] = []
    events = Events(written.append)
    image = ended()
    events.end(image)
    kernel.soon = [SOMETHING]
    assert events.next(0) == SOMETHING
    assert written == []
    events.next(0)
    assert written == [image]
    assert kernel.sleeps == 1


def test_where_the_log_is_slow_nobody_runs_while_it_is_written(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Image] = []
    Events(written.append, is_slow=True).end(ended())
    assert len(written) == 1
    clock = iter(range(0, 10**12, SLOW_NS + 1))
    monkeypatch.setattr("proctor.recorder.events.time.monotonic_ns", lambda: next(clock))
    events = Events(written.append)
    events.end(image := Image(1, ["true"], None))
    events.write_ended()
    events.end(image)
    assert len(written) == 3
    assert kernel.looks == 0


def test_no_more_than_a_few_images_wait_to_be_written(kernel: Kernel) -> None:
    written: list[Image] = []
    events = Events(written.append)
    for _ in range(MOST_ENDED):
        kernel.soon.append(SOMETHING)
        events.end(ended())
    events.next(0)
    assert len(written) == MOST_ENDED


def test_no_image_waits_long_to_be_written(kernel: Kernel) -> None:
    written: list[Image] = []
    events = Events(written.append)
    image = ended()
    image.end = time.monotonic_ns() - 2 * LONGEST_NS
    events.end(image)
    kernel.soon = [SOMETHING]
    events.next(0)
    assert written == [image]


def test_a_tracer_looks_a_while_before_it_sleeps(kernel: Kernel) -> None:
    Events(lambda _: None).next(0)
    assert (kernel.looks, kernel.sleeps) == (LOOKS + 1, 1)


class Contended:
    """What the kernel says of a process that is put aside again and again."""

    def __init__(self) -> None:
        self.asked = 0
        self.grows = True

    @property
    def ru_nivcsw(self) -> int:
        self.asked += 1
        return self.asked if self.grows else 0


def test_a_tracer_that_others_put_aside_sleeps_at_once_and_asks_less_and_less(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = Contended()
    monkeypatch.setattr("proctor.recorder.events.getrusage", lambda _: usage)
    events = Events(lambda _: None)
    asked = []
    for _ in range(12):
        before = usage.asked
        events.next(0)
        asked.append(usage.asked > before)
    assert asked == [True, False, True, False, False, True, *[False] * 4, True, False]
    assert kernel.looks == 12
    usage.grows = False
    for _ in range(40):
        events.next(0)
    assert kernel.looks > 12 + 40 + LOOKS


def test_on_one_processor_a_tracer_never_looks_twice(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    Events(lambda _: None).next(0)
    assert (kernel.looks, kernel.sleeps) == (1, 1)


def test_a_look_that_may_not_wait_is_one_look(kernel: Kernel) -> None:
    written: list[Image] = []
    events = Events(written.append)
    image = ended()
    events.end(image)
    assert events.next(os.WNOHANG) == NOTHING
    assert written == [image]
    assert (kernel.looks, kernel.sleeps) == (1, 0)
