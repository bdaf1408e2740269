"""What ran under a test runner's name is not that runner.

Proves that the executable is of another kind, that the module or script belongs to
no installed distribution, or that files of the installed runner were altered. Does
not judge by place: in-project environments and editable installs are honest.

Likely cause: a script or module called like the runner comes first on the path.

Next: install the runner anew and run it: `python -m pip install --force-reinstall pytest`.
"""

import os
from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import Part
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import listed, rerun_part, shown
from proctor.identity.identify import DISTRIBUTIONS

_INTERPRETERS = ("python", "pypy", "node", "bun", "deno", "ruby", "php", "perl")


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.leaves():
        why = _impostor(part) if part.status == "own" else None
        if why is not None:
            yield Hit(
                message=f"{shown(part.span.argv)} is not {part.what.command_class}: {why}",
                cure=f"install it anew, then: {rerun_part(part)}",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


def _impostor(part: Part) -> str | None:
    span, runner = part.span, part.span.runner
    if span.exe is not None and not _is_plausible(part, span.exe):
        return f"the program is {span.exe}"
    if runner is None:
        return None
    expected = DISTRIBUTIONS.get(part.what.command_class)
    if expected and runner.path and _normal(runner.distribution) not in expected:
        owner = runner.distribution or "no installed distribution"
        return f"{runner.path} belongs to {owner}"
    if runner.record_ok is False:
        return f"files differ from what was installed: {listed(runner.altered or ('?',))}"
    return None


def _is_plausible(part: Part, exe: str) -> bool:
    """Return whether the executable is an interpreter, or bears the name it was called by.

    One program of a family may stand for another: `swift-test` is `swift-package`.
    """
    base = os.path.basename(exe)
    if base.startswith(_INTERPRETERS):
        return True
    if part.what.command_class == "pytest":
        return False
    if not part.span.argv or base == os.path.basename(part.span.argv[0]):
        return True
    return base.startswith(part.what.command_class.split()[0])


def _normal(name: str | None) -> str:
    return (name or "").lower().replace("_", "-")


RULE = Rule(level=Level.ERROR, check=_check, hides=("no-tests-ran", "below-floor", "missing-junit"))
