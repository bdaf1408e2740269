"""A file is not the one that its digest names.

Proves that the file, or what names its digest, was changed after it was written. Does
not prove who changed it, nor why.

Likely cause: the file was edited, or copied from another run.

Next: make it anew: `proctor receipt issue`, `proctor evidence capture`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.receipts import refused


def _check(case: Case) -> Iterator[Hit]:
    return refused(case, "digest-mismatch")


RULE = Rule(level=Level.ERROR, check=_check)
