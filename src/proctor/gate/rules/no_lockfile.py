"""The evidence holds no lock file.

Proves that no lock file of a known ecosystem was found when it was captured. Does not
prove that versions differ elsewhere.

Likely cause: the project pins no versions, or its lock file is not committed.

Next: lock the versions (`uv lock`, `npm install`, …), then: `proctor evidence capture`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case


def _check(case: Case) -> Iterator[Hit]:
    for captured in case.evidence.captured:
        if not captured.has_lock:
            yield Hit(
                message=f"{captured.folder} holds no lock file: versions may differ elsewhere",
                cure="lock the versions, then: proctor evidence capture",
            )


RULE = Rule(level=Level.NOTE, check=_check, approvable=True)
