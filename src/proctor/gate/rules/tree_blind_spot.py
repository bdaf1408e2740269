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
_WORDS = {
    "assume-unchanged": "git was told not to look at {}",
    "skip-worktree": "git was told not to look at {}",
    "sparse-checkout": "the checkout is sparse: only a part of the repository is here",
    "filter": "git stores {} through a filter, other than it lies here",
    "attributes": "git stores {} otherwise than it lies here",
    "symlink": "{} leads out of the repository",
    "submodule": "the submodule {} has changes of its own",
    "nested-repository": "{} is a repository of its own",
    "ignored": "git ignores {}, which test runners read",
    "info/exclude": "git ignores {} by .git/info/exclude",
    "core.excludesFile": "git ignores {} by the user's own file of patterns",
    "core.worktree": "git is sent to another working tree",
    "index-unreadable": "git's index cannot be read",
}
"""What a kind means; `{}` stands for the paths."""
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
                message=_said(found),
                cure=_cure(found),
                span=spots[found[0]],
                paths=tuple(_path(spot) for spot in found if _path(spot)),
                level=level,
            )


def _said(spots: Sequence[str]) -> str:
    """Return in words what is hidden, a clause for each kind."""
    kinds: dict[str, list[str]] = {}
    for spot in spots:
        kinds.setdefault(_kind(spot), []).append(_path(spot) or spot)
    return "; ".join(
        _WORDS[kind].format(listed(paths, 4))
        if kind in _WORDS
        else f"not seen in the working tree: {listed([s for s in spots if _kind(s) == kind], 4)}"
        for kind, paths in kinds.items()
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
