"""The span log is not what its recorders wrote.

Proves that a line was altered, inserted or removed. Does not prove who did it, nor,
where the chain is whole, that the log is complete.

Likely cause: the log was edited by hand, or written to by another program.

Next: see which lines, then record anew in a fresh log: `proctor verify LOG`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.evidence import Evidence, Policy


def _check(case: Case) -> Iterator[Hit]:
    return _every(case.evidence, case.policy)


def _every(evidence: Evidence, policy: Policy) -> Iterator[Hit]:
    del policy
    for log in evidence.logs:
        broken = [problem for problem in log.problems if problem.broken]
        if broken:
            more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
            yield Hit(
                message=f"{log.path}: {broken[0].why}{more}",
                cure=f"proctor verify {log.path}",
            )
        torn = [problem for problem in log.problems if not problem.broken]
        if torn:
            yield Hit(
                message=f"{log.path}: {torn[0].why}",
                cure="run again what was running then",
                level=Level.WARNING,
            )


RULE = Rule(level=Level.ERROR, check=_check, every=_every)
