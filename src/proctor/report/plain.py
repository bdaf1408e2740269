"""Makes text from anywhere safe to show on a terminal."""

import unicodedata
from collections.abc import Iterable
from shlex import quote

_UNSAFE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories that move, hide or reorder what stands around them."""


def visible(text: str) -> str:
    r"""Return `text` with everything invisible or directing written as an escape.

    Control characters, ANSI sequences, bidirectional marks, zero-width and
    unassigned characters and lone surrogates become `\n`, `\x1b`, `\u202e`, …;
    letters, signs and emoji of any script stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escape, text))


def visible_argv(argv: Iterable[str]) -> str:
    """Return argv as one line that a shell would read back, made visible."""
    return " ".join(visible(quote(word)) for word in argv)


def without_surrogates(value: object) -> object:
    """Return `value` with what is not UTF-8 shown as an escape."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_surrogates(item) for item in value]
    return value


def _escape(character: str) -> str:
    if unicodedata.category(character) not in _UNSAFE:
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
