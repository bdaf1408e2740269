"""Shows text that others wrote so that it cannot act on a terminal or mislead an eye."""

import unicodedata

_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories that are never printed: controls, formats (bidi among them),
surrogates, private and unassigned code points, line and paragraph separators."""


def visible(text: str) -> str:
    r"""Return `text` with everything that is not plainly visible as an escape.

    Escape sequences, line breaks, bidirectional controls and lone surrogates come
    out as `\x1b`, `\n`, `\u202e`, `\udc80`.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(char) if _is_hidden(char) else char for char in text)


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
