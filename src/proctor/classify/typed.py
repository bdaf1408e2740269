"""What a person types to start what an argv says."""

import os
import re
from collections.abc import Sequence

from proctor.classify.quotes import unwrapped

_INTERPRETERS = ("python", "pypy", "node", "ruby", "perl", "php")
_SHELLS = frozenset(("sh", "bash", "dash", "ash", "zsh", "ksh"))


def typed(argv: Sequence[str], *, keep_path: bool = False) -> list[str]:
    """Return a command as one would type it.

    An interpreter before an installed script is left out: `python …/bin/pytest`
    is `pytest` to the person who typed it. So is what an agent puts around its
    command, unless the whole is to be run again (`keep_path`).
    """
    words = list(argv)
    if len(words) == 3 and words[1] == "-c" and not keep_path:
        asked = unwrapped(words[2])
        if asked is not None:
            return [os.path.basename(words[0]), "-c", asked]
    if len(words) > 1 and os.path.basename(words[0]).startswith(_INTERPRETERS):
        script = words[1]
        if "/bin/" in script and not os.path.splitext(script)[1]:
            return [script if keep_path else os.path.basename(script), *words[2:]]
    return words


def is_same_command(argv: Sequence[str], asked: Sequence[str]) -> bool:
    """Return whether an argv is what the kernel makes of a typed command.

    It puts the interpreter of a script's first line in front.
    """
    if not asked:
        return False
    head, tail = list(argv[: len(argv) - len(asked)]), list(argv[len(argv) - len(asked) :])
    if len(argv) < len(asked) or tail[1:] != list(asked[1:]):
        return False
    if os.path.basename(tail[0]) != os.path.basename(asked[0]):
        return False
    if not head:
        return tail[0] == asked[0] or os.path.isabs(tail[0]) != os.path.isabs(asked[0])
    if os.path.basename(head[0]) == "env":
        head = head[1:]
    if head and re.fullmatch(r"-[eux]+", head[-1]):
        head = head[:-1]
    if len(head) != 1:
        return False
    name = os.path.basename(head[0])
    return name in _SHELLS or name.startswith(_INTERPRETERS)
