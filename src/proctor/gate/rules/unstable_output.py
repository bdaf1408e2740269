"""The same command on the same files printed something else each time.

Proves by the digests of what was printed that runs of one command on one tree differ
in their output, or that a failing one does not. Does not prove that results differ:
times and seeds alone change a digest, and so nothing is said where reports show that
the same tests ran with the same results.

Likely cause: times, seeds, colours or an order in the output; or a flaky test.

Next: pin what varies in argv and run again: `proctor run -- pytest -p no:randomly`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import Attempt
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import shown
from proctor.records.span import Span

_FEWEST = 2
_PINS = {
    "cargo test": "-- --test-threads=1",
    "go test": "-shuffle=off -count=1",
    "jest": "--ci --no-color",
    "pytest": "-p no:randomly --color=no",
    "unittest": "--buffer",
    "vitest": "--sequence.shuffle=false",
}


def _check(case: Case) -> Iterator[Hit]:
    for decision, attempt in case.judged():
        alike = _alike(decision.same, attempt)
        told = _told([one.first.span for one in alike], attempt)
        if len(alike) >= _FEWEST and told is not None:
            yield Hit(
                message=f"{shown(attempt.first.span.argv)}: {told[0]}",
                cure=told[1],
                span=attempt.first.span,
                requirement=decision.item.name if decision.item else None,
            )


def _alike(same: tuple[Attempt, ...], deciding: Attempt) -> list[Attempt]:
    """Return the attempts with the same argv and code whose whole output was seen."""
    span = deciding.first.span
    return [
        one
        for one in same
        if one.first.span.argv == span.argv
        and one.first.span.exit_code == span.exit_code
        and one.first.span.stdout_sha256 is not None
    ]


def _told(spans: list[Span], attempt: Attempt) -> tuple[str, str] | None:
    """Return what several runs of one command say together, and what to do."""
    digests = {span.stdout_sha256 for span in spans}
    if attempt.first.span.exit_code:
        if len(digests) > 1:
            return None
        return (
            f"it failed {len(spans)} times with the same output: a failing test, not a flaky one",
            "mend the code, then run it again",
        )
    reports = {span.report and (span.report.ids_sha256, span.report.passed) for span in spans}
    if len(digests) == 1 or (len(reports) == 1 and None not in reports):
        return None
    pin = _PINS.get(attempt.first.what.command_class, "its seed, order and colours")
    return (
        f"{len(spans)} green runs on the same files printed {len(digests)} different outputs",
        f"pin what varies: {pin}",
    )


RULE = Rule(level=Level.NOTE, check=_check)
