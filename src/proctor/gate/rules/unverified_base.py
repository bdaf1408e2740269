"""The base was given by a name that could have been moved in this clone.

Proves that the name is a local branch, a tag, counted from one, or a remote branch
that something other than a fetch has written. Does not prove that it was moved.

Likely cause: `--base main`, where the clone has `origin/main` as it was fetched.

Next: give what was fetched, `proctor gate --base origin/main`, or a full id that comes
from outside the clone.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case


def _check(case: Case) -> Iterator[Hit]:
    base = case.evidence.base
    if base is not None and base.doubt:
        yield Hit(
            message=f"--base {base.name}: {base.doubt}",
            cure="give a full id from outside this clone (CI knows it; git ls-remote prints it), "
            "or the remote branch as fetched",
        )


RULE = Rule(level=Level.WARNING, check=_check)
