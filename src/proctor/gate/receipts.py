"""What rules have against the receipts that are to be judged."""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit
from proctor.gate.case import Case


def refused(case: Case, rule: str) -> Iterator[Hit]:
    """Yield each refusal that a rule explains.

    The rules about runs have nothing to do for it: a receipt is refused under the
    name of the rule that would find the same in a run.
    """
    for receipt in case.evidence.receipts:
        for refusal in receipt.refusals:
            if refusal.rule == rule:
                # NOTE: a receipt is only refused as unsigned where a signature is owed.
                level = Level.ERROR if rule == "unsigned" else None
                yield Hit(message=refusal.message, cure=refusal.cure, level=level)
