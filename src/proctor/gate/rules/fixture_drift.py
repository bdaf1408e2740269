"""A fixture of the oracle is not what was reviewed, or did not stay what it was.

Proves that a declared input of the replay has another digest than the lock of the
base pins, or changed while the replay ran. Does not prove that a delta comes from it.

Likely cause: a fixture was edited without `proctor oracle pin`, or a step writes to it.

Next: put it back, or review it and pin it on the base branch: `proctor oracle pin`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import listed


def _check(case: Case) -> Iterator[Hit]:
    for report in case.evidence.oracle:
        if report.drift and not report.stale:
            yield Hit(
                message=listed(report.drift),
                cure="put it back, or review it and run `proctor oracle pin` on the base branch",
            )


RULE = Rule(level=Level.ERROR, check=_check, approvable=True)
