"""The patch approves itself.

Proves that an entry of `approvals.toml` is not in the base revision, that no key which
the base trusts signed it, and that the base does not leave approvals to the platform's
code owners. Does not prove who wrote the entry.

Likely cause: `proctor approve` was run in the patch that it approves.

Next: commit the entry to the base branch first, sign it with a key that the base trusts
(`proctor approve DIGEST --sign`), or let the base say
`[approvals] code_owners = true` and name an owner of `approvals.toml` in CODEOWNERS.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case


def _check(case: Case) -> Iterator[Hit]:
    for entry in case.evidence.approvals:
        if entry.doubt:
            yield Hit(
                message=f"the approval {entry.digest[:12]}… by {entry.owner} does not count: "
                f"{entry.doubt}",
                cure="a person commits it to the base branch first",
                paths=("approvals.toml",),
            )


RULE = Rule(level=Level.ERROR, check=_check)
