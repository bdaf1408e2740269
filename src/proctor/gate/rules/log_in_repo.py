"""The span log lies inside the repository that it judges.

Proves that whoever may write to the repository may write to the log. Does not prove
that anybody did.

Likely cause: `--log` or `[log] path` names a file in the repository.

Next: leave the log where Proctor puts it: `proctor run -- pytest`.
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
        if log.in_repository and log.exists:
            yield Hit(
                message=f"the log lies in the repository that it judges: {log.path}",
                cure="leave out --log and [log] path, and record again",
            )


RULE = Rule(level=Level.WARNING, check=_check, every=_every)
