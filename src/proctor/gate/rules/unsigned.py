"""A receipt was signed by no trusted key.

Proves that the receipt rests on this clone's log alone, which a process of the same
user can forge. Does not prove that it did.

Likely cause: the receipt was issued without `--sign`, or the base trusts no key.

Next: `proctor run --receipt --sign -- pytest` with a key that the agent cannot reach,
and its public half in the base's `[receipt] trusted_keys`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case


def _check(case: Case) -> Iterator[Hit]:
    for receipt in case.evidence.receipts:
        if receipt.signed_by is None and not receipt.refusals:
            yield Hit(
                message=f"{receipt.path} rests on this clone's log alone (level 0)",
                cure="proctor run --receipt --sign -- CMD, with a key the agent cannot reach",
            )


RULE = Rule(level=Level.WARNING, check=_check)
