"""The only test command asks for no test to be judged.

Proves that argv lists, prints or rewrites instead of testing. Does not prove that
the tests would fail.

Likely cause: an option such as `--collect-only`, `--version`, `-n` of make, or
one that rewrites the expectations.

Next: run the same command without that option: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import Attempt, Part, not_a_run
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.cures import not_testing, without
from proctor.gate.words import command, shown


def _check(case: Case) -> Iterator[Hit]:
    for attempt in case.non_runs:
        part = _telling(attempt)
        option = not_a_run(part.what) or ""
        if part.what.not_a_run:
            why = f"runs no test: {option}"
        else:
            why = f"rewrites what the tests expect: {option}"
        yield Hit(
            message=f"{shown(part.span.argv)} {why}",
            cure=command(without(part.what, not_testing), part.selection.where),
            span=part.span,
        )


def _telling(attempt: Attempt) -> Part:
    return next(part for part in attempt.parts if not_a_run(part.what))


RULE = Rule(
    level=Level.ERROR,
    check=_check,
    hides=("no-tests-ran", "below-floor", "no-records"),
)
