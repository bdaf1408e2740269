"""Another job's records are judged, and the verdict does not reach level 3.

Proves that something which level 3 rests on is not so where it was judged: a fresh
job, files as committed, a base by its full id, a recorded run at the base to compare
with. Does not prove that the records are wrong.

Likely cause: the job that judges has run something itself, or the job that runs did
not run the base's suite.

Next: run it at the base too: `proctor run --at-base=ID -- pytest`; judge with
`proctor gate --bundle FILE --base ID` in a job of its own.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.fresh_judge import lacking


def _check(case: Case) -> Iterator[Hit]:
    for why in lacking(case):
        yield Hit(message=f"not level 3: {why}")


RULE = Rule(level=Level.NOTE, check=_check)
