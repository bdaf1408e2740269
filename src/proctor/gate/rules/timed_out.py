"""A test command ran into its time limit.

Proves that it was ended from outside before it was done. Does not prove that a
test hangs: the limit may be too short.

Likely cause: a hanging test, a slow machine, or a limit that is too tight.

Next: run it again with a longer limit: `proctor run --timeout 1800 -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.ends import timed_out
from proctor.gate.evidence import Evidence, Policy
from proctor.gate.words import command, rerun_part, shown


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.parts():
        if part.status == "own" and part.span.exit_code != 0 and timed_out(part):
            yield Hit(
                message=f"{shown(part.span.argv)} was ended by a time limit",
                cure=f"allow it more time: {rerun_part(part)}",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


def _every(evidence: Evidence, policy: Policy) -> Iterator[Hit]:
    del policy
    for seen in evidence.every_seen():
        if seen.span.timed_out:
            yield Hit(
                message=f"{shown(seen.span.argv)} was ended by a time limit",
                cure=f"allow it more time: {command(seen.span.argv)}",
                span=seen.span,
            )


RULE = Rule(level=Level.ERROR, check=_check, every=_every)
