"""A receipt rests on no record: nothing shows that the run took place.

Proves that this clone's log holds no record that the receipt is about, and that no
trusted key signed it. Does not prove that the run never took place.

Likely cause: the receipt was written by hand, or copied from another clone.

Next: record the run here: `proctor receipt issue`, or have it signed where it runs:
`proctor run --receipt --sign -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.receipts import refused


def _check(case: Case) -> Iterator[Hit]:
    return refused(case, "receipt-without-record")


RULE = Rule(level=Level.ERROR, check=_check)
