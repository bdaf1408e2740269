"""The tests loaded another copy of the project than the one in this tree.

Proves by the runner's own report that a package which lies in the project was loaded
from another place, with other content. Does not prove that the results would differ,
nor anything where a report says nothing of what was loaded.

Likely cause: an installed copy of the project comes first on the path.

Next: install the project in place and run again: `python -m pip install --editable .`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import listed, rerun_part, shown


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.leaves():
        report = part.span.report
        if report is not None and report.foreign:
            copies = listed([f"{name} from {path}" for name, path in report.foreign])
            yield Hit(
                message=f"{shown(part.span.argv)} loaded {copies}, not what is in this tree",
                cure=f"python -m pip install --editable . && {rerun_part(part)}",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


RULE = Rule(level=Level.WARNING, check=_check)
