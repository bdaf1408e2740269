"""The wall clock was changed during a test run, or runs ahead.

Proves that the difference of the wall clock's times is not the measured duration, or
that a record is dated after now. Does not prove intent: clocks are corrected.

Likely cause: the clock was set, or the machine slept.

Next: nothing, if the clock is right now; else set it and run again: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.moments import moment
from proctor.gate.words import shown
from proctor.records.span import Span

_TOLERATED_MS = 60_000


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.parts():
        why = _jump(part.span, case.evidence.now)
        if why:
            yield Hit(
                message=f"{shown(part.span.argv)}: {why}",
                cure="check the clock of this machine",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


def _jump(span: Span, now: str) -> str | None:
    started, finished, today = (moment(text) for text in (span.started_at, span.finished_at, now))
    if started and today and (started - today).total_seconds() * 1000 > _TOLERATED_MS:
        return f"it is dated after now: {span.started_at}"
    if started is None or finished is None or span.duration_ms is None:
        return None
    apart = (finished - started).total_seconds() * 1000
    if abs(apart - span.duration_ms) > _TOLERATED_MS:
        return "the clock was changed, or the machine slept, while it ran"
    return None


RULE = Rule(level=Level.NOTE, check=_check)
