"""A receipt, or a file of the evidence, is not what its digest or its record says.

Proves that the file was changed after it was written, or is damaged. Does
not prove who changed it, nor why.

Likely cause: the file was edited, or copied from another run.

Next: make it anew: `proctor receipt issue`, `proctor evidence capture`.
"""

import os
from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.receipts import refused


def _check(case: Case) -> Iterator[Hit]:
    yield from refused(case, "digest-mismatch")
    for captured in case.evidence.captured:
        for name, why in captured.problems:
            path = os.path.join(captured.folder, name)
            yield Hit(
                message=f"{path} {why}",
                cure="make it anew: proctor evidence capture",
                paths=(path,),
            )


RULE = Rule(level=Level.ERROR, check=_check)
