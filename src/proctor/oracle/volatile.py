"""Gives files whose names vary by themselves one name in all runs, so that they compare.

`out-8271.txt` in one old run and `out-4410.txt` in another are `out-*.txt` in both. The
new build's file takes that name too, if it fits what the old ones have in common; what
does not fit, and what is one too many, keeps its own and shows.
"""

import os
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from proctor.oracle.delta import Hit
from proctor.oracle.texts import common_ends
from proctor.oracle.trace import File, Step

MASK = "name of a file"
MOST = 200
"""Files with such names in a step; of more nothing is made alike."""


def with_names(steps: Sequence[Step]) -> tuple[list[Step], tuple[Hit, ...]]:
    """Return the steps (old, new, further old ones), and which names were made alike."""
    touched = [_touched(step) for step in steps]
    old, others = touched[0], touched[2:]
    if not others or all(names == old for names in others):
        return list(steps), ()
    stable = old.intersection(*others)
    loose = [_topmost(names - stable) for names in touched]
    if max(map(len, loose)) > MOST:
        return list(steps), ()
    groups = _groups([loose[0], *loose[2:]])
    renamed = [_renamed(step, names, groups) for step, names in zip(steps, loose, strict=True)]
    hits = tuple(
        Hit(MASK, f"files.{made}", name, next((b for b, m in renamed[1].items() if m == made), ""))
        for name, made in renamed[0].items()
    )
    return [_with(step, names) for step, names in zip(steps, renamed, strict=True)], hits


def _touched(step: Step) -> set[str]:
    return {*step.created, *step.changed, *step.deleted}


def _topmost(names: set[str]) -> set[str]:
    """Return the names that lie below no other of them."""
    return {name for name in names if not any(above in names for above in _above(name))}


def _above(name: str) -> Iterable[str]:
    while "/" in name:
        name = name.rpartition("/")[0]
        yield name


def _groups(runs: Sequence[set[str]]) -> list[tuple[str, str]]:
    """Return front and end that names have in common which every old run has as many of."""
    by_place: dict[tuple[str, str], list[list[str]]] = {}
    for at, names in enumerate(runs):
        for name in names:
            folder, base = os.path.split(name)
            key = folder, os.path.splitext(base)[1]
            by_place.setdefault(key, [[] for _ in runs])[at].append(name)
    found = []
    for (folder, _), lists in by_place.items():
        if len({len(some) for some in lists}) != 1:
            continue
        every = [name for some in lists for name in some]
        front, end = common_ends(every)
        if len(front) >= len(folder):
            found.append((front, end))
    return found


def _renamed(step: Step, names: set[str], groups: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return name → name in all runs; several of one kind are told apart by their content."""
    found: dict[str, str] = {}
    for front, end in groups:
        fitting = [
            name
            for name in names
            if name not in found
            and name.startswith(front)
            and name.endswith(end)
            and len(name) >= len(front) + len(end)
            and "/" not in name[len(front) : len(name) - len(end)]
        ]
        fitting.sort(key=lambda name: (_content(step, name), name))
        for number, name in enumerate(fitting, 1):
            found[name] = f"{front}*{end}" + (f"#{number}" if len(fitting) > 1 else "")
    return found


def _content(step: Step, name: str) -> str:
    file = step.created.get(name) or step.changed.get(name)
    return file.content.sha256 if file is not None and file.content is not None else ""


def _with(step: Step, names: Mapping[str, str]) -> Step:
    if not names:
        return step

    def named(name: str) -> str:
        if name in names:
            return names[name]
        above = next((one for one in _above(name) if one in names), None)
        return name if above is None else names[above] + name[len(above) :]

    def files(given: Mapping[str, File]) -> dict[str, File]:
        return {named(name): file for name, file in given.items()}

    return msgspec.structs.replace(
        step,
        created=files(step.created),
        changed=files(step.changed),
        deleted=tuple(map(named, step.deleted)),
    )
