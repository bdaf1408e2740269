"""Writes text from anywhere into Markdown, so that nothing in it is markup.

A forge turns more into links and messages than the syntax tells: `@name` writes to
somebody, `#12` and a commit's id leave a trace elsewhere, `www.` and `:smile:` become
what they name. Within code nothing of this happens, so every word that is more than
plain letters is shown as code.
"""

import re

from proctor.report.plain import visible

_WORD = re.compile(r"[(]?(?:[A-Za-z]+(?:['-][A-Za-z]+)*|[0-9]{1,6}(?:[.,][0-9]{1,3})*)[).,:;?]*\Z")
"""A word, or a number, in which no forge and no Markdown sees anything."""
_QUOTED = re.compile(r"`([^`]+)`")


def as_code(text: str) -> str:
    """Return text as one piece of code, whatever backticks it holds."""
    shown = visible(text)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    # NOTE: the spaces keep a text that begins or ends with backticks, or is blank, apart.
    return f"{fence} {shown} {fence}" if longest or not shown.strip() else f"{fence}{shown}{fence}"


def as_words(text: str) -> str:
    """Return text as a sentence; what is not plain words in it as code.

    What the text itself has in backticks is one piece.
    """
    parts: list[str] = []
    at = 0
    for quoted in _QUOTED.finditer(text):
        parts += _pieces(text[at : quoted.start()])
        parts += [as_code(quoted[1])]
        at = quoted.end()
    parts += _pieces(text[at:])
    return "".join(parts)


def as_cell(text: str) -> str:
    """Return Markdown that may stand in a cell of a table."""
    return text.replace("|", "\\|")


def _pieces(text: str) -> list[str]:
    """Return the words of a text with the blanks between them, odd ones in a row as one."""
    found: list[str] = []
    odd = ""
    for piece in re.split(r"( +)", text):
        if not piece.strip(" "):
            found += [piece] if not odd else []
            odd += piece if odd else ""
        elif _is_plain(piece):
            found += [*_flushed(odd), piece]
            odd = ""
        else:
            odd += piece
    return found + _flushed(odd)


def _flushed(odd: str) -> list[str]:
    kept = odd.rstrip(" ")
    return [as_code(kept), odd[len(kept) :]] if kept else [odd]


def _is_plain(word: str) -> bool:
    return _WORD.match(word) is not None and not word.lower().startswith(("www.", "gh-"))
