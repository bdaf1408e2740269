"""The tests loaded another copy of the project than the one in this tree.

Proves by the runner's own report that a package which lies in the project was loaded
from another place, with other content, or from a compiled file that its source no longer
fits. Does not prove that the results would differ,
nor anything where a report says nothing of what was loaded.

Likely cause: an installed copy of the project comes first on the path; or a source was
changed within a second, or its time put back, and `__pycache__` still holds what it was.

Next: install the project in place and run again: `python -m pip install --editable .`;
or remove the compiled file.
"""

import shlex
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
            compiled = [path for _, path in report.foreign if path.endswith(".pyc")]
            steps = [f"rm -f {shlex.join(compiled)}"] if compiled else []
            if len(compiled) < len(report.foreign):
                steps.append("python -m pip install --editable .")
            yield Hit(
                message=f"{shown(part.span.argv)} loaded {copies}, not what is in this tree",
                cure=" && ".join((*steps, rerun_part(part))),
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


RULE = Rule(level=Level.WARNING, check=_check)
