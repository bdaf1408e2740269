"""Decides which shell text is worth a record, and puts the recorder around it.

NOTE: on the light path; no shell grammar here. A text that is not understood is
recorded.
"""

import os
import sys

from proctor.classify.quotes import quoted

_LOOKS = (
    " [ basename cat cd cut date diff dirname du file find grep head jq ls nl pwd readlink realpath"
    " rg sort stat tail test tree uname uniq wc which whoami "
)
"""Programs that look and start nothing, each between blanks."""
_GIT_LOOKS = " blame branch diff log ls-files rev-parse show status "
_FIND_STARTS = ("-exec", "-ok")
_OPENS = ("$", "`", "<(", ">(", "\\\n")
"""What may hide a command; a text that holds one is recorded."""
LONGEST = 120_000
"""Bytes of a rewritten text; the kernel takes 131,071 in one argument, and a text that
it refuses would not run at all."""
SHELL = '"${BASH:-${ZSH_NAME:-sh}}"'
"""The shell that reads the text, in its own words."""


def only_looks(text: str) -> bool:
    """Return whether a shell text does nothing but look at files.

    `git status` and `grep -n x a.py | head` do: a record of them answers no
    question, and costs. In doubt the answer is no.
    """
    if any(mark in text for mark in _OPENS):
        return False
    for mark in "|&;(){}\n":
        text = text.replace(mark, "\0")
    parts = [part.split() for part in text.split("\0")]
    return all(_looks(words) for words in parts if words)


def _looks(words: "list[str]") -> bool:
    if words[0] == "git":
        return len(words) > 1 and f" {words[1]} " in _GIT_LOOKS
    if words[0] == "find" and any(word.startswith(_FIND_STARTS) for word in words):
        return False
    # NOTE: "1" stands after a redirection of a file descriptor, as in `2>&1`.
    return f" {words[0]} " in _LOOKS or words == ["1"]


def recorded(text: str, call_id: str, shell: str = SHELL) -> "str | None":
    """Return the shell text that runs `text` under the recorder; none: leave it alone.

    The text is run by the shell that would have run it, or by `shell`, a shell word;
    and is run even where it cannot be recorded.
    """
    if not text.strip() or only_looks(text) or _is_ours(text):
        return None
    words = [quoted(program()), "watch", "--anyway"]
    if call_id:
        words.append(quoted(f"--parent={call_id}"))
    fresh = " ".join([*words, "--", shell, "-c", quoted(text)])
    return fresh if len(fresh.encode("utf-8", "surrogatepass")) <= LONGEST else None


def _is_ours(text: str) -> bool:
    words = text.split(None, 2)
    return words[0].rpartition("/")[2] == "proctor" and words[1:2] in (["run"], ["watch"])


def program() -> str:
    """Return how Proctor is called from here, whatever the PATH will be.

    An agent's login shell may build PATH anew.
    """
    beside = os.path.join(os.path.dirname(sys.executable), "proctor")
    return beside if os.access(beside, os.X_OK) else "proctor"
