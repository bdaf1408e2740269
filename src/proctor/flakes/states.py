"""What state a test is in, by its runs.

*stable*: no failure in the window. *suspect*: it failed, and nothing more is known.
*flaky*: a failure and a pass of the same test on the same tree, command and toolchain
(or a retry that passed), and enough failures in the window. *broken*: no pass since its
failures began; it outranks flaky and is never quarantined. *unknown*: too few runs.

A run without a tree is no evidence of a flake. Nor is a run in which a large share of the
suite fails: then it is the machine. The literal rule asks for failures in the window and
for nothing else; it exists to be named.
"""

import math
from collections.abc import Iterable, Iterator, Sequence, Set

import msgspec

from proctor.config import FlakesTable
from proctor.flakes.history import Ran, RunFacts

STATES = ("broken", "flaky", "suspect", "unknown", "stable")
"""The one that asks most for attention first."""
FEWEST = 3
"""Runs without a failure from which on a test is stable."""
_GUARDED = 5
"""Failures from which on the share of a run that fails is looked at."""
_CHANCE = 0.01
"""A streak of failures less likely than this, by the test's own rate, is no flake."""
_Z = 1.96
"""Of an interval that holds the true rate in 95 cases of 100."""
_FLIPS = 5
"""Flips that are named."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one test."""

    test: str
    shown: str
    state: str
    runs: int
    """In the window."""
    failures: int
    """Runs of the window in which an attempt failed."""
    rate: float
    low: float
    high: float
    """The rate's Wilson interval, 95 per cent."""
    timeline: str
    """The window, oldest first: `.` passed, `F` failed, `R` passed on a retry, `s` skipped."""
    flips: tuple[tuple[str, str], ...] = ()
    """The last changes, as run id and `passed → failed`."""
    evidence: tuple[str, ...] = ()
    """Ids of the runs that show a failure and a pass on the same files."""
    fingerprints: tuple[str, ...] = ()
    """Of the failures in the window."""
    last_failure: str = ""
    """Start of the run in which it last failed."""
    message: str = ""
    why: str = ""
    """Why this state, in a sentence."""


def standings(
    tests: Iterable[tuple[str, str, list[Ran]]],
    rule: FlakesTable,
    trees: Set[str] | None = None,
) -> Iterator[Standing]:
    """Yield the standing of each test.

    `trees`, if given, are those that do not contain the patch under judgement: only
    runs on them are evidence of a flake.
    """
    for name, shown, runs in tests:
        yield standing_of(name, shown, runs, rule, trees)


def standing_of(
    name: str,
    shown: str,
    runs: Sequence[Ran],
    rule: FlakesTable,
    trees: Set[str] | None = None,
) -> Standing:
    """Return the standing of one test; `runs` are its own, oldest first."""
    counted = [ran for ran in runs if not is_infrastructure(ran.run, rule)]
    executed = [ran for ran in counted if ran.failed or ran.passed]
    window = executed[-rule.window :]
    failures = sum(ran.failed for ran in window)
    evidence = _evidence(executed, trees)
    state, why = _state(executed, window, evidence, rule, trees)
    low, high = wilson(failures, len(window))
    red = [ran for ran in window if ran.failed]
    return Standing(
        test=name,
        shown=shown,
        state=state,
        runs=len(window),
        failures=failures,
        rate=failures / len(window) if window else 0.0,
        low=low,
        high=high,
        timeline="".join(_mark(ran) for ran in counted[-rule.window :]),
        flips=tuple(_flips(executed))[-_FLIPS:],
        evidence=evidence,
        fingerprints=tuple(dict.fromkeys(f for ran in red for f in ran.fingerprints)),
        last_failure=red[-1].run.started if red else "",
        message=red[-1].message if red else "",
        why=why,
    )


def wilson(failures: int, runs: int) -> tuple[float, float]:
    """Return the interval that holds the true failure rate in 95 cases of 100."""
    if not runs:
        return 0.0, 1.0
    rate, z2 = failures / runs, _Z * _Z
    middle = (rate + z2 / (2 * runs)) / (1 + z2 / runs)
    half = _Z * math.sqrt(rate * (1 - rate) / runs + z2 / (4 * runs * runs)) / (1 + z2 / runs)
    return max(0.0, min(middle - half, rate)), min(1.0, max(middle + half, rate))


