"""A command took less time than its kind is believed to need.

Proves the duration that was measured. Does not prove that nothing ran: small suites
are fast, which is why an executed count makes this a note.

Likely cause: a small suite, or a run of nothing.

Next: look at what ran, or set a floor from your own suite: `proctor floors measure`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import State
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.evidence import Evidence, Policy
from proctor.gate.words import command, counted, shown
from proctor.records.span import Span


def _check(case: Case) -> Iterator[Hit]:
    for decision, attempt in case.judged():
        if attempt.state is not State.GREEN:
            continue
        for part in attempt.leaves:
            floor = case.policy.floors.get(part.what.command_class, 0)
            count = part.span.report.executed if part.span.report else None
            if _is_below(part.span, floor):
                what = "an unknown number of tests" if count is None else counted(count)
                yield Hit(
                    message=f"{_took(part.span, floor)}: {what}",
                    cure="proctor floors measure",
                    span=part.span,
                    level=Level.WARNING if count is None else Level.NOTE,
                    requirement=decision.item.name if decision.item else None,
                )


def _every(evidence: Evidence, policy: Policy) -> Iterator[Hit]:
    for seen in evidence.every_seen():
        floor = seen.span.duration_floor_ms
        if seen.what is not None:
            floor = max(floor, policy.floors.get(seen.what.command_class, 0))
        if _is_below(seen.span, floor):
            yield Hit(
                message=_took(seen.span, floor),
                cure=command(seen.span.argv),
                span=seen.span,
                level=Level.ERROR,
            )


def _is_below(span: Span, floor: int) -> bool:
    return span.duration_ms is not None and span.duration_ms < floor


def _took(span: Span, floor: int) -> str:
    return f"{shown(span.argv)} took {span.duration_ms} ms, below the floor of {floor} ms"


RULE = Rule(level=Level.NOTE, check=_check, every=_every)
