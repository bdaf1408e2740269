"""Writes what `--output` asks for."""

from collections.abc import Iterable

from proctor._whole import WholeFile
from proctor.errors import EvidenceError


def write_whole(path: str, content: str | Iterable[bytes], what: str) -> None:
    """Write a text, or parts of one, whole beside its place, then rename it there.

    Raises:
        EvidenceError: it cannot be written; `what` names it in the message.
    """
    parts = [content.encode("utf-8", "backslashreplace")] if isinstance(content, str) else content
    try:
        with WholeFile(path) as file:
            file.writelines(parts)
    except OSError as error:
        raise EvidenceError(
            f"{path}: {what} cannot be written: {error.strerror}; choose another place"
        ) from None
