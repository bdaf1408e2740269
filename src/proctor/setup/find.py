"""Finds the test suites of a repository by its files; runs nothing."""

import os
from collections.abc import Iterator
from typing import cast

import msgspec
import pathspec

from proctor import _family
from proctor.setup.suites.base import Found, Kind, text_of

FAMILY = "proctor.setup.suites"
DEPTH = 3
"""Levels of folders below the root that are looked at."""
FOLDERS = 5000
"""Folders that are looked at."""
_PASSED_OVER = frozenset(
    {
        "build",
        "dist",
        "docs",
        "example",
        "examples",
        "fixture",
        "fixtures",
        "node_modules",
        "site-packages",
        "spec",
        "target",
        "test",
        "testdata",
        "tests",
        "third_party",
        "vendor",
        "venv",
    }
)
"""Folders in which no suite of the repository's own begins."""


class PlacedSuite(msgspec.Struct, frozen=True, kw_only=True):
    """A suite and where it is."""

    folder: str
    """Relative to the repository's root; '' is the root."""
    kind: str
    found: Found


def find_suites(root: str) -> list[PlacedSuite]:
    """Return the suites of the repository at `root`, the root's first.

    Folders that git ignores by the root's `.gitignore`, hidden ones, other
    repositories within, and usual places of samples are passed over.
    """
    every = {name: cast("Kind", kind) for name, kind in _family.members(FAMILY, "SUITE")}
    own: list[PlacedSuite] = []
    fallbacks: list[PlacedSuite] = []
    for folder in _folders(root):
        for name, kind in every.items():
            found = kind.find(os.path.join(root, folder))
            if found is not None:
                suite = PlacedSuite(folder=folder, kind=name, found=found)
                (fallbacks if kind.fallback else own).append(suite)
    own = [suite for suite in own if not any(_takes_in(other, suite) for other in own)]
    needed: list[PlacedSuite] = []
    for suite in fallbacks:
        below = any(_is_at_or_below(other.folder, suite.folder) for other in own)
        above = any(_is_below(suite.folder, other.folder) for other in own + needed)
        if not below and not above:
            needed.append(suite)
    return sorted(own + needed, key=lambda suite: (suite.folder, suite.kind))


def _takes_in(one: PlacedSuite, other: PlacedSuite) -> bool:
    """Return whether the run of `one` takes in `other`."""
    return one.found.whole and one.kind == other.kind and _is_below(other.folder, one.folder)


def _folders(root: str) -> Iterator[str]:
    """Yield folders relative to `root`, breadth first."""
    ignored = pathspec.GitIgnoreSpec.from_lines(text_of(root, ".gitignore").splitlines())
    level = [""]
    seen = 0
    for _ in range(DEPTH + 1):
        below: list[str] = []
        for folder in level:
            seen += 1
            if seen > FOLDERS:
                return
            yield folder
            below += [
                name for name in _children(root, folder) if not ignored.match_file(f"{name}/")
            ]
        level = below


def _children(root: str, folder: str) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(os.path.join(root, folder)), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        name = entry.name
        if name.startswith(".") or name in _PASSED_OVER or not name.isprintable():
            continue
        if not entry.is_dir(follow_symlinks=False):
            continue
        if os.path.lexists(os.path.join(entry.path, ".git")):
            continue
        if os.path.isfile(os.path.join(entry.path, "pyvenv.cfg")):
            continue
        yield f"{folder}/{name}" if folder else name


def _is_at_or_below(folder: str, base: str) -> bool:
    return folder == base or _is_below(folder, base)


def _is_below(folder: str, base: str) -> bool:
    return folder != base and (not base or folder.startswith(f"{base}/"))
