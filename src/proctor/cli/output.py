"""Writes what `--output` asks for."""

import os

from proctor.errors import EvidenceError


def write_whole(path: str, text: str, what: str) -> None:
    """Write a text whole beside its place, then rename it there.

    Raises:
        EvidenceError: it cannot be written; `what` names it in the message.
    """
    fresh = f"{path}.{os.getpid()}"
    try:
        with open(fresh, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(fresh, path)
    except OSError as error:
        raise EvidenceError(
            f"{path}: {what} cannot be written: {error.strerror}; choose another --output"
        ) from None
