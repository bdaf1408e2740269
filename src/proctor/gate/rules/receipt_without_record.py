"""A receipt, or evidence, rests on no record: nothing shows that the run took place.

Proves that this clone's log holds no record that it is about, and that no trusted key
signed the receipt. Does not prove that the run never took place.

Likely cause: it was written by hand, or copied from another clone.

Next: record the run here: `proctor receipt issue`, or have it signed where it runs:
`proctor run --receipt --sign -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.receipts import refused


def _check(case: Case) -> Iterator[Hit]:
    yield from refused(case, "receipt-without-record")
    for captured in case.evidence.captured:
        for name in captured.unrecorded:
            yield Hit(
                message=f"{captured.folder}: the log holds no record of {name}",
                cure="capture it here: proctor evidence capture",
                paths=(captured.folder,),
            )


RULE = Rule(level=Level.ERROR, check=_check)
