"""Some content is hidden from the id of the working tree, or from git.

Proves that git's settings, links or ignored files keep content out of what is
compared or committed. Does not prove that this content changed.

Likely cause: `assume-unchanged`, a sparse checkout, a filter, an ignored conftest,
a link that leads out of the repository.

Next: see the list, and remove what is not meant: `proctor gate --format json`.
"""

from collections.abc import Iterator, Sequence

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import listed
from proctor.records.span import Span

_HARMLESS = frozenset(("nested-repository", "unstored"))
"""Kinds whose content the id sees and that nobody hides anything with."""
_CURES = {
    "assume-unchanged": "git update-index --no-assume-unchanged {}",
    "skip-worktree": "git update-index --no-skip-worktree {}",
    "sparse-checkout": "git sparse-checkout disable",
    "filter": "take the filter of {} out of .gitattributes or of git's configuration",
    "attributes": "take the attributes of {} out of .gitattributes",
    "symlink": "put what {} leads to into the repository",
    "submodule": "commit the changes within {}",
    "ignored": "git add --force {}, or remove it",
    "info/exclude": "take {} out of .git/info/exclude",
    "core.excludesFile": "take {} out of the file that core.excludesFile names",
    "core.worktree": "git config --unset core.worktree",
    "index-unreadable": "git reset, which writes a new index",
}


def _check(case: Case) -> Iterator[Hit]:
    spots: dict[str, Span] = {}
    for _, part in case.leaves():
        if part.span.git is not None:
            for spot in part.span.git.blind_spots:
                spots.setdefault(spot, part.span)
    for level, harmless in ((Level.WARNING, False), (Level.NOTE, True)):
        found = [spot for spot in spots if (_kind(spot) in _HARMLESS) is harmless]
        if found:
            yield Hit(
                message=f"not seen in the working tree: {listed(found, 4)}",
                cure=_cure(found),
                span=spots[found[0]],
                paths=tuple(_path(spot) for spot in found if _path(spot)),
                level=level,
            )


def _kind(spot: str) -> str:
    return spot.partition(":")[0]


def _path(spot: str) -> str:
    return "" if _kind(spot) == "git-error" else spot.partition(":")[2]


def _cure(spots: Sequence[str]) -> str:
    for spot in spots:
        if _kind(spot) in _CURES:
            return _CURES[_kind(spot)].format(_path(spot))
    return "make these part of the tree, or accept that they may differ"


RULE = Rule(level=Level.WARNING, check=_check)
