"""Writes what `--output` asks for."""

import os
from collections.abc import Iterable

from proctor.errors import EvidenceError


def write_whole(path: str, content: str | Iterable[bytes], what: str) -> None:
    """Write a text, or parts of one, whole beside its place, then rename it there.

    Raises:
        EvidenceError: it cannot be written; `what` names it in the message.
    """
    fresh = f"{path}.{os.getpid()}"
    parts = [content.encode("utf-8", "backslashreplace")] if isinstance(content, str) else content
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
