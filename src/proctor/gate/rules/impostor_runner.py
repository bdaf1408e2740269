"""What ran under a test runner's name is not that runner.

Proves that the executable is of another kind, that the module or script belongs to
no installed distribution, or that files of the installed runner were altered. Does
not judge by place: in-project environments and editable installs are honest.

Likely cause: a script or module called like the runner comes first on the path.

Next: install the runner anew and run it: `python -m pip install --force-reinstall pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import rerun_part, shown
from proctor.identity.impostor import impostor


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.leaves():
        span = part.span
        why = (
            impostor(part.what.command_class, span.argv, span.exe, span.runner)
            if part.status == "own"
            else None
        )
        if why is not None:
            yield Hit(
                message=f"{shown(part.span.argv)} is not {part.what.command_class}: {why}",
                cure=f"install it anew, then: {rerun_part(part)}",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


RULE = Rule(level=Level.ERROR, check=_check, hides=("no-tests-ran", "below-floor", "missing-junit"))
