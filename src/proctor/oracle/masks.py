"""Masks over pairs of values: the named tokens in which two runs may differ.

A mask covers a whole token on both sides or none: one that hits only one side is
itself a difference. A duration does not cover one ten times as long.
"""

import re
from collections.abc import Mapping

from proctor.noise import MASKS, Token, mask_tokens
from proctor.oracle.pattern import Pattern
from proctor.oracle.texts import tokens_of

ELAPSED = "elapsed time"
"""The mask of a bare number whose key says that it is a time taken."""
_ELAPSED_KEY = re.compile(
    r"(?:.*[_.\-\]])?(?:elapsed|duration|took|runtime|run_time|time_taken|wall_time|latency)"
    r"(?:[_-]?(?:ns|us|ms|s|sec|secs|seconds|millis|time))?(?:#\d+)?\Z",
    re.IGNORECASE,
).match
_PID_KEY = re.compile(r"(?:.*[_.\-\]])?p?pid(?:#\d+)?\Z", re.IGNORECASE).match
_EPOCH_KEY = re.compile(
    r"(?:.*[_.\-\]])?(?:timestamp|epoch|ts|mtime|ctime)(?:#\d+)?\Z", re.IGNORECASE
).match
_NUMBER = re.compile(r"\d{1,12}(?:\.\d{1,9})?\Z").match
_PID = re.compile(r"[1-9]\d{0,6}\Z").match
_EPOCH = re.compile(r"\d{9,19}(?:\.\d{1,9})?\Z").match
_QUANTITY = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)\s?([a-zµμ]*)").match
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "milliseconds": 1e-3}
_MINUTES = frozenset(("minutes", "mins", "minute", "min"))
_DELIMITERS = frozenset("\"'<>(){}[],=|")


class Masks:
    """The named masks and a project's own.

    Raises:
        ConfigError: a pattern cannot be understood.
    """

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        self._own = {name: Pattern(text) for name, text in (own or {}).items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all masks."""
        return (*MASKS, ELAPSED, *self._own)

    def hits(
        self, old: str, new: str, *, any_time: bool = False
    ) -> list[tuple[str, str, str]] | None:
        """Return mask, old and new token for each that differs; none if more differs.

        `any_time`: a duration is one, however long.
        """
        first, mine = self._apply(old)
        second, theirs = self._apply(new)
        if first != second or len(mine) != len(theirs):
            return None
        found = []
        for (name, a), (_, b) in zip(mine, theirs, strict=True):
            if a == b:
                continue
            if name == "duration" and not any_time and is_slower(_seconds(a), _seconds(b)):
                return None
            if name in _SHAPED and not _SHAPED[name](a, b):
                return None
            found.append((name, a, b))
        return found

    def value_hits(
        self, key: str, old: str, new: str, *, any_time: bool = False
    ) -> list[tuple[str, str, str]] | None:
        """Return the same for the values of one key, whose name may say what they are."""
        a, b = old.strip('"'), new.strip('"')
        for name, says, fits in _KEYED:
            if says(key) and fits(a) and fits(b):
                if name == ELAPSED and not any_time and is_slower(*_elapsed(key, a, b)):
                    return None
                return [(name, old, new)]
        found = self.hits(f"{key}={old}", f"{key}={new}", any_time=any_time)
        return found or None

    def _apply(self, text: str) -> tuple[str, list[Token]]:
        masked, tokens = mask_tokens(text)
        if not self._own:
            return masked, tokens
        # The built-in masks go first; their names stand in angle brackets now.
        built_in = iter(tokens)
        out: list[str] = []
        found: list[Token] = []
        for part in re.split(r"(<[a-z ]+>)", masked):
            if part.startswith("<") and part[1:-1] in MASKS:
                out.append(part)
                found.append(next(built_in, (part, part)))
                continue
            for token in tokens_of(part):
                name = self._own_name(token)
                out.append(f"<{name}>" if name else token)
                if name:
                    found.append((name, token))
        return "".join(out), found

    def _own_name(self, token: str) -> str | None:
        if token.isspace() or token in _DELIMITERS:
            return None
        return next((name for name, pattern in self._own.items() if pattern.fits(token)), None)


def _is_written_alike(old: str, new: str) -> bool:
    """Return whether two times of day are written in one way, whatever the fraction."""
    return _shape_of_time(old) == _shape_of_time(new)


def _shape_of_time(text: str) -> str:
    text = re.sub(r"[.,]\d+", "", text)
    text = re.sub(r"[+-](\d\d:?\d\d)\Z", r"+\1", text)
    text = re.sub(r"[A-Z][a-z]{2}", "Xxx", re.sub(r"\s+", " ", text))
    return re.sub(r"\d+", "0", re.sub(r"[A-Z]{2,5}", "ZONE", text))


def _is_one_case(old: str, new: str) -> bool:
    """Return whether no letter of one is large where those of the other are small."""
    letters = [[c for c in text.removeprefix("0x") if c.isalpha()] for text in (old, new)]
    cases = [{c.isupper() for c in some} for some in letters]
    return cases[0] <= cases[1] or cases[1] <= cases[0]


_SHAPED = {"timestamp": _is_written_alike, "uuid": _is_one_case, "address": _is_one_case}
"""Masks of tokens that are written in several ways: another way is a change."""


def is_slower(old_s: float, new_s: float) -> bool:
    """Return whether two durations are ten times apart, the longer a second or more."""
    low, high = sorted((old_s, new_s))
    return high >= 1 and high >= 10 * low


def _seconds(text: str) -> float:
    found = _QUANTITY(text)
    if found is None:
        return 0.0
    unit = found[2].lower()
    return float(found[1]) * (60 if unit in _MINUTES else _SECONDS.get(unit, 1.0))


def _elapsed(key: str, old: str, new: str) -> tuple[float, float]:
    """Return two bare numbers as seconds; without a unit in the key, as milliseconds."""
    lower = key.lower()
    seconds = lower.endswith(("_s", "sec", "secs", "seconds")) or "." in old or "." in new
    factor = 1.0 if seconds else 1e-3
    return float(old) * factor, float(new) * factor


_KEYED = (
    (ELAPSED, _ELAPSED_KEY, _NUMBER),
    ("pid", _PID_KEY, _PID),
    ("epoch", _EPOCH_KEY, _EPOCH),
)
