"""A quarantined test failed in a way that its entry does not explain.

Proves that the test has an entry in the quarantine and that this failure has another
fingerprint, or that the entry is over. Does not prove that the change caused it.

Likely cause: a second fault in a flaky test, or a quarantine that nobody renewed.

Next: mend the test, or look at its history: `proctor flakes status`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.explained import why_not


def _check(case: Case) -> Iterator[Hit]:
    quarantine = case.evidence.quarantine
    if quarantine is None:
        return
    for decision, part in case.leaves():
        ended = quarantine.ended.get(part.span.span_id)
        for failure in ended.failures if ended is not None else ():
            why = why_not(quarantine, failure) if failure.name in quarantine.entries else ""
            if why:
                yield Hit(
                    message=why,
                    cure="mend it, or look at its history: proctor flakes status",
                    span=part.span,
                    paths=(quarantine.path,),
                    requirement=decision.item.name if decision.item else None,
                )


RULE = Rule(level=Level.ERROR, check=_check)
