"""How two selections of one runner compare.

Pure functions over what argv says: whether one selection runs everything that
another runs, and whether a selection leaves out any of the test files that are
known. A wrong *yes* would let a narrow run stand for a full one, so whatever
cannot be told from the words is a *no*.
"""

import posixpath
import re
from collections.abc import Callable, Sequence

from proctor.classify.base import Classification

_DEFAULT_IS_ONE = frozenset(("make", "just", "mise", "npm run"))
"""Drivers that run one thing of many where no name is given."""
_NAMES_TESTS = frozenset(("cargo test", "cargo test binary", "cargo nextest"))
"""Runners whose patterns are matched against test names, not against files."""


def is_narrowed(what: Classification) -> bool:
    """Return whether an option or a variable may leave tests out.

    Options that only let an empty run pass are none of these.
    """
    return bool(_narrowing(what) or what.narrowing_env or _options(what))


def covers(a: Classification, b: Classification) -> bool:
    """Return whether `a` runs everything that `b` runs.

    Both are of one command class and read from the same folder. `a` must select
    at least as much and must not be narrowed by anything that `b` lacks.
    """
    if not _narrowing(a) | set(a.narrowing_env) <= _narrowing(b) | set(b.narrowing_env):
        return False
    if _options(a) != _options(b):
        return False
    mine, theirs = _places(a), _places(b)
    if not mine:
        return not theirs or a.command_class not in _DEFAULT_IS_ONE
    holds = _HOLDS[a.matching]
    return bool(theirs) and all(any(holds(one, other) for one in mine) for other in theirs)


def selects_whole(what: Classification, files: Sequence[str]) -> bool:
    """Return whether every one of `files` is selected, narrowing aside.

    `files` are the known test files of the runner's family, relative to the
    folder that the selectors are relative to. Where selectors are given and no
    file is known, the answer is no.
    """
    places = _places(what)
    if not places:
        return True
    if what.matching == "name" or what.command_class in _NAMES_TESTS:
        return False
    selects = _SELECTS[what.matching]
    return bool(files) and all(any(selects(place, path) for place in places) for path in files)


def _narrowing(what: Classification) -> set[str]:
    return set(what.narrowing).difference(what.allows_empty)


def _options(what: Classification) -> frozenset[str]:
    """Return the options among the selectors, such as another ini file or a plugin."""
    return frozenset(word for word in what.selectors if word.startswith(("-", "@")))


def _places(what: Classification) -> list[str]:
    """Return what is selected by place or name; none means everything."""
    words = [word for word in what.selectors if not word.startswith(("-", "@"))]
    if what.matching == "package":
        return [_package(word) for word in words or ["."]]
    if what.matching == "dotted":
        return [_dotted(word) for word in words]
    if what.matching == "path":
        paths = [_path(word) for word in words]
        return [] if "." in paths else paths
    return words


def _path(word: str) -> str:
    """Return `file::Class::test` with its file in the shortest spelling."""
    file, mark, test = word.partition("::")
    return posixpath.normpath(file) + mark + test


def _dotted(word: str) -> str:
    """Return a module's name; unittest takes a file's path as well."""
    if word.endswith(".py") or "/" in word:
        return posixpath.normpath(word).removesuffix(".py").replace("/", ".")
    return word


def _package(word: str) -> str:
    """Return Go's package pattern without `./` in front: `.`, `pkg`, `pkg/...`."""
    return posixpath.normpath(word)


def _holds_path(outer: str, inner: str) -> bool:
    if outer == inner:
        return True
    if "::" in outer:
        return inner.startswith((outer + "::", outer + "["))
    return inner.startswith((outer + "/", outer + "::"))


def _holds_dotted(outer: str, inner: str) -> bool:
    return inner == outer or inner.startswith(outer + ".")


def _holds_package(outer: str, inner: str) -> bool:
    if outer == "...":
        return not inner.startswith("../")
    if outer.endswith("/..."):
        base = outer.removesuffix("/...")
        return inner == base or inner.startswith(base + "/")
    return inner == outer


def _holds_pattern(outer: str, inner: str) -> bool:
    """Whether whatever matches `inner` matches `outer`: told for plain text only."""
    return outer == inner or (_is_plain(outer) and _is_plain(inner) and outer in inner)


def _is_plain(pattern: str) -> bool:
    return not re.search(r"[\\^$*+?()\[\]{}|]", pattern)


def _same(outer: str, inner: str) -> bool:
    return outer == inner


def _selects_path(place: str, path: str) -> bool:
    return path == place or ("::" not in place and path.startswith(place + "/"))


def _selects_dotted(place: str, path: str) -> bool:
    return _holds_dotted(place, _dotted(path))


def _selects_package(place: str, path: str) -> bool:
    return _holds_package(place, posixpath.dirname(path) or ".")


def _selects_pattern(place: str, path: str) -> bool:
    try:
        return re.search(place, path) is not None
    except re.error:
        return False


_HOLDS: dict[str, Callable[[str, str], bool]] = {
    "path": _holds_path,
    "dotted": _holds_dotted,
    "package": _holds_package,
    "pattern": _holds_pattern,
    "name": _same,
}
_SELECTS: dict[str, Callable[[str, str], bool]] = {
    "path": _selects_path,
    "dotted": _selects_dotted,
    "package": _selects_package,
    "pattern": _selects_pattern,
}
