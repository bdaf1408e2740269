"""What differs between two texts, as regions, in bounded time."""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import AnyStr, NamedTuple

MOST = 1500
"""Items on a side up to which the smallest difference is looked for."""

tokens_of = re.compile(r"\s+|[\"'<>(){}\[\],=|]|[^\s\"'<>(){}\[\],=|]+").findall
"""Takes a text apart into words, single delimiters and blanks; joined they are it again."""


class Region(NamedTuple):
    """Where two sequences differ: `[old_start:old_end]` became `[new_start:new_end]`."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def regions(old: Sequence[str], new: Sequence[str]) -> list[Region]:
    """Return where two sequences differ.

    Common ends are cut off first. What is left is compared to the smallest difference
    up to `MOST` items a side; beyond that, between items that are rare on both sides.
    """
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    a, b = old[start : len(old) - end], new[start : len(new) - end]
    if not a and not b:
        return []
    if len(a) > MOST or len(b) > MOST:
        return [_shift(one, start) for one in _by_rare(a, b)]
    codes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return [
        Region(i + start, j + start, k + start, m + start)
        for tag, i, j, k, m in codes
        if tag != "equal"
    ]


def common_ends(items: Sequence[AnyStr]) -> tuple[AnyStr, AnyStr]:
    """Return what all items begin with, and what they end with behind that."""
    least, most = min(items), max(items)
    front = least[: _common(least, most)]
    rests = [one[len(front) :][::-1] for one in items]
    least, most = min(rests), max(rests)
    return front, least[: _common(least, most)][::-1]


def _shift(region: Region, by: int) -> Region:
    return Region(*(at + by for at in region))


def _common(old: Sequence[object], new: Sequence[object]) -> int:
    count = 0
    for a, b in zip(old, new, strict=False):
        if a != b:
            break
        count += 1
    return count


def _by_rare(old: Sequence[str], new: Sequence[str]) -> list[Region]:
    """Return regions between items that occur once on each side and in the same order."""
    once_old = {item: at for at, item in enumerate(old)}
    counts_old, counts_new = Counter(old), Counter(new)
    anchors: list[tuple[int, int]] = []
    for at, item in enumerate(new):
        if counts_new[item] == 1 and counts_old[item] == 1:
            anchors.append((once_old[item], at))
    kept = _rising(anchors)
    found: list[Region] = []
    i = k = 0
    for j, m in (*kept, (len(old), len(new))):
        if old[i:j] != new[k:m]:
            lead = _common(old[i:j], new[k:m])
            found.append(Region(i + lead, j, k + lead, m))
        i, k = j + 1, m + 1
    return found


def _rising(anchors: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a longest part of `anchors` that rises on the old side."""
    from bisect import bisect_left

    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for at, (old, _) in enumerate(anchors):
        where = bisect_left(ends, old)
        before.append(last[where - 1] if where else -1)
        if where == len(ends):
            ends.append(old)
            last.append(at)
        else:
            ends[where] = old
            last[where] = at
    found = []
    at = last[-1] if last else -1
    while at >= 0:
        found.append(anchors[at])
        at = before[at]
    return found[::-1]
