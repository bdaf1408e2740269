"""Classes of values: what a policy entry and a cluster may say instead of a value."""

import re
from collections.abc import Callable

_NUMBER = re.compile(r"-?\d+\Z").match
_DECIMAL = re.compile(r"-?\d+\.\d+(?:[eE][+-]?\d+)?\Z").match
_WORD = re.compile(r"[\w-]{1,24}\Z").match
_CLASSES: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("empty", lambda text: not text.strip()),
    ("number", _NUMBER),
    ("decimal", _DECIMAL),
    ("word", _WORD),
    ("text", lambda text: "\n" in text.strip("\n")),
    ("line", lambda _: True),
)
_LITERALS = frozenset(("true", "false", "null", "{}", "[]"))
CLASSES = ("absent", *(name for name, _ in _CLASSES), *sorted(_LITERALS))
"""Every class that there is."""


def class_of(value: str | None) -> str:
    """Return the class of a value.

    `absent`, `empty`, `number`, `decimal`, a literal of JSON by its name, `word`,
    `line`, `text` (several lines).
    """
    if value is None:
        return "absent"
    if value in _LITERALS:
        return value
    bare = value[1:-1] if len(value) >= 2 and value[0] == value[-1] == '"' else value
    return next(name for name, fits in _CLASSES if fits(bare))
