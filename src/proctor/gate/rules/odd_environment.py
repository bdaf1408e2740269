"""A variable that changes what an interpreter runs was set for a test run.

Proves that the variable was there when the runner started. Does not prove that it
changed a result.

Likely cause: a wrapper or a shell profile sets `LD_PRELOAD` or `PYTHONOPTIMIZE`.

Next: run without it: `env -u NAME proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import rerun_part, shown


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.leaves():
        if part.span.odd_env:
            unset = " ".join(f"-u {name}" for name in part.span.odd_env)
            yield Hit(
                message=f"{shown(part.span.argv)} ran with {', '.join(part.span.odd_env)} set",
                cure=f"if it is not meant: env {unset} {rerun_part(part)}",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


RULE = Rule(level=Level.WARNING, check=_check)
