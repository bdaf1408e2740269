"""What to type instead: a command without the words that were wrong with it."""

from collections.abc import Callable, Sequence

from proctor.classify.base import Classification
from proctor.classify.classify import classify_argv

Wrong = Callable[[Classification], Sequence[str]]
"""Returns what is wrong with a command, in the words of its classification."""


_VALUED = ("-s", "--start-directory", "-t", "--top-level-directory", "-p", "--pattern")
_CTEST = ("-R", "--tests-regex", "-L", "--label-regex", "-I", "--tests-information")
_TAKES_NEXT = {"unittest": _VALUED, "nose2": _VALUED[:-2], "ctest": _CTEST}
"""Class → options whose value reads like a word that stands alone."""
_PLACES = frozenset(("ctest",))
"""Classes whose selectors only say where the tests are: without them there are none."""


def selecting(what: Classification) -> Sequence[str]:
    """Return everything that keeps a command from running all of its tests."""
    return what.narrowing if what.command_class in _PLACES else (*what.selectors, *what.narrowing)


def not_testing(what: Classification) -> Sequence[str]:
    """Return what makes a command no run of tests."""
    return (*((what.not_a_run,) if what.not_a_run else ()), *what.updates)


def without(what: Classification, wrong: Wrong) -> list[str]:
    """Return the argv of `what` without the words that make it wrong.

    Each word, or pair of words, goes whose going leaves less that is wrong, nothing
    new that is, and all the rest as it was: so an option goes with its value, however
    it was written. What cannot be read anew loses the words as they stand.
    """
    words, current = list(what.argv), _read(what.argv, what)
    named = set(wrong(what))
    if current is None or set(wrong(current)) != named:
        return [word for word in words if word not in named]
    takes_next = _TAKES_NEXT.get(what.command_class, ())
    for at in range(len(words) - 1, 0, -1):
        start = at - (words[at - 1] in takes_next) if at < len(words) else at
        for end in (at + 1, at + 2):
            shorter = words[:start] + words[end:]
            found = _read(shorter, what)
            if found is not None and _is_better(found, current, wrong):
                words, current = shorter, found
                break
    return words


def _read(argv: Sequence[str], like: Classification) -> Classification | None:
    found = classify_argv(argv, peel=False)
    return found if found is not None and found.command_class == like.command_class else None


def _is_better(new: Classification, old: Classification, wrong: Wrong) -> bool:
    before, after = list(wrong(old)), list(wrong(new))
    if len(after) >= len(before) or not set(after) <= set(before):
        return False
    return _rest(new, before) == _rest(old, before)


def _rest(what: Classification, wrong: Sequence[str]) -> list[str]:
    members = (*what.selectors, *what.narrowing, *what.updates, what.not_a_run or "")
    return [word for word in members if word and word not in wrong]
