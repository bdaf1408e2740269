"""Writes what `--output` asks for."""

import os
from collections.abc import Iterable

from proctor._whole import WholeFile
from proctor.errors import EvidenceError


def write_whole(path: str, content: str | Iterable[bytes], what: str) -> None:
    """Write a text, or parts of one, whole beside its place, then rename it there.

    The folder it goes to is made.

    Raises:
        EvidenceError: it cannot be written; `what` names it in the message.
    """
    parts = [content.encode("utf-8", "backslashreplace")] if isinstance(content, str) else content
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with WholeFile(path) as file:
            file.writelines(parts)
    except OSError as error:
        raise EvidenceError(
            f"{path}: {what} cannot be written: {error.strerror}; choose another place"
        ) from None
