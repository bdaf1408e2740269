"""What is owed, and which selection covers which.

Pure: how two selections of one runner compare is asked of the functions that are
passed in (those of `proctor.classify.selection`); this module adds the folders
they are relative to.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from proctor.classify.base import Classification
from proctor.config import RequireTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pathspec

_PLACES = frozenset(("path", "package"))
"""Ways of choosing by files or folders, which a folder change can be added to."""

Covers = Callable[[Classification, Classification], bool]


class Selecting(NamedTuple):
    """How selections of one runner compare."""

    covers: Covers
    """Whether the first runs everything that the second runs."""
    is_narrowed: Callable[[Classification], bool]
    """Whether an option, or a variable, leaves tests out."""
    selects_whole: Callable[[Classification, Sequence[str]], bool]
    """Whether all of these test files are selected."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What an argv selects, and where it was started."""

    what: Classification
    where: str
    """Folder it ran in, relative to the repository's root; '' is the root."""
    project: str
    """Nearest folder above it that holds a project file."""

    def key(self) -> tuple[object, ...]:
        """Return what two equal selections share."""
        what = self.what
        return (
            what.command_class,
            self.where,
            what.selectors,
            what.narrowing,
            what.narrowing_env,
        )


def project_of(folder: str, projects: frozenset[str]) -> str:
    """Return the nearest folder at or above `folder` in `projects`, else the root."""
    while folder and folder not in projects:
        folder = os.path.dirname(folder)
    return folder


def selection_covers(a: Selection, b: Selection, covers: Covers) -> bool:
    """Return whether everything that `b` runs, `a` runs too.

    Both must be of one command class. Started in one folder, their arguments are
    compared as they stand; otherwise both are read from the repository's root,
    where a folder without selectors selects itself. A driver speaks only for its
    own project folder, because it reads what to do from there.
    """
    if a.what.command_class != b.what.command_class:
        return False
    if a.where == b.where:
        return covers(a.what, b.what)
    if a.what.kind == "driver":
        return a.project == b.project and covers(a.what, b.what)
    if a.what.matching in _PLACES and b.what.matching in _PLACES:
        return covers(_from_root(a), _from_root(b))
    return not a.what.selectors and _is_within(b.where, a.where) and covers(a.what, b.what)


def within_project(selection: Selection) -> Classification:
    """Return the selection as if started in its project folder."""
    if selection.what.matching not in _PLACES:
        return selection.what
    where = os.path.relpath(selection.where or ".", selection.project or ".")
    return _moved(selection.what, "" if where == "." else where)


def is_whole(selection: Selection, files: Sequence[str], selecting: Selecting) -> bool:
    """Return whether nothing narrows `selection` within its project folder.

    `files` are the known test files of its family, relative to the root. With
    none known, only a selection without selectors is whole.
    """
    if selecting.is_narrowed(selection.what):
        return False
    what = within_project(selection)
    base = f"{selection.project}/" if selection.project else ""
    return selecting.selects_whole(
        what, [path.removeprefix(base) for path in files if path.startswith(base)]
    )


def union(selections: Sequence[Selection]) -> Selection:
    """Return what several selections of one class in one project select together.

    Those that options narrow add nothing, unless all are narrowed.
    """
    whats = [within_project(one) for one in selections]
    plain = [what for what in whats if not what.narrowing and not what.narrowing_env] or whats
    together = _copy(plain[0])
    if all(what.selectors for what in plain):
        together.selectors = tuple(dict.fromkeys(word for what in plain for word in what.selectors))
    else:
        together.selectors = ()
    project = selections[0].project
    return Selection(what=together, where=project, project=project)


def seen_from(selection: Selection, folder: str) -> Selection | None:
    """Return what a selection runs below `folder`, as if that were its project folder.

    None where that cannot be told, or is nothing.
    """
    if _is_within(selection.where, folder):
        return Selection(what=selection.what, where=selection.where, project=folder)
    if selection.what.matching not in _PLACES or not selection.what.selectors:
        return None
    inner = _copy(_from_root(selection))
    inner.selectors = tuple(filter(None, (_inside(folder, word) for word in inner.selectors)))
    return Selection(what=inner, where=folder, project=folder) if inner.selectors else None


def from_requirement(what: Classification, item: RequireTable) -> Selection:
    """Return the selection that `item` owes; `what` is its command, classified."""
    if item.command_class is not None:
        what = _copy(what)
        what.command_class = item.command_class
        what.selectors = item.selectors
    folder = os.path.normpath(item.folder or ".")
    folder = "" if folder == "." else folder
    return Selection(what=what, where=folder, project=folder)


def touched(item: RequireTable, changed: Iterable[str] | None) -> bool:
    """Return whether a change to the files `changed` owes `item`.

    Without knowledge of the change (null), and without `paths`, every item is
    owed.
    """
    if changed is None or not item.paths:
        return True
    spec = patterns(item.paths)
    return any(spec.match_file(path) for path in changed)


def patterns(lines: Sequence[str]) -> "pathspec.GitIgnoreSpec":
    """Return gitignore patterns as something that matches paths."""
    import pathspec

    return pathspec.GitIgnoreSpec.from_lines(lines)


def _is_within(folder: str, base: str) -> bool:
    return not base or folder == base or folder.startswith(base + "/")


def _from_root(selection: Selection) -> Classification:
    return _moved(selection.what, selection.where)


def _moved(what: Classification, folder: str) -> Classification:
    """Return `what` as it would read if started from the folder above `folder`."""
    if not folder:
        return what
    moved = _copy(what)
    moved.selectors = tuple(_joined(folder, word) for word in what.selectors or (".",))
    return moved


def _joined(folder: str, word: str) -> str:
    """Return a selector relative to the folder above; an option stays as it is."""
    if word.startswith(("-", "@")):
        return word
    path = os.path.normpath(os.path.join(folder, word))
    return f"./{path}" if word.startswith("./") else path


def _inside(folder: str, word: str) -> str:
    """Return a selector relative to a folder; an option as it is, none outside of it."""
    if word.startswith(("-", "@")):
        return word
    dot = "./" if word.startswith("./") else ""
    path = word.removeprefix("./")
    if path == folder:
        return "."
    return dot + path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else ""


def _copy(what: Classification) -> Classification:
    copy = Classification(what.argv, what.command_class, what.role, what.kind)
    for name in Classification.__slots__:
        setattr(copy, name, getattr(what, name))
    return copy
