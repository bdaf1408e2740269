"""A receipt lacks what a receipt has.

Proves that fields are absent or of another kind. Does not prove that what is there is
wrong.

Likely cause: the file was written by something else, or cut.

Next: issue it again: `proctor receipt issue`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.receipts import refused


def _check(case: Case) -> Iterator[Hit]:
    return refused(case, "missing-fields")


RULE = Rule(level=Level.ERROR, check=_check)
