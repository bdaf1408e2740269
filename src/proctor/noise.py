"""Masks what differs from run to run and means nothing: times, ids, addresses.

A mask replaces a whole token or nothing: `pid=4242` is masked in its value,
`cupid=7` is not touched. Each has a name, and what it hit is counted, so that a
report can say what was not compared. Time is linear in the text. A mask can hide
a true change of just such a token; it never hides that one is missing.
"""

import re
from collections import Counter

_BEFORE = r"(?<![\w.+-])"
_AFTER = r"(?![\w+-]|\.\d)"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
MASKS: dict[str, str] = {
    "timestamp": (
        rf"{_BEFORE}(?:"
        r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?Z| ?[+-]\d\d:?\d\d)?"
        rf"|{_DAY},? (?:{_MONTH} [ \d]\d|\d{{1,2}} {_MONTH})"
        r"(?: \d\d:\d\d:\d\d)?(?: [A-Z]{2,5})? \d{4}"
        r"(?: \d\d:\d\d:\d\d(?: [A-Z]{2,5})?)?"
        rf"){_AFTER}"
    ),
    "uuid": rf"{_BEFORE}[0-9a-fA-F]{{8}}-(?:[0-9a-fA-F]{{4}}-){{3}}[0-9a-fA-F]{{12}}{_AFTER}",
    "address": rf"{_BEFORE}0x[0-9a-fA-F]{{6,16}}{_AFTER}",
    "temporary path": (
        r"(?<![\w.])(?:/private)?(?:/var)?/(?:tmp|folders)/[^\s:'\"<>|,;)\]]{1,4096}"
    ),
    "port": r"(?<=localhost:)\d{4,5}\b|(?<=127\.0\.0\.1:)\d{4,5}\b|(?<=\[::1\]:)\d{4,5}\b",
    "duration": (
        rf"{_BEFORE}\d{{1,12}}(?:\.\d{{1,9}})?\s?"
        rf"(?:ns|[uµμ]s|ms|s|secs?|seconds?|milliseconds?|minutes?|mins?){_AFTER}"
    ),
    "pid": "|".join(
        rf"(?<=\b{name})[1-9]\d{{0,6}}\b" for name in ("pid=", "pid ", "pid: ", "PID ")
    ),
    "epoch": rf"{_BEFORE}1[4-9]\d{{8}}(?:\.\d{{1,9}}|\d{{3}}(?:\d{{3}})?){{0,1}}{_AFTER}",
}
"""Name → what it masks; earlier ones go first."""
_ANY = re.compile("|".join(f"(?P<m{n}>{pattern})" for n, pattern in enumerate(MASKS.values())))
_NAMES = tuple(MASKS)


Token = tuple[str, str]
"""A mask's name and the token it hit."""


def masked(text: str) -> tuple[str, Counter[str]]:
    """Return `text` with each token of noise replaced by its mask's name, and the counts."""
    result, tokens = mask_tokens(text)
    return result, Counter(name for name, _ in tokens)


def mask_tokens(text: str) -> tuple[str, list[Token]]:
    """Return `text` with each token of noise replaced by its mask's name, and the tokens."""
    hits: list[Token] = []

    def replace(found: re.Match[str]) -> str:
        name = _NAMES[int((found.lastgroup or "m0")[1:])]
        hits.append((name, found[0]))
        return f"<{name}>"

    return _ANY.sub(replace, text), hits
