"""What a kind of suite's file says."""

import os
from collections.abc import Callable

import msgspec

from proctor._whole import plain


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A test suite, and the command that runs all of it."""

    command: tuple[str, ...]
    """The run, as argv, in the suite's folder."""
    whole: bool = False
    """Whether the run takes in the suites of this kind in the folders below."""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """What a file binds to `SUITE`."""

    find: Callable[[str], Found | None]
    """Returns the suite of a folder, none where the folder does not begin one.

    It reads the folder's files and runs nothing.
    """
    fallback: bool = False
    """Whether it counts only where no other kind is found: a Makefile's `test`
    usually starts the runner of a suite that is found by itself."""


def text_of(folder: str, name: str, limit: int = 1 << 20) -> str:
    """Return the text of a file, '' where there is none or it may not be read."""
    try:
        with open(
            os.path.join(folder, name), encoding="utf-8", errors="replace", opener=plain
        ) as file:
            return file.read(limit)
    except OSError:
        return ""
