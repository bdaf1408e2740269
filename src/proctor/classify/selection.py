"""Compares what commands select: which run covers which, and is it the whole suite.

Pure, and by the words alone: that `tests` covers `tests/test_a.py` is seen, that
two differently named folders are one (a link) is not. Doubt makes a selection
smaller, never larger. Folders are relative to one root that the caller chooses.
"""

import posixpath
import re
from collections.abc import Sequence

from proctor.classify.base import Classification

_EVERYTHING = frozenset((".", "./", ""))
_PLAIN = re.compile(r"[\w./@:, -]*\Z")
"""A pattern that reads the same as text and as a regular expression, `.` aside."""


def positionals(what: Classification) -> tuple[str, ...]:
    """Return the selectors that name tests, files, packages or targets."""
    return tuple(word for word in what.selectors if not word.startswith(("-", "@")))


def is_narrowed(what: Classification) -> bool:
    """Return whether an option, or a variable, may leave tests out.

    Positional selectors are not looked at: see `selects_whole`.
    """
    narrowing = [word for word in what.narrowing if word not in what.allows_empty]
    return bool(narrowing or what.narrowing_env or _selecting(what) or what.not_a_run)


def covers(a: Classification, b: Classification, folder_a: str = "", folder_b: str = "") -> bool:
    """Return whether `a` runs every test that `b` runs.

    They must be of one command class. `folder_a` and `folder_b` are where they
    were started. No selectors stand for everything in the folder; for a target
    of make, a script of npm and the like they stand for the default alone.
    """
    if a.command_class != b.command_class or a.not_a_run or a.remote != b.remote:
        return False
    if not _options_cover(a, b):
        return False
    if a.matching == "name":
        same_place = posixpath.normpath(folder_a or ".") == posixpath.normpath(folder_b or ".")
        mine, theirs = set(positionals(a)), set(positionals(b))
        return same_place and (mine >= theirs if mine and theirs else mine == theirs)
    wanted = _places(b, folder_b)
    return all(
        any(_covers_one(a.matching, mine, theirs) for mine in _places(a, folder_a))
        for theirs in wanted
    )


def selects_whole(what: Classification, test_files: Sequence[str], folder: str = "") -> bool:
    """Return whether nothing leaves out one of the known `test_files`.

    `test_files` are the files of the runner's family, relative to the root, as
    `folder` is. With none known only a command without selectors is whole.
    """
    if is_narrowed(what):
        return False
    if not positionals(what) and (not test_files or what.matching == "name"):
        return True
    return bool(test_files) and count_selected(what, test_files, folder) == len(test_files)


def count_selected(what: Classification, known: Sequence[str], folder: str = "") -> int:
    """Return how many of `known`, files or test ids, the positional selectors choose.

    Narrowing options are not applied: an expression given to `-k` is for the
    runner to read.
    """
    if what.matching == "name":
        return len(known)
    places = _places(what, folder)
    return sum(any(_selects(what.matching, place, item) for place in places) for item in known)


def _selecting(what: Classification) -> tuple[str, ...]:
    """Return options such as `-c=FILE` and `@FILE` that change what is found."""
    return tuple(word for word in what.selectors if word.startswith(("-", "@")))


def _options_cover(a: Classification, b: Classification) -> bool:
    if sorted(_selecting(a)) != sorted(_selecting(b)):
        return False
    if not set(a.narrowing_env) <= set(b.narrowing_env):
        return False
    mine, theirs = _by_option(a), _by_option(b)
    for name, values in mine.items():
        if set(values) <= set(a.excluding):
            if not set(values) <= set(theirs.get(name, ())):
                return False
        elif values != theirs.get(name):
            # NOTE: of `-k x -k y` one runner takes the last, another both.
            return False
    return True


def _by_option(what: Classification) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in what.narrowing:
        if word not in what.allows_empty:
            found.setdefault(word.partition("=")[0], []).append(word)
    return found


def _places(what: Classification, folder: str) -> list[str]:
    """Return the positional selectors as seen from the root, the folder if there are none."""
    given = positionals(what)
    if what.matching == "pattern":
        return list(given) or [""]
    if what.matching == "package":
        return [_package(word, folder) for word in given or (".",)]
    if what.matching == "dotted":
        return [_joined(folder, _undotted(word)) for word in given or (".",)]
    return [_joined(folder, word) for word in given or (".",)]


def _joined(folder: str, word: str) -> str:
    path, colons, test = word.partition("::")
    path = posixpath.normpath(posixpath.join(folder, path))
    return ("" if path == "." else path) + colons + test


def _undotted(word: str) -> str:
    """Return `tests/mod/Case` for `tests.mod.Case` and `tests/mod` for `tests/mod.py`."""
    if word in _EVERYTHING:
        return "."
    if "/" in word or word.endswith(".py"):
        return word.removesuffix(".py")
    return word.replace(".", "/")


def _package(word: str, folder: str) -> str:
    """Return a package pattern as a folder, behind it `/...` for all below."""
    if word in ("all", "..."):
        return "/..."
    if not word.startswith((".", "/")):
        # An import path: comparable only with itself.
        return "import:" + word
    base = word.removesuffix("...").rstrip("/") if word.endswith("...") else word
    path = _joined(folder, base or ".")
    return f"{path}/..." if word.endswith("...") else path


def _covers_one(matching: str, mine: str, theirs: str) -> bool:
    if mine == theirs:
        return True
    if matching == "package":
        return _below(mine, theirs.removesuffix("/..."))
    if matching == "pattern":
        return not mine or (bool(_PLAIN.match(mine + theirs)) and mine in theirs)
    return _is_within(theirs, mine)


def _below(pattern: str, package: str) -> bool:
    """Return whether the package pattern `X/...` holds a folder."""
    if not pattern.endswith("/...") or package.startswith("import:"):
        return False
    top = pattern.removesuffix("/...")
    if not top:
        return not package.startswith("../")
    return package == top or package.startswith(top + "/")


def _selects(matching: str, place: str, item: str) -> bool:
    if matching == "package":
        return _covers_one(matching, place, posixpath.dirname(item))
    if matching == "pattern":
        return _matches(place, item)
    if matching == "dotted":
        item = _undotted(item)
    elif any(char in place for char in "*?["):
        return _globs(place, item)
    return _is_within(item, place)


def _matches(pattern: str, item: str) -> bool:
    try:
        return re.search(pattern, item, re.IGNORECASE) is not None
    except re.error:
        return pattern in item


def _globs(pattern: str, item: str) -> bool:
    from pathspec import GitIgnoreSpec

    if "::" in pattern or "[" in pattern:
        # `test_a.py::test_b[1]` is the name of a test, not a pattern.
        return _is_within(item, pattern)
    return GitIgnoreSpec.from_lines(["/" + pattern]).match_file(item)


def _is_within(inner: str, outer: str) -> bool:
    """Return whether a path or test id lies in another: by folders, `::` and `[`."""
    if not outer or inner == outer:
        return True
    return inner.startswith(outer) and (inner[len(outer) :][:1] in ("/", "[", ":"))
