"""Tells one failure of a test from another.

Two failures with the same fingerprint said the same thing, numbers that change from
run to run aside. It does **not** show that they have the same cause.
"""

import re

from proctor._digest import sha256_hex
from proctor.noise import masked

LENGTH = 16
"""Hex digits."""
_LONGEST = 4000
"""Characters of a failure that are looked at."""
_NO_MESSAGE = frozenset({"", "failed", "failure", "error", "fail", "not ok", "true"})
"""What some producers write as the message of every failure."""
_ESCAPES = re.compile(r"(?:\x1b|#x1B|\\x1[bB]|\\e|\ufffd)?\[[0-9;]{0,12}m")
_FRAME = re.compile(
    r"""\s*(?:
        at\s.+ | File\s".*",\sline\s\d+.* | \S+:\d+(?::\d+)?:?\sin\s.* | \S+\.\w+:\d+(?::\d+)?:?
        | .*\+0x[0-9a-f]+ | goroutine\s\d+\s.* | \^+ | ---\s(?:FAIL|SKIP|PASS):.*
        | ===\s.* | \d+\s\|.* | >\s\d+\s\|.*
    )""",
    re.VERBOSE,
)
"""A line of a stack, or of what the runner itself prints."""
_NUMBER = re.compile(r"\b\d+\.\d{4,}(?:[eE][+-]?\d+)?|\d{4,}")
"""A number that is long enough to be another one each time: a time, a port, a size."""
_VALUES = re.compile(r"(?s)(?<=\n)assert .*")
"""What pytest adds to the message of an assertion: the values, other ones each time."""
_PLACE = re.compile(r"(?<=[\w/.-]\.\w)(\w{0,5}):\d+(?::\d+)?")
"""The line (and column) that stands after a file's name."""


def fingerprint(kind: str, message: str, text: str = "") -> str | None:
    """Return the fingerprint of a failure: its type, and what its message says.

    None where it says nothing at all. Where the message says nothing, the lines of
    `text` that are no stack stand for it.
    """
    said = message.strip()
    if said.lower() in _NO_MESSAGE:
        lines = text[:_LONGEST].splitlines()
        kept = [line.strip() for line in lines if line.strip() and not _FRAME.fullmatch(line)]
        said = "\n".join(kept) or text[:_LONGEST].strip()
    plain = _VALUES.sub("", _ESCAPES.sub("", said[:_LONGEST]))
    plain = _NUMBER.sub("<number>", masked(_PLACE.sub(r"\1", plain))[0])
    words = " ".join(f"{kind.strip()} {plain}".split())
    return None if not words else sha256_hex(words.encode("utf-8", "backslashreplace"))[:LENGTH]
