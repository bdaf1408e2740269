"""A test run took place during the agent's session, and no tool call asked for it.

Proves that the transcript names no call that started it. Does not prove that the run
is anything but what its record says.

Likely cause: a person or a git hook started it, or a sub-agent whose transcript was not
given.

Next: give that transcript as well: `proctor gate --transcript MAIN --transcript OTHER`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import shown


def _check(case: Case) -> Iterator[Hit]:
    for seen in case.evidence.orphans:
        yield Hit(
            message=f"no tool call of the transcript asked for {shown(seen.span.argv)}",
            cure="if another agent ran it, give its transcript too: --transcript F",
            span=seen.span,
        )


RULE = Rule(level=Level.WARNING, check=_check)
