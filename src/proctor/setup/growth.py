"""How large a clone's records are: nothing removes them by itself."""

import os
from collections.abc import Iterator

from proctor.setup.check import Check

LARGE = 1 << 30
"""Bytes in all from which pruning is suggested."""
LARGE_LOG = 256 << 20
"""Bytes of a log from which it is: the gate reads some 200 MB a second."""


def size_of_records(log: str, state: str) -> Check:
    """Return how much the log, its closed parts and the state folder hold."""
    sizes = {
        "log": _size(log),
        "closed": sum(_size(path) for path in _beside(log)),
        "reports": _size(os.path.join(state, "reports")),
        "git objects": _size(os.path.join(state, "objects")),
        "the rest": sum(_size(path) for path in _rest(state)),
    }
    total = sum(sizes.values())
    detail = ", ".join(f"{name} {_shown(size)}" for name, size in sizes.items() if size)
    if total < LARGE and sizes["log"] < LARGE_LOG:
        detail = detail or "nothing yet"
        return Check(name="size", state="ok", detail=f"{detail}; grows until it is pruned")
    cure = "proctor log prune --dry-run, then without it; --delete forgets closed records"
    return Check(name="size", state="hint", detail=detail, cure=cure)


def _beside(log: str) -> Iterator[str]:
    """Yield what belongs to a log and stands beside it."""
    folder, name = os.path.split(log)
    for one in _list(folder):
        if one.startswith((f"{name}.closed-", f"{name}.torn-", f"{name}.closing-")):
            yield os.path.join(folder, one)


def _rest(state: str) -> Iterator[str]:
    for name in _list(state):
        if name.startswith(("index-", "plugin-")):
            yield os.path.join(state, name)


def _list(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _size(path: str) -> int:
    """Return the bytes on disk of a file or folder; 0 where it cannot be looked at."""
    total = 0
    waiting = [path]
    while waiting:
        one = waiting.pop()
        try:
            s = os.lstat(one)
        except OSError:
            continue
        total += s.st_blocks * 512
        if os.path.isdir(one) and not os.path.islink(one):
            waiting += [os.path.join(one, name) for name in _list(one)]
    return total


def _shown(size: int) -> str:
    for unit, step in (("GiB", 1 << 30), ("MiB", 1 << 20)):
        if size >= step:
            return f"{size / step:.1f} {unit}"
    return f"{-(-size // 1024)} KiB"
