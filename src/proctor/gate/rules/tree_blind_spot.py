"""Some content is hidden from the id of the working tree.

Proves that git's settings, links or ignored files keep content out of what is
compared. Does not prove that this content changed.

Likely cause: `assume-unchanged`, a sparse checkout, a filter, an ignored conftest,
a link that leads out of the repository.

Next: see the list, and remove what is not meant: `proctor gate --format json`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import listed


def _check(case: Case) -> Iterator[Hit]:
    spots: dict[str, None] = {}
    first = None
    for _, part in case.leaves():
        if part.span.git is not None and part.span.git.blind_spots:
            spots.update(dict.fromkeys(part.span.git.blind_spots))
            first = first or part.span
    if first is not None:
        yield Hit(
            message=f"not seen in the working tree: {listed(tuple(spots), 4)}",
            cure="make these part of the tree, or accept that they may differ",
            span=first,
            paths=tuple(spot.split(":", 1)[1] for spot in spots if ":" in spot),
        )


RULE = Rule(level=Level.WARNING, check=_check)
