"""What runs changed while they ran, told to a job that has not the objects to compare.

It is a claim of the job that made the bundle, like the records beside it: what it names
counts against a run, and nothing in it counts for one.
"""

import os
from collections.abc import Iterable, Sequence

import msgspec

from proctor.errors import EvidenceError
from proctor.records.span import Span
from proctor.repo.history import FileChange, changes_between

NAME = "log/changes.json"
"""The member of a bundle."""
MOST = 10_000
"""Files that are named of one run; a run that changed more is not told of."""
Pair = tuple[str, str]


class _Changed(msgspec.Struct, frozen=True, array_like=True):
    before: str
    """The tree when a run started."""
    after: str
    """The tree when it ended."""
    files: Sequence[FileChange]


def gather_changes(root: str, spans: Iterable[Span]) -> bytes:
    """Return for all runs that changed their tree which files, and what they made of them.

    Raises:
        RepositoryError: `root` is in no repository.
    """
    asked: dict[str | None, dict[Pair, None]] = {}
    for git in (span.git for span in spans):
        if git is not None and git.tree and git.tree_after and git.tree != git.tree_after:
            asked.setdefault(git.objects, {})[git.tree, git.tree_after] = None
    found: dict[Pair, list[FileChange]] = {}
    for objects, pairs in asked.items():
        found |= changes_between(objects, root, pairs)
    told = [
        _Changed(before, after, files)
        for (before, after), files in sorted(found.items())
        if len(files) <= MOST
    ]
    return msgspec.json.encode(told) + b"\n"


def read_changes(folder: str) -> dict[Pair, Sequence[FileChange]]:
    """Return what an open bundle tells, by the trees at a run's start and end.

    Raises:
        EvidenceError: it is not as `gather_changes` writes it.
    """
    path = os.path.join(folder, *NAME.split("/"))
    try:
        with open(path, "rb") as file:
            told = msgspec.json.decode(file.read(), type=list[_Changed])
    except FileNotFoundError:
        return {}
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, OSError):
        raise EvidenceError(f"{NAME} of the bundle cannot be read; make it again") from None
    return {(one.before, one.after): one.files for one in told}
