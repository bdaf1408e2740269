"""Where a branch began, if nobody says: a guess by the usual names."""

from proctor.errors import RepositoryError
from proctor.repo.revision import Revision, resolve_base

NAMES = ("origin/HEAD", "origin/main", "origin/master", "main", "master", "HEAD")
"""What a branch began at, the likeliest first."""


def default_base(folder: str) -> Revision:
    """Return the first of the usual names that resolves; in the end HEAD itself.

    Raises:
        RepositoryError: not even HEAD is a commit here.
    """
    for name in NAMES[:-1]:
        try:
            return resolve_base(folder, name)
        except RepositoryError:
            continue
    return resolve_base(folder, NAMES[-1])
