"""The tests are not known to have run on the files that are here now.

Proves that the content of the named files differs from what the tests ran on. Does
not prove that the difference matters to a test. A report of the oracle is held to the
same: it counts for the files, the base and the rules that it names.

Likely cause: files were edited, added or deleted after the run.

Next: run the tests again on the files as they are: `proctor run -- pytest`.
"""

import shlex
from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import Attempt, State
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case, Decision
from proctor.gate.words import listed, rerun, shown, since


def _check(case: Case) -> Iterator[Hit]:
    for decision, attempt in case.judged():
        if attempt.state is State.RED or not attempt.leaves:
            continue
        found = decision.differences
        if not found.known:
            yield _unknown(case, decision, attempt)
        elif found.stale:
            yield _stale(decision, attempt)
        elif found.scratch:
            yield Hit(
                message=f"{listed(found.scratch)}: not in the commit that was tested; "
                "cannot change tests",
                span=attempt.first.span,
                paths=found.scratch,
                level=Level.NOTE,
                requirement=decision.item.name if decision.item else None,
            )
    yield from _oracle(case)


def _oracle(case: Case) -> Iterator[Hit]:
    for report in case.evidence.oracle:
        if report.stale:
            yield Hit(
                message=f"{report.path} is of another state: {'; '.join(report.stale)}",
                cure=f"proctor oracle check {since(case.evidence.base)} --format json --output "
                f"{shlex.quote(report.path)}",
            )


def _stale(decision: Decision, attempt: Attempt) -> Hit:
    found = decision.differences.stale
    verb = "is" if len(found) == 1 else "are"
    return Hit(
        message=f"{listed(found)} {verb} not what {shown(attempt.first.span.argv)} ran on",
        cure=rerun(attempt),
        span=attempt.first.span,
        paths=found,
        requirement=decision.item.name if decision.item else None,
    )


def _unknown(case: Case, decision: Decision, attempt: Attempt) -> Hit:
    command = shown(attempt.first.span.argv)
    if case.evidence.tree is None:
        message = f"there is no git repository here: nothing shows which files {command} ran on"
        cure = "git init && git add --all && git commit -m start, then run the tests again"
    else:
        message = f"nothing shows any more which files {command} ran on"
        cure = rerun(attempt)
    return Hit(
        message=message,
        cure=cure,
        span=attempt.first.span,
        level=Level.UNPROVEN,
        requirement=decision.item.name if decision.item else None,
    )


RULE = Rule(level=Level.ERROR, check=_check)
