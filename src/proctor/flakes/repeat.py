"""Runs a suite again and again, and stops when more runs can change nothing."""

from collections.abc import Callable, Iterator, Sequence

from proctor.config import FlakesTable
from proctor.flakes.history import Ran, RunFacts
from proctor.flakes.reports import Attempts
from proctor.flakes.states import standing_of

Made = tuple[RunFacts, Sequence[Attempts]]


def repeat(
    make: Callable[[int], Made], times: int, rule: FlakesTable
) -> Iterator[tuple[int, Made, int]]:
    """Yield each run's number, what it came to, and how many tests are undecided.

    A test is decided if no outcome of the runs that are left could make another state of
    it. `make` makes one run.
    """
    seen: dict[str, tuple[str, list[Ran]]] = {}
    for number in range(1, times + 1):
        facts, tests = make(number)
        for test in tests:
            ran = Ran(run=facts, outcomes=test.outcomes, fingerprints=test.fingerprints)
            seen.setdefault(test.test, (test.shown, []))[1].append(ran)
        left = times - number
        undecided = sum(
            _may_change(name, shown, runs, left, rule) for name, (shown, runs) in seen.items()
        )
        yield number, (facts, tests), undecided
        if seen and not undecided:
            return


def _may_change(name: str, shown: str, runs: list[Ran], left: int, rule: FlakesTable) -> bool:
    """Return whether the runs that are left could change a test's state for good.

    They could if all of them failing, or all of them passing, would. A flaky test stays
    one. A failure alone makes a stable test a suspect one: that is worth no run more.
    """
    now = standing_of(name, shown, runs, rule).state
    if not left or now == "flaky":
        return False
    last = runs[-1].run
    ends = {
        standing_of(name, shown, [*runs, *[Ran(run=last, outcomes=(one,))] * left], rule).state
        for one in ("failed", "passed")
    }
    return ends != {now} and bool((ends | {now}) & {"flaky", "broken"})
