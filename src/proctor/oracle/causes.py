"""Names the lines of the patch that speak of a change."""

import re
from collections.abc import Sequence

import msgspec

from proctor.oracle.cluster import Cluster
from proctor.oracle.sides import Line

MOST = 3
_WORDS = re.compile(r"[A-Za-z_][\w-]{2,}|--[\w-]+|\d{2,}").findall
_FIELDS = ("exit_code", "stdout", "stderr", "files", "content", "mode", "time", "signal")
_VALUES = ("absent", "empty", "created", "file", "true", "false", "none", "null", "the", "and")
_DULL = frozenset((*_FIELDS, *_VALUES))
"""Words that say nothing about where a change comes from."""


def with_causes(clusters: Sequence[Cluster], lines: Sequence[Line]) -> tuple[Cluster, ...]:
    """Return the changes, each with the lines of the patch that share its words.

    That a line shares a word does not show that it is the cause.
    """
    if not lines:
        return tuple(clusters)
    words = [frozenset(_WORDS(line.text)) for line in lines]
    return tuple(
        msgspec.structs.replace(one, causes=tuple(_causes(one, lines, words))) for one in clusters
    )


def _causes(cluster: Cluster, lines: Sequence[Line], words: Sequence[frozenset[str]]) -> list[str]:
    wanted = {word for what in cluster.what for word in _WORDS(what)} - _DULL
    wanted |= {word for path in cluster.paths for word in _WORDS(path)} - _DULL
    commands = {word for command in cluster.commands for word in _WORDS(command)} - _DULL
    scored = []
    for at, (line, held) in enumerate(zip(lines, words, strict=True)):
        score = 2 * len(held & wanted) + len(held & commands)
        if score >= 2:
            scored.append((-score, not line.added, at))
    return [_shown(lines[at]) for _, _, at in sorted(scored)[:MOST]]


def _shown(line: Line) -> str:
    sign = "" if line.added else " (removed)"
    return f"{line.path}:{line.number}{sign}: {line.text.strip()[:80]}"
