"""Reads the command lines of tool calls: which tests and lint they start.

A session repeats few commands and most of them run no tests, so each different line
is read once, and a line that names no known program not at all.
"""

import functools
import re
import shlex
from collections.abc import Mapping

from proctor.classify import index
from proctor.classify.base import Classification
from proctor.classify.shell import ShellRun, is_test, read_line
from proctor.classify.tools import classify_tool

_WORD = re.compile(r"[^\s'\"`;|&(){}<>$=,]+")
_MOST_LINES = 10_000
_LONGEST = 20_000
"""Characters of a line that is read; a longer one is a file written by hand."""


class LineReader:
    """Reads lines with the project's own classes."""

    def __init__(
        self,
        classes: Mapping[str, Mapping[str, object]] | None = None,
        table: Mapping[str, str] | None = None,
    ) -> None:
        self._classes = classes or {}
        self._table = index.table_or_built(table)
        kept = functools.lru_cache(_MOST_LINES)
        self._runs = kept(self._read)
        self._is_known = kept(self._known)

    def runs(self, command: str | None, argv: tuple[str, ...] | None) -> tuple[ShellRun, ...]:
        """Return the test and lint commands that a call starts, in order."""
        text = shlex.join(argv) if argv else command or ""
        if not self._may_run(text):
            return ()
        return self._runs(text)

    def _may_run(self, text: str) -> bool:
        if self._classes:
            return bool(text)
        return any(map(self._is_known, _WORD.findall(text)))

    def _known(self, word: str) -> bool:
        for key in index.keys(word):
            name = self._table.get(key) if key else None
            if name:
                return True
            if name is not None:
                tool = classify_tool((key,))
                return tool is not None and tool.role == "lint"
        return False

    def _read(self, text: str) -> tuple[ShellRun, ...]:
        runs = read_line(
            text[:_LONGEST], classes=self._classes, table=self._table, counts=_is_of_interest
        )
        return tuple(runs)


def _is_of_interest(found: Classification) -> bool:
    return (is_test(found) or found.role == "lint") and found.kind != "worker"


def mask_of(run: ShellRun) -> str | None:
    """Return a short name of what masks a runner, as `| tail`; none where nothing does."""
    if run.status == "unknown":
        return "only running can tell"
    if run.status != "masked":
        return "may not have started" if run.bypassed else None
    reason = (run.masked_by or "").partition(", then ")[0]
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "Q", reason)
    operator, _, rest = bare.strip().partition(" ")
    if operator == "|":
        rest = re.split(r"\s\|&?\s", rest)[-1]
    words = rest.split()
    return " ".join((operator, *words[:1])) or "unknown"
