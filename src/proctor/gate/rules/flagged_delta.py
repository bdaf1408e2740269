"""The patch changes behaviour that no reviewed policy allows.

Proves that the old and the new build, replayed on the frozen corpus, differ in the
named way, and that the policy of the base does not allow it. Does not prove that the
change is wrong: only that nobody has said that it is meant. Does not prove anything
about steps that the corpus does not hold.

Likely cause: the change was meant and the policy does not say so yet, or it is a side
effect.

Next: run the reproducer on both builds; then mend it, add an entry with a reason to
`oracle/policy.json` on the base branch, or approve the set: `proctor approve DIGEST`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import listed, since

_SHOWN = 3


def _check(case: Case) -> Iterator[Hit]:
    for report in case.evidence.oracle:
        if report.stale:
            continue
        if report.flagged:
            verb = "delta is" if report.deltas == 1 else "deltas are"
            yield Hit(
                message=f"{report.flagged:,} of {report.deltas:,} {verb} flagged: "
                f"{listed(report.changes, _SHOWN)}",
                cure="see each with a reproducer: "
                f"proctor oracle check {since(case.evidence.base)}",
                digest=report.delta_set,
            )
        elif report.unstable > report.cap:
            yield Hit(
                message=f"{report.unstable:,} fields are unstable, more than the {report.cap:,} "
                "that may be: the old build differs from itself",
                cure="mask what means nothing: [oracle.masks] in proctor.toml",
                level=Level.UNPROVEN,
            )


RULE = Rule(level=Level.ERROR, check=_check, approvable=True)
