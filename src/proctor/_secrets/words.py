"""Where a word of a shell line ends: quotes, backslashes, substitutions.

On the light path. This is enough to say how far a value reaches; what a line
*does* is `proctor.classify.shell`'s to say.
"""

QUOTES = "'\""
BETWEEN = frozenset(" \t\r\n;|&()<>`")
"""Characters that part words where nothing quotes them."""
SEPARATORS = frozenset(";|&\n()`")
"""Those of them after which another command begins."""


def quoted_end(text: str, start: int) -> int:
    """Return the index of the quote that closes the one at `start`, or -1.

    A backslash protects a character within double quotes, as in a shell.
    """
    quote = text[start]
    end = text.find(quote, start + 1)
    if quote == "'":
        return end
    while end >= 0 and _is_escaped(text, start + 1, end):
        end = text.find(quote, end + 1)
    return end


def is_quoted(word: str) -> bool:
    """Return whether one pair of quotes holds the whole word."""
    return len(word) >= 2 and word[0] in QUOTES and quoted_end(word, 0) == len(word) - 1


def word_end(text: str, start: int, *, whole: bool = False) -> int:
    """Return the index after the word that begins at `start`.

    `whole` keeps `$(…)` and backticks in the word. A quote that nothing closes
    is a character like any other.
    """
    at = start
    while at < len(text):
        here = text[at]
        if here == "\\":
            at += 2
        elif here in QUOTES and (end := quoted_end(text, at)) >= 0:
            at = end + 1
        elif whole and (end := _substitution_end(text, at)) > at:
            at = end
        elif here in BETWEEN:
            break
        else:
            at += 1
    return min(at, len(text))


def unquote(word: str) -> str:
    """Return what a quoted word holds, its escapes undone as far as `quote` can redo them."""
    inner = word[1:-1]
    if word[0] == "'" or "\\" not in inner:
        return inner
    return _unescape(inner) if _is_reversible(inner) else inner.replace('\\"', '"')


def quote(plain: str, word: str) -> str:
    """Return `plain` quoted as `word` was, from which `unquote` took it."""
    mark, inner = word[0], word[1:-1]
    if mark == '"' and "\\" in inner:
        plain = _escape(plain) if _is_reversible(inner) else plain.replace('"', '\\"')
    return f"{mark}{plain}{mark}"


def _is_reversible(inner: str) -> bool:
    return _escape(_unescape(inner)) == inner


def _is_escaped(text: str, start: int, at: int) -> bool:
    count = 0
    while at - count > start and text[at - count - 1] == "\\":
        count += 1
    return count % 2 == 1


def _unescape(text: str) -> str:
    parts = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and text[at + 1 : at + 2] in ('"', "\\", "$", "`"):
            at += 1
        parts.append(text[at : at + 1])
        at += 1
    return "".join(parts)


def _escape(text: str) -> str:
    for mark in ("\\", '"', "$", "`"):
        text = text.replace(mark, "\\" + mark)
    return text


def _substitution_end(text: str, at: int) -> int:
    """Return the index after the substitution that begins at `at`, or `at`.

    One that nothing closes reaches to the end of the text.
    """
    if text[at] == "(":
        return _closed(text, at)
    if text[at] == "`":
        return text.find("`", at + 1) + 1 or len(text)
    if text.startswith("${", at):
        return text.find("}", at + 1) + 1 or len(text)
    return at


def _closed(text: str, at: int) -> int:
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] == "(") - (text[index] == ")")
        if depth == 0:
            return index + 1
    return len(text)
