r"""The command texts that a shell's argv holds: an agent's wrapping taken off.

An agent seldom starts a shell with the command alone. Claude Code writes
`bash -c 'source SNAPSHOT && eval '\''CMD'\'' < /dev/null && pwd -P >| FILE'`, others
put braces around it; a hook hands the whole line to another shell. The text itself
stands in argv all the same, and equal text is an exact key. Nothing is executed here.
"""

import re
from collections.abc import Iterator, Sequence

from proctor.classify.quotes import first_word
from proctor.recorder.image import is_shell_line, shell_text

DEEPEST = 4
"""Shells within shells that are looked into."""
_EVAL = re.compile(r"(?:^|[\s;&|({])eval\s+")
_SHELL = re.compile(r"""(?:^|[\s;&|({/'"])(?:ba|da|z|k)?sh['"]?\s+(?:-\w+\s+)*-\w*c\s+""")
_EMPTY_INPUT = re.compile(r"[ \t]*<[ \t]*/dev/null")
_SPACE = re.compile(r"[ \t]+")
_BEFORE = re.compile(r"(?:^|\n|[;{(]|&&)[ \t]*\Z")
_AFTER = re.compile(r"[ \t]*(?:;?[ \t]*[\n})]|;|&&|<[ \t]*/dev/null|\Z)")
SHORTEST = 4
"""Characters of a command that is looked for inside a longer text."""


def normal(text: str) -> str:
    """Return a command as it is compared: spaces folded, an added empty input left out."""
    return _SPACE.sub(" ", _EMPTY_INPUT.sub("", text)).strip().rstrip(";").rstrip()


def texts_of(argv: Sequence[str]) -> tuple[str, ...]:
    """Return the command texts in a shell's argv, outermost first; none if it is no shell."""
    if not is_shell_line(list(argv)):
        return ()
    return tuple(dict.fromkeys(_inside(shell_text(list(argv)) or "", DEEPEST)))


def holds(text: str, command: str) -> bool:
    """Return whether a command stands within a longer text, as a whole.

    It begins where a command may begin and ends where one may end; `pytest` is not
    found in `pytest -q`, nor in `echo pytest`.
    """
    if len(command) < SHORTEST:
        return False
    at = text.find(command)
    while at >= 0:
        if _BEFORE.search(text[:at]) and _AFTER.match(text, at + len(command)):
            return True
        at = text.find(command, at + 1)
    return False


def _inside(text: str, depth: int) -> Iterator[str]:
    yield text
    if not depth:
        return
    for pattern in (_EVAL, _SHELL):
        for found in pattern.finditer(text):
            word = first_word(text, found.end())
            if word:
                yield from _inside(word, depth - 1)
