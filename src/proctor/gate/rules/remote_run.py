"""The tests ran elsewhere: in a container or on another host.

Proves what the client returned here. Does not prove what ran at the other end.

Likely cause: the tests are run through docker, ssh or kubectl.

Next: record inside, where the tests run: `docker run … proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import shown


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.parts():
        if part.what.remote:
            yield Hit(
                message=f"{shown(part.span.argv)}: the exit code is that of {part.what.remote}",
                cure="record where the tests run: proctor run inside",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


RULE = Rule(level=Level.NOTE, check=_check)
