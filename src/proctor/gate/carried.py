"""What became of tests that are gone: carried on by another one, or their code went too.

A test is carried on by a new or changed test that is executed now and holds all of
its words (renamed, moved, split, merged into one with parameters), or that has its
name and half of its words. Its going is explained where a name that it uses was
defined in the source before and is defined nowhere in the changed files now. This
does **not** show that what carries it on checks as much.
"""

from collections.abc import Iterable, Mapping

from proctor.gate.definitions import Definition, definitions, is_test_side, names
from proctor.gate.evidence import Change

HALF = 0.5
_NOTHING = Definition(frozenset())
_Key = tuple[str, str]


class Carried:
    """What the patch made of tests; `before` and `now` are ids that were and are executed."""

    def __init__(
        self, changes: Iterable[Change], before: Mapping[str, str], now: Iterable[str]
    ) -> None:
        self._old: dict[_Key, Definition] = {}
        self._new: dict[_Key, Definition] = {}
        self._touched: set[str] = set()
        gone: set[str] = set()
        here: set[str] = set()
        for change in changes:
            old_path = change.old_path or change.path
            self._touched.update(change.paths)
            if change.path.endswith(".py"):
                # NOTE: by the new path, as ids of moved files are.
                self._old |= _keyed(change.path, change.old_text)
                self._new |= _keyed(change.path, change.new_text)
            here |= names(change.path, change.new_text)
            if not is_test_side(old_path):
                gone |= names(old_path, change.old_text)
        self._removed = gone - here
        executed = {_key(test) for test in now}
        known = {_key(test) for test in before}
        self._fresh = {
            key: self._new.get(key)
            for key in executed
            if key not in known or self._old.get(key) != self._new.get(key)
        }

    def goes_on(self, test: str) -> bool:
        """Return whether another test carries on a test that is gone."""
        key = _key(test)
        old = self._old.get(key)
        if old is None:
            if key[0].endswith(".py") and key[0] not in self._touched:
                return False  # it is still there, word for word
            return any(_name(other) == _name(key) and other != key for other in self._fresh)
        for other, new in self._fresh.items():
            if new is None:
                continue
            # NOTE: a test that took over another's name, or body, must hold its own words too.
            own = self._old.get(other, _NOTHING).words
            if old.words | own <= new.words and (old.words or other != key):
                return True
            shared = len(old.words & new.words)
            if other != key and _name(other) == _name(key) and shared >= HALF * len(old.words):
                return True
        return False

    def full_name(self, path: str, short: str) -> str:
        """Return the name of a test of the old files with the classes that it is in."""
        names = (name for place, name in self._old if place == path)
        return next((name for name in names if _name((path, name)) == short), short)

    def explanation(self, test: str) -> str:
        """Return what explains that a test is gone, in words; nothing if nothing does."""
        path, name = _key(test)
        old = self._old.get((path, name))
        if old is not None:
            used = old.words
        else:
            stem = path.rpartition("/")[2].partition(".")[0]
            used = frozenset((name.rpartition(".")[2], stem.removeprefix("test_")))
            if not is_test_side(path):
                used = frozenset()  # a test among the code: its own name is no reason
        removed = sorted(used & self._removed)
        return f"{', '.join(removed[:3])} was removed" if removed else ""


class Removed:
    """Tells why a test that the patch deletes had to go."""

    def __init__(self, changes: Iterable[Change]) -> None:
        self._carried = Carried(changes, {}, ())

    def why(self, path: str, short: str) -> str:
        """Return what explains that the test called `short` is gone; nothing if nothing does."""
        return self._carried.explanation(f"{path}::{self._carried.full_name(path, short)}")


def _keyed(path: str, text: str | None) -> dict[_Key, Definition]:
    return {(path, name): found for name, found in definitions(text).items()}


def _key(test: str) -> _Key:
    path, _, rest = test.partition("::")
    return path, rest.partition("[")[0]


def _name(key: _Key) -> str:
    """Return the last part of a test's name."""
    return key[1].rpartition("::")[2]
