"""Something else was run than the tests that are owed.

Proves that a command that was claimed to test, or ran where tests are owed, is no
test command. Does not prove that the tests would fail.

Likely cause: a linter, a build or a script was taken for the tests.

Next: run the owed command, or teach Proctor that this one runs tests with
`[classes.NAME]` in proctor.toml: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.evidence import Run, Seen
from proctor.gate.words import command, placed, shown

_TAKEN_FOR_TESTS = frozenset(("test", "lint", "build"))


def _check(case: Case) -> Iterator[Hit]:
    for run in case.evidence.runs:
        yield from _claimed(run)
    owed = case.policy.require
    if owed and case.decisions and all(d.deciding is d.narrower is None for d in case.decisions):
        instead = [
            seen
            for seen in case.evidence.every_seen()
            if seen.what is not None and seen.what.role in _TAKEN_FOR_TESTS
        ]
        if instead and not case.outside and not case.non_runs:
            first = owed[0]
            newest = max(instead, key=lambda seen: seen.span.started_at)
            yield Hit(
                message=f"{first.item.name!r} owes {placed(first.selection)}; "
                f"what was run is {shown(newest.span.argv)}",
                cure=command(first.selection.what.argv, first.selection.where),
                span=newest.span,
                requirement=first.item.name,
            )


def _claimed(run: Run) -> Iterator[Hit]:
    if any(_is_test(seen) for seen in run.seen):
        return
    for seen in run.seen:
        span = seen.span
        if span.claims == "tests" and span.parent_span_id is None and not span.denied_binary:
            yield Hit(
                message=f"{shown(span.argv)} was claimed to run tests and is no test command",
                cure="run the test runner itself: proctor run --claims tests -- pytest",
                span=span,
            )


def _is_test(seen: Seen) -> bool:
    if seen.what is not None and seen.what.role == "test":
        return True
    return any(run.what.role == "test" for run in seen.line or ())


RULE = Rule(level=Level.ERROR, check=_check, hides=("no-records",))
