"""The tests were run in another repository.

Proves that every recorded test run belongs to another clone or folder. Does not
prove that its content differs.

Likely cause: the tests were run in a copy, or the log is that of another clone.

Next: run the tests here: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import command, shown


def _check(case: Case) -> Iterator[Hit]:
    for attempt in case.outside:
        part = (attempt.leaves or attempt.parts)[0]
        span = part.span
        place = span.git.root if span.git else span.cwd
        yield Hit(
            message=f"{shown(span.argv)} ran in {place}, not in {case.evidence.root}",
            cure=f"in this repository: {command(attempt.first.what.argv)}",
            span=span,
        )


RULE = Rule(level=Level.ERROR, check=_check, hides=("no-records",))
