"""An entry of the oracle's policy allows nothing, ended, or allows too much.

Proves that the entry matched no delta of this replay, or that it lacks a reason, has
ended, or is so wide that other changes pass with it. Does not prove that it was wrong
when it was made.

Likely cause: the change that it allowed is in the base by now.

Next: remove it, or say more exactly what it allows, in `oracle/policy.json`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case


def _check(case: Case) -> Iterator[Hit]:
    for report in case.evidence.oracle:
        if not report.stale:
            for text in report.allowances:
                yield Hit(message=f"oracle/policy.json: {text}", cure="remove or narrow the entry")


RULE = Rule(level=Level.WARNING, check=_check)
