"""The patch changes what it, or the next patch, is judged by.

Proves which settings take effect otherwise, or which files that CI, an agent's
client or reviewers rely on differ in content. Does not prove that the change is
meant to weaken anything; this patch is judged by the policy of its base either way.

Likely cause: a setting was adjusted on the way to a green verdict, or a workflow was
maintained in the same patch.

Next: move it to a patch of its own, or let a person approve it: `proctor approve DIGEST`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import listed

_CURE = "move it to a patch of its own"


def _check(case: Case) -> Iterator[Hit]:
    said: dict[tuple[str, bool], list[str]] = {}
    for change in case.evidence.policy_changes:
        said.setdefault((change.path, change.tightens), []).append(change.what)
    for (path, tightens), changes in said.items():
        yield Hit(
            message=f"{path}: {listed(changes)}",
            cure=_CURE,
            paths=(path,),
            level=Level.NOTE if tightens else None,
        )


RULE = Rule(level=Level.ERROR, check=_check, approvable=True)
