"""Tests are reported that took no time.

Proves that a report counts executed tests and a duration of zero, or that the process
used no processor time. Does not prove that nothing ran: some runners round to zero.

Likely cause: a runner that does not measure, or a report that nothing stands behind.

Next: look at the report that the span names: `proctor log --tests --format json`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import counted, shown


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.leaves():
        report = part.span.report
        if report is None or not report.executed:
            continue
        if report.seconds == 0 or part.span.cpu_ms == 0:
            what = "the report says 0 s" if report.seconds == 0 else "no processor time was used"
            yield Hit(
                message=f"{shown(part.span.argv)}: {counted(report.executed)}, but {what}",
                cure="look at the report: proctor log --tests --format json",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


RULE = Rule(level=Level.NOTE, check=_check)
