"""The same tests failed and then passed, and no file that can change them differs.

Proves that the last of several attempts was green and an earlier one was not,
without a change between them. Does not say which of them told the truth. Where the runner
itself tries failing tests again, that is a note: it is the project's own setting.

Likely cause: a flaky test, run until it passed.

Next: find out how often it fails: `proctor run -- pytest` several times, and mend it.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import Attempt, State
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case, Decision
from proctor.gate.words import listed, shown

_PYTEST_FAILED = 1
"""pytest's exit code where tests failed; 2 to 5 say that it could not test."""


def _check(case: Case) -> Iterator[Hit]:
    for decision, attempt in case.judged():
        yield from _by_the_runner(case, decision, attempt)
        if attempt.state is not State.GREEN:
            continue
        yield from _told(case, decision, attempt)
        red = sum(
            earlier.times_before(attempt.started)
            for earlier in decision.earlier_red
            if _is_same(earlier, attempt)
        )
        if red:
            yield _hit(decision, attempt, _files(case, decision, attempt), decision.attempts, red)


def _hit(decision: Decision, attempt: Attempt, where: str, attempts: int, red: int) -> Hit:
    return Hit(
        message=f"{shown(attempt.first.span.argv)} passed after it had failed on {where}; "
        f"attempts on this tree: {attempts}, red {red}",
        cure="mend the flaky test; a change of the files starts a new count",
        span=attempt.first.span,
        requirement=decision.item.name if decision.item else None,
    )


def _told(case: Case, decision: Decision, attempt: Attempt) -> Iterator[Hit]:
    """Yield what a signed receipt tells of runs before its own, whose records are elsewhere."""
    for one in case.evidence.receipts:
        if one.red and one.run_id == attempt.first.span.run_id:
            where = f"the same files, as {one.path} tells"
            yield _hit(decision, attempt, where, one.attempts, one.red)


def _by_the_runner(case: Case, decision: Decision, attempt: Attempt) -> Iterator[Hit]:
    """Say which tests passed only because the runner itself tried them again."""
    for part in attempt.leaves:
        tests = case.evidence.tests.get(part.span.span_id)
        if tests is not None and tests.retried:
            yield Hit(
                message=f"{shown(part.span.argv)} tried again what failed, until it passed: "
                f"{listed(tests.retried)}",
                cure="see how often each fails: proctor flakes run -n 10 -- the same command",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
                remark=True,
            )


def _files(case: Case, decision: Decision, green: Attempt) -> str:
    """Return what the files were that both ran on, in words."""
    paths = decision.item.paths if decision.item else ()
    red = [one for one in decision.earlier_red if _is_same(one, green)]
    others = sorted({path for one in red for path in case.freshness.of_attempt(one, paths).stale})
    return f"the same files, {listed(others)} aside" if others else "the same files"


def _is_same(red: Attempt, green: Attempt) -> bool:
    """Return whether both executed the same tests, as far as reports tell."""
    if not red.leaves:
        return False
    for part in red.leaves:
        code = part.span.exit_code
        if part.what.command_class == "pytest" and code not in (0, _PYTEST_FAILED, None):
            return False
    ids = _ids(red), _ids(green)
    if None in ids:
        return red.key() == green.key()
    return ids[0] == ids[1]


def _ids(attempt: Attempt) -> tuple[str, ...] | None:
    reports = [part.span.report for part in attempt.leaves]
    if any(report is None for report in reports):
        return None
    return tuple(sorted(report.ids_sha256 for report in reports if report))


RULE = Rule(level=Level.UNPROVEN, check=_check, approvable=True)
