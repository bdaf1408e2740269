"""The standing of tests, for people."""

from collections.abc import Sequence

from proctor.flakes.states import STATES, Standing

RUN_WORDS = {".": "passed", "F": "failed", "R": "passed on a retry", "s": "skipped"}
"""Mark of a timeline → what became of the run."""


def ordered(standings: Sequence[Standing], *, every: bool = False) -> list[Standing]:
    """Return the tests that ask for attention first; stable ones only with `every`."""
    shown = [one for one in standings if every or one.state not in ("stable", "unknown")]
    return sorted(shown, key=lambda one: (STATES.index(one.state), -one.rate, one.test))


def summary(standings: Sequence[Standing]) -> str:
    """Return how many tests are in each state, in a line."""
    counts = [(state, sum(one.state == state for one in standings)) for state in STATES]
    return ", ".join(f"{count} {state}" for state, count in counts if count) or "no test is known"


def as_text(standings: Sequence[Standing]) -> str:
    """Return a table for a terminal."""
    lines = []
    for one in standings:
        lines.append(
            f"{one.state:<8} {one.timeline:<10} {rate_of(one):>5} {interval_of(one):<9} {one.shown}"
        )
        lines.append(f"         {one.why}")
        if one.flips:
            flips = "; ".join(f"{run[:12]} {what}" for run, what in one.flips)
            lines.append(f"         last flips: {flips}")
        if one.evidence:
            runs = ", ".join(run[:12] for run in one.evidence)
            lines.append(f"         evidence: {runs}")
    return "".join(f"{line}\n" for line in lines)


def rate_of(one: Standing) -> str:
    """Return how many of the window's runs failed."""
    return f"{one.failures}/{one.runs}"


def interval_of(one: Standing) -> str:
    """Return between which rates the true one lies, in 95 cases of 100."""
    return f"{one.low:.0%}-{one.high:.0%}"
