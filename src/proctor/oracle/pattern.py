r"""A project's own masks: patterns for whole tokens, matched in linear time.

A pattern is a row of characters, each optionally repeated. `.` is any character,
`[a-f0-9]` one of a set, `[^-]` none of it, `\d` a digit, `\w` a letter, digit or
underscore, `\h` a hex digit; `\` before any other sign is that sign. `?`, `*`, `+`,
`{3}`, `{1,8}` and `{2,}` repeat what stands before them. There are no groups and no
alternatives: two patterns do the work of one with `|`. So a match looks at each
character once, whatever the pattern.
"""

import re
from collections.abc import Callable

from proctor.errors import ConfigError

LONGEST = 200
"""Characters of a pattern; and of the states that its counts unfold to, five times that."""
_MOST = 1000
_COUNT = re.compile(r"\{(\d{1,3})(?:(,)(\d{0,3}))?\}").match
_CLASSES: dict[str, Callable[[str], bool]] = {
    "d": str.isdecimal,
    "w": lambda c: c.isalnum() or c == "_",
    "h": lambda c: c in "0123456789abcdefABCDEF",
}
_Test = Callable[[str], bool]


class Pattern:
    """A pattern, compiled.

    Raises:
        ConfigError: it is none; the message says where it stops making sense.
    """

    def __init__(self, text: str) -> None:
        if not text or len(text) > LONGEST:
            raise ConfigError(f"the pattern {text!r}: give 1 to {LONGEST} characters")
        self._states: list[tuple[_Test, bool, bool]] = []
        """Test, may be passed over, may repeat."""
        at = 0
        while at < len(text):
            test, at = _atom(text, at)
            least, most, at = _repeat(text, at)
            self._states += [(test, False, False)] * least
            if most is None:
                self._states.append((test, True, True))
            else:
                self._states += [(test, True, False)] * (most - least)
            if len(self._states) > _MOST:
                raise ConfigError(f"the pattern {text!r}: its counts are too large")

    def fits(self, token: str) -> bool:
        """Return whether the whole of `token` matches."""
        here = self._reach({0})
        for character in token:
            ahead = set()
            for state in here:
                if state < len(self._states) and self._states[state][0](character):
                    ahead.add(state if self._states[state][2] else state + 1)
            here = self._reach(ahead)
            if not here:
                return False
        return len(self._states) in here

    def _reach(self, states: set[int]) -> set[int]:
        """Return the states that are reached from `states` without a character."""
        found = set()
        for state in states:
            at = state
            found.add(at)
            while at < len(self._states) and self._states[at][1] and at + 1 not in found:
                at += 1
                found.add(at)
        return found


def _atom(text: str, at: int) -> tuple[_Test, int]:
    sign = text[at]
    if sign == "\\":
        if at + 1 == len(text):
            raise ConfigError(f"the pattern {text!r} ends in a backslash")
        name = text[at + 1]
        if name in _CLASSES:
            return _CLASSES[name], at + 2
        if name.isalnum():
            raise ConfigError(f"the pattern {text!r}: \\{name} means nothing here")
        return name.__eq__, at + 2
    if sign == "[":
        return _set(text, at)
    if sign in "?*+{|()^$":
        raise ConfigError(
            f"the pattern {text!r}: {sign!r} at {at + 1} is not understood; see docs/oracle.md, "
            "or put a backslash before it"
        )
    if sign == ".":
        return (lambda _: True), at + 1
    return sign.__eq__, at + 1


def _set(text: str, at: int) -> tuple[_Test, int]:
    end = text.find("]", at + 2)
    if end < 0:
        raise ConfigError(f"the pattern {text!r}: the [ at {at + 1} is not closed")
    inside = text[at + 1 : end]
    negated = inside.startswith("^")
    inside = inside[negated:]
    singles, ranges = set(), []
    i = 0
    while i < len(inside):
        if inside[i + 1 : i + 2] == "-" and i + 2 < len(inside):
            ranges.append((inside[i], inside[i + 2]))
            i += 3
        else:
            singles.add(inside[i])
            i += 1

    def test(character: str) -> bool:
        held = character in singles or any(a <= character <= b for a, b in ranges)
        return held is not negated

    return test, end + 1


def _repeat(text: str, at: int) -> tuple[int, int | None, int]:
    sign = text[at : at + 1]
    if sign == "?":
        return 0, 1, at + 1
    if sign == "*":
        return 0, None, at + 1
    if sign == "+":
        return 1, None, at + 1
    found = _COUNT(text, at) if sign == "{" else None
    if found is None:
        return 1, 1, at
    least = int(found[1])
    if found[2] is None:
        most: int | None = least
    else:
        most = int(found[3]) if found[3] else None
    if most is not None and most < least:
        raise ConfigError(f"the pattern {text!r}: {found[0]} counts backwards")
    return least, most, found.end()
