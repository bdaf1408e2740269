"""The folders that a tool call may have run in: its own, and those it changes to."""

import os
import re
from collections.abc import Iterator

_CHANGE = re.compile(
    r"""(?:^|[;&|({\n])\s*(?:cd|pushd)\s+(?:--\s+)?("[^"$`]*"|'[^']*'|[^\s;&|<>()'"]+)"""
)
_DYNAMIC = frozenset("$`*?~")


def folders_of(cwd: str | None, command: str | None) -> Iterator[str]:
    """Yield the folders, absolute; none where one of them cannot be told."""
    found = [] if cwd is None else [cwd]
    for match in _CHANGE.finditer(command or ""):
        word = match[1].strip("\"'")
        if _DYNAMIC & set(word) or word == "-":
            return
        found.append(os.path.normpath(os.path.join(found[-1] if found else "", word)))
    if all(os.path.isabs(folder) for folder in found):
        yield from found
