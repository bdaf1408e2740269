"""A variable that changes what an interpreter runs was set for a test run.

Proves that the variable was there when the runner started. Does not prove that it
changed a result. What cargo and nyc always set for the tests below them is passed
over, unless it was already there before them.

Likely cause: a wrapper or a shell profile sets `LD_PRELOAD` or `PYTHONOPTIMIZE`.

Next: run without it: `env -u NAME proctor run -- pytest`.
"""

import os
from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import Part
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import rerun_part, shown

_SETS = {"cargo": "LD_LIBRARY_PATH", "nyc": "NODE_OPTIONS"}
"""Program → the variable that it sets for whatever it starts."""


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.leaves():
        names = [name for name in part.span.odd_env if not _is_set_by_tool(name, part)]
        if names:
            unset = " ".join(f"-u {name}" for name in names)
            yield Hit(
                message=f"{shown(part.span.argv)} ran with {', '.join(names)} set",
                cure=f"if it is not meant: env {unset} {rerun_part(part)}",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


def _is_set_by_tool(name: str, part: Part) -> bool:
    """Return whether a tool above sets the variable, and the run began without it."""
    if not part.above or name in part.above[-1].odd_env:
        return False
    words = {os.path.basename(word) for span in part.above for word in span.argv[:2]}
    return any(tool in words for tool, variable in _SETS.items() if variable == name)


RULE = Rule(level=Level.WARNING, check=_check)
