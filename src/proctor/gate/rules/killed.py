"""A test command was ended by a signal.

Proves that it did not come to its own end. Does not prove that a test failed.

Likely cause: out of memory, a crash in native code, or somebody ended it.

Next: run the same command again and let it end: `proctor run -- pytest`.
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
        if part.status == "own" and part.span.signal and not timed_out(part):
            yield Hit(
                message=f"{shown(part.span.argv)} was ended by {part.span.signal}",
                cure=rerun_part(part),
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


def _every(evidence: Evidence, policy: Policy) -> Iterator[Hit]:
    del policy
    for seen in evidence.every_seen():
        span = seen.span
        if span.signal and not span.timed_out:
            yield Hit(
                message=f"{shown(span.argv)} was ended by {span.signal}",
                cure=command(span.argv),
                span=span,
            )


RULE = Rule(level=Level.ERROR, check=_check, every=_every)
