"""A shell's words, read and written; and the command within an agent's wrapping.

NOTE: on the light path, so no regular expressions.
"""

_MARKS = ("/shell-snapshots/", "pwd -P >|")
"""What Claude Code puts around each command of its Bash tool."""
_EVAL = " eval "


def quoted(word: str) -> str:
    """Return a word as a shell takes it literally."""
    plain = word.replace("-", "").replace("/", "").replace(".", "").replace("=", "")
    if plain.replace("_", "").isalnum() and word.isascii():
        return word
    return "'" + word.replace("'", "'\\''") + "'"


def first_word(text: str, at: int = 0) -> str:
    """Return the shell word that begins at a place, its quotes undone; '' if one never ends."""
    word: list[str] = []
    quote = ""
    while at < len(text):
        char = text[at]
        at += 1
        if quote and char == quote:
            quote = ""
        elif not quote and char in "'\"":
            quote = char
        elif char == "\\" and quote != "'":
            following = text[at : at + 1]
            at += 1
            word.append(following if not quote or following in '"\\$`\n' else f"\\{following}")
        elif not quote and char in " \t\r\n;&|<>()":
            break
        else:
            word.append(char)
    return "" if quote else "".join(word)


def unwrapped(text: str) -> str | None:
    """Return what Claude Code's Bash tool was asked for; none if the text is not the tool's.

    The tool runs `source SNAPSHOT && eval 'CMD' < /dev/null && pwd -P >| FILE`.
    """
    if not any(mark in text for mark in _MARKS):
        return None
    at = text.find(_EVAL)
    return (first_word(text, at + len(_EVAL)) if at >= 0 else "") or text
