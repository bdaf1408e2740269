"""Files were edited, deleted, or edited and put back while the tests ran.

Proves that the tests did not run on one state of the files. Does not prove which
state each test saw.

Likely cause: an editor, an agent or the tests themselves wrote to tracked files
during the run.

Next: run the tests again and leave the files alone, or name files that the tests
write under `[gate] ignore_paths`: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import listed, rerun_part, shown


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.leaves():
        paths = case.freshness.changed_during(part)
        if paths:
            yield Hit(
                message=f"{listed(paths)} changed while {shown(part.span.argv)} ran",
                cure=rerun_part(part),
                span=part.span,
                paths=paths,
                requirement=decision.item.name if decision.item else None,
            )


RULE = Rule(level=Level.ERROR, check=_check)
