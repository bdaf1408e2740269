"""A runner's own report and its exit code cannot both be true.

Proves that the process returned 0 although the report it wrote in this run counts
failures, names another exit status, or was never finished; or that the 0 is that of
another program, which the runner's process became. Does not say which of the two is true.

Likely cause: a hook that forces the exit status, or code that ends the process
with `os._exit(0)`.

Next: look for what changes the exit status, then run again: `proctor run -- pytest`.
"""

import os
from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import contradicts
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import listed, rerun_part, shown


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.leaves():
        why = contradicts(part)
        if why is not None:
            yield Hit(
                message=f"{shown(part.span.argv)} returned 0, but {why}",
                cure=f"look for what changes the exit status, then: {rerun_part(part)}",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )
    for captured in case.evidence.captured:
        for run in captured.runs:
            if run.exit_code == 0 and run.failed:
                yield Hit(
                    message=f"{captured.folder}: {run.name}.exit says 0, but "
                    f"{listed(tuple(run.junit))} counts {run.failed} failed",
                    cure="look for what changes the exit status, then: proctor evidence capture",
                    paths=tuple(os.path.join(captured.folder, name) for name in run.junit),
                )


RULE = Rule(level=Level.ERROR, check=_check, hides=("no-tests-ran",))
