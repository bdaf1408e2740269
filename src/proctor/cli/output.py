"""Writes what a command was asked to leave in a file."""

import os
from collections.abc import Iterable

from proctor.errors import EvidenceError


def write_whole(path: str, parts: Iterable[bytes], what: str) -> None:
    """Write a file whole beside its place, then rename it there.

    Raises:
        EvidenceError: it cannot be written; `what` names it.
    """
    fresh = f"{path}.{os.getpid()}"
    try:
        with open(fresh, "wb") as file:
            file.writelines(parts)
        os.replace(fresh, path)
    except OSError as error:
        if os.path.lexists(fresh):
            os.unlink(fresh)
        raise EvidenceError(
            f"{path}: {what} cannot be written: {error.strerror}; choose another --output"
        ) from None
