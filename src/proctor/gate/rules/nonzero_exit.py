"""A test command returned another number than 0.

Proves that the operating system reported this number for the process that ran
the tests. Does not prove that the change under judgement caused it.

Likely cause: tests fail.

Next: mend the tests or the code, then run the same command again under `proctor run`.
"""

import shlex
from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import Attempt
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.ends import failed_by_number, masked_by
from proctor.gate.evidence import Evidence, Policy
from proctor.gate.explained import quarantined, unexplained
from proctor.gate.words import command, listed, rerun, shown, since

_NO_ORACLE = "no report of the oracle is green for these files"
_REPORT = "artifacts/oracle.json"
"""A name that makes no tree stale: the cure must not be a cause."""


def _check(case: Case) -> Iterator[Hit]:
    for decision, attempt in case.judged():
        where = "" if decision.fresh or not attempt.leaves else " (on earlier files, not run since)"
        for part in attempt.parts:
            if failed_by_number(attempt, part) and masked_by(part) is None:
                more, cure = _quarantined(case, attempt)
                yield Hit(
                    message=f"{shown(part.span.argv)} returned {part.span.exit_code}{where}{more}",
                    cure=cure or f"mend what fails, then: {rerun(attempt)}",
                    span=part.span,
                    requirement=decision.item.name if decision.item else None,
                    remark=attempt.explained,
                )


def _quarantined(case: Case, attempt: Attempt) -> tuple[str, str]:
    """Return what the quarantine says to a failure, and what is to be done about it."""
    quarantine = case.evidence.quarantine
    if quarantine is None:
        return "", ""
    tests = listed(quarantined(quarantine, attempt))
    if attempt.explained:
        own = "" if case.evidence.base is not None else f" ({quarantine.path} as it is here)"
        return f"; only quarantined tests failed: {tests}{own}", "mend them before their last day"
    why = next(unexplained(quarantine, attempt), "")
    if not why:
        return f"; only quarantined tests failed ({tests}), but {_NO_ORACLE}", _check_again(case)
    return f"; the quarantine does not explain it: {why}", ""


def _check_again(case: Case) -> str:
    """Return the commands that make a report of the oracle, and judge with it."""
    quarantine, base = case.evidence.quarantine, since(case.evidence.base)
    path = quarantine.path if quarantine is not None else ""
    return (
        f"proctor oracle check {base} --format json --output {_REPORT} && "
        f"proctor gate {base} {shlex.join(('--quarantine', path))} --oracle {_REPORT}"
    )


def _every(evidence: Evidence, policy: Policy) -> Iterator[Hit]:
    del policy
    for seen in evidence.every_seen():
        span = seen.span
        if span.exit_code and not span.signal and not span.timed_out:
            yield Hit(
                message=f"{shown(span.argv)} returned {span.exit_code}",
                cure=command(span.argv),
                span=span,
            )


RULE = Rule(level=Level.ERROR, check=_check, every=_every)