def is_infrastructure(run: RunFacts, rule: FlakesTable) -> bool:
    """Return whether so much of a run failed that it says nothing of single tests."""
    return run.failed >= _GUARDED and run.failed > rule.infra * run.tests


def _state(
    executed: Sequence[Ran],
    window: Sequence[Ran],
    evidence: Sequence[str],
    rule: FlakesTable,
    trees: Set[str] | None,
) -> tuple[str, str]:
    failures = sum(ran.failed for ran in window)
    if not failures:
        return _green(window)
    share = f"{failures} of {len(window)} failed"
    enough = failures >= rule.threshold
    if rule.rule == "literal":
        return ("flaky" if enough else "suspect"), f"{share} (the literal rule)"
    broken = _broken(executed, window, rule)
    if broken:
        return "broken", broken
    if evidence and enough:
        return "flaky", f"{share}, with passes on the same files"
    if _is_regression(executed, trees):
        return "suspect", f"{share}, none on files without the patch: a regression"
    short = f"{rule.threshold} are asked for" if evidence else "never beside a pass on one tree"
    return "suspect", f"{share}; {short}"


def _is_regression(executed: Sequence[Ran], trees: Set[str] | None) -> bool:
    """Return whether a test was stable on the trees without the patch."""
    if trees is None:
        return False
    before = [ran for ran in executed if ran.run.tree in trees]
    return len(before) >= FEWEST and not any(ran.failed for ran in before)


def _green(window: Sequence[Ran]) -> tuple[str, str]:
    if len(window) < FEWEST:
        return "unknown", f"{len(window)} runs"
    return "stable", f"no failure in {len(window)} runs"


def _broken(executed: Sequence[Ran], window: Sequence[Ran], rule: FlakesTable) -> str:
    """Return why a test is broken, '' if it is not.

    1. No pass since the first failure of the window, and as many failures as make a
       flake elsewhere. 2. It did pass since, but has now failed so often in a row that
       by its own rate before that is not chance.
    """
    streak = 0
    for ran in reversed(executed):
        if not ran.failed or ran.passed:
            break
        streak += 1
    if streak < rule.threshold:
        return ""
    first = next(n for n, ran in enumerate(window) if ran.failed)
    if streak >= len(window) - first:
        return f"{streak} failures and no pass since the first"
    before = executed[: len(executed) - streak][-rule.window * 3 :]
    # One failure more than was seen: the rate of a test that failed once is not known well.
    rate = (sum(ran.failed for ran in before) + 1) / (len(before) + 2)
    if rate**streak < _CHANCE:
        return f"{streak} failures in a row, though before {rate:.0%} of its runs failed"
    return ""


def _evidence(executed: Sequence[Ran], trees: Set[str] | None) -> tuple[str, ...]:
    """Return the runs that show a failure and a pass on one tree, command and toolchain."""
    groups: dict[tuple[str, str, str], list[Ran]] = {}
    for ran in executed:
        run = ran.run
        if run.tree is not None and (trees is None or run.tree in trees):
            groups.setdefault((run.tree, run.command, run.toolchain), []).append(ran)
    found: dict[str, None] = {}
    for group in groups.values():
        red = [ran for ran in group if ran.failed]
        green = [ran for ran in group if ran.passed]
        if red and green:
            # Of the passes the last will do: that it passed at all is what matters.
            found |= {ran.run.run_id: None for ran in (*red, green[-1])}
    return tuple(found)


def _flips(executed: Sequence[Ran]) -> Iterator[tuple[str, str]]:
    last = None
    for ran in executed:
        word = "passed on a retry" if ran.failed and ran.passed else _word(ran)
        if last is not None and word != last:
            yield ran.run.run_id, f"{last} → {word}"
        last = word


def _word(ran: Ran) -> str:
    return "failed" if ran.failed else "passed"


def _mark(ran: Ran) -> str:
    if ran.failed:
        return "R" if ran.passed else "F"
    return "." if ran.passed else "s"
