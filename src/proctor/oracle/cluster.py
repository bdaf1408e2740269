"""Clusters: deltas that show one and the same change, and which changes are roots.

What a delta shows is taken apart into atoms (`atoms`); deltas of the same atoms are one
change.

A change is a *consequence* where each of its steps comes after a step of the same
seed that shows another change with an effect on what is stored, and is about the same
thing. That is read from the traces alone; a replay shows it by experiment.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from proctor._digest import encode, sha256_hex
from proctor.oracle.atoms import Atom, first_word, groups_of
from proctor.oracle.delta import Delta, Field

MOST = 5_000
"""Changes that are told apart; what comes after them is counted as one."""
MEMBERS = 20
"""Deltas that are kept of each change."""
VARIANTS = 5
"""Changes of one command in one field beyond which they are taken together."""
_EFFECT = re.compile(
    r"(?:files\..*|exit_code|(?:.*[.\]])?(?:status|exit|code|rc|returncode|error|ok|success|result))\Z"
).match


class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """One change, and where it shows."""

    number: int
    commands: tuple[str, ...]
    """The first words of the command lines under which it shows; the first twenty."""
    what: tuple[str, ...]
    """What changed, a line each."""
    paths: tuple[str, ...]
    """The fields."""
    deltas: int
    """Steps that show it."""
    flagged: int
    """How many of these the policy does not allow."""
    first: tuple[str, int]
    """Seed and step of the shortest."""
    reason: str = ""
    """Why the policy allows it, where it allows all of it."""
    follows: int | None = None
    """The change that it is a consequence of; null for a root."""
    how: str = ""
    """How that is known: `traces` or `replay`."""
    reproducer: tuple[str, ...] = ()
    """Command lines that show it, the shortest that were found."""
    causes: tuple[str, ...] = ()
    """Lines of the patch that speak of it: `file:line: text`."""
    variants: int = 1
    """Changes that were taken together here."""
    signature: str = ""
    """What it is told apart by."""


class _Gathered:
    """A change while deltas still come in."""

    __slots__ = (
        "atoms", "commands", "deltas", "first", "flagged", "follows", "mark", "paths", "reasons",
        "variants", "what",
    )  # fmt: skip

    def __init__(self, atoms: tuple[Atom, ...]) -> None:
        self.atoms = atoms
        self.what: list[str] = []
        self.paths: list[str] = []
        self.commands: dict[str, None] = {}
        self.deltas = 0
        self.flagged = 0
        self.first: tuple[int, str, int] | None = None
        self.reasons: dict[str, None] = {}
        self.follows: dict[int | None, int] = {}
        """Number of the change that a member came after → members."""
        self.mark = 0
        """What all its deltas add up to: the same for changes that always show together."""
        self.variants = 1


class _Shown(NamedTuple):
    """What a delta of the seed at hand shows, for those that come after it."""

    step: int
    shared: frozenset[str]
    clusters: tuple[int, ...]


class Clusters:
    """Takes deltas one by one, in order, and tells which changes they show."""

    def __init__(self) -> None:
        self._found: dict[tuple[Atom, ...], int] = {}
        self._all: list[_Gathered] = []
        self._merged: list[tuple[_Gathered, list[int]]] = []
        self._seed: str | None = None
        self._shown: list[_Shown] = []

    def take(self, delta: Delta) -> Delta:
        """Return the delta with the numbers of the changes that it shows."""
        if not delta.changed:
            return delta
        command = first_word(delta.command)
        groups = groups_of(delta, command)
        if delta.seed != self._seed:
            self._seed, self._shown = delta.seed, []
        numbers = []
        for atoms, fields in groups.items():
            number = self._number(atoms)
            numbers.append(number)
            self._add(self._all[number], delta, command, fields)
        self._follow(delta, tuple(numbers))
        return msgspec.structs.replace(delta, clusters=tuple(number + 1 for number in numbers))

    def _number(self, atoms: tuple[Atom, ...]) -> int:
        number = self._found.get(atoms)
        if number is not None:
            return number
        if len(self._all) >= MOST:
            atoms = (("other",),)
            if atoms in self._found:
                return self._found[atoms]
        self._found[atoms] = len(self._all)
        self._all.append(_Gathered(atoms))
        return len(self._all) - 1

    @staticmethod
    def _add(one: _Gathered, delta: Delta, command: str, fields: Sequence[Field]) -> None:
        if not one.what:
            one.what = [line for field in fields for line in say(field)]
            one.paths = list(dict.fromkeys(field.path for field in fields))
        one.deltas += 1
        one.mark ^= hash((delta.seed, delta.step))
        if len(one.commands) < MEMBERS:
            one.commands[command] = None
        open_fields = [field for field in fields if field.allowed is None]
        one.flagged += bool(open_fields)
        for field in fields:
            if field.allowed and len(one.reasons) < MEMBERS:
                one.reasons[field.allowed] = None
        place = (delta.step, delta.seed, delta.step)
        if one.first is None or place[0] < one.first[0]:
            one.first = place

    def _follow(self, delta: Delta, numbers: tuple[int, ...]) -> None:
        shared = frozenset(delta.shared)
        before = [
            number
            for shown in self._shown
            if shown.step < delta.step and shown.shared & shared
            for number in shown.clusters
            if number not in numbers
        ]
        for number in numbers:
            cause = before[0] if before else None
            follows = self._all[number].follows
            follows[cause] = follows.get(cause, 0) + 1
        if any(_EFFECT(field.path) for field in delta.changed):
            self._shown.append(_Shown(delta.step, shared, numbers))
            del self._shown[:-MEMBERS]

    def result(self) -> tuple[Cluster, ...]:
        """Return the changes, roots first, each with the most that show it first."""
        merged = self._merged = _merged(self._all)
        place = {number: at for at, (_, numbers) in enumerate(merged) for number in numbers}
        found = []
        for at, (one, numbers) in enumerate(merged):
            assert one.first is not None  # noqa: S101 - a change has a delta
            cause = _cause(one, numbers)
            follows = place[cause] if cause is not None else at
            found.append(
                Cluster(
                    number=at + 1,
                    commands=tuple(one.commands),
                    what=tuple(one.what),
                    paths=tuple(one.paths),
                    deltas=one.deltas,
                    flagged=one.flagged,
                    first=(one.first[1], one.first[2]),
                    reason="; ".join(one.reasons) if not one.flagged else "",
                    follows=follows + 1 if follows != at else None,
                    how="traces",
                    variants=one.variants,
                    signature=sha256_hex(encode([list(atom) for atom in one.atoms]))[:16],
                )
            )
        return without_circles(found)

    def atoms(self, number: int) -> frozenset[tuple[Atom, ...]]:
        """Return what the change of this number in the result is told apart by."""
        return frozenset(self._all[at].atoms for at in self._merged[number - 1][1])

    def place_of(self) -> dict[int, int]:
        """Return the number in the result of each number that `take` gave."""
        merged = _merged(self._all)
        return {number + 1: at + 1 for at, (_, numbers) in enumerate(merged) for number in numbers}


def _cause(one: _Gathered, numbers: Sequence[int]) -> int | None:
    """Return the change that every member came after, if there is one."""
    if None in one.follows or not one.follows:
        return None
    causes = [number for number in one.follows if number is not None and number not in numbers]
    return max(causes, key=lambda number: one.follows[number], default=None)


def without_circles(found: Sequence[Cluster]) -> tuple[Cluster, ...]:
    """Return the changes, none of which follows, over others, from itself."""
    by_number = {one.number: one for one in found}
    for one in found:
        met = {one.number}
        cause = by_number[one.number].follows
        while cause is not None and cause not in met:
            met.add(cause)
            cause = by_number[cause].follows
        if cause is not None:
            by_number[one.number] = msgspec.structs.replace(one, follows=None)
    return tuple(by_number.values())


def _merged(found: Sequence[_Gathered]) -> list[tuple[_Gathered, list[int]]]:
    """Return the changes, those taken together that are one.

    One are changes that always show at the same steps; and many of one command and
    field.
    """
    same: dict[tuple[int, int], list[int]] = {}
    for number, one in enumerate(found):
        same.setdefault((one.deltas, one.mark), []).append(number)
    first = [(_beside([found[n] for n in numbers]), numbers) for numbers in same.values()]
    groups: dict[tuple[str, ...], list[tuple[_Gathered, list[int]]]] = {}
    for one, numbers in first:
        key = (*sorted(one.commands), "|", *_plain_paths(one))
        groups.setdefault(key, []).append((one, numbers))
    merged: list[tuple[_Gathered, list[int]]] = []
    for many in groups.values():
        if len(many) <= VARIANTS:
            merged += many
        else:
            numbers = sorted(number for _, some in many for number in some)
            merged.append((_together([one for one, _ in many]), numbers))
    merged.sort(key=lambda pair: pair[1][0])
    return merged


def _beside(many: Sequence[_Gathered]) -> _Gathered:
    """Return changes that show at the same steps as one."""
    if len(many) == 1:
        return many[0]
    whole = _Gathered(tuple(atom for one in many for atom in one.atoms))
    whole.what = list(dict.fromkeys(line for one in many for line in one.what))
    whole.paths = list(dict.fromkeys(path for one in many for path in one.paths))
    whole.commands = many[0].commands
    whole.deltas, whole.mark, whole.first = many[0].deltas, many[0].mark, many[0].first
    whole.flagged = max(one.flagged for one in many)
    for one in many:
        whole.reasons |= one.reasons
    whole.follows = many[0].follows
    return whole


def _plain_paths(one: _Gathered) -> list[str]:
    return sorted({re.sub(r"\d+", "0", path) for path in one.paths})


def _together(many: Sequence[_Gathered]) -> _Gathered:
    whole = _Gathered(many[0].atoms)
    whole.what = [*many[0].what, f"and {len(many) - 1} more kinds of it"]
    whole.paths = list(dict.fromkeys(path for one in many for path in one.paths))[:MEMBERS]
    for one in many:
        whole.commands |= one.commands
        whole.deltas += one.deltas
        whole.flagged += one.flagged
        whole.reasons |= one.reasons
        for cause, count in one.follows.items():
            whole.follows[cause] = whole.follows.get(cause, 0) + count
        if one.first is not None and (whole.first is None or one.first < whole.first):
            whole.first = one.first
    whole.variants = len(many)
    return whole


# ── in words ────────────────────────────────────────────────────────────────

SHOWN = 60
"""Characters of a value in a line."""


def say(field: Field) -> Iterator[str]:
    """Yield what changed in a field, a line each."""
    note = f" ({field.note})" if field.note else ""
    if not field.hunks:
        yield f"{field.path} {_value(field.old)} → {_value(field.new)}{note}"
        return
    for hunk in field.hunks[:3]:
        if len(hunk.removed) == len(hunk.added) == 1:
            yield f"{field.path} {_value(hunk.removed[0])} → {_value(hunk.added[0])}{note}"
        else:
            yield from (f"{field.path} -{_cut(line)}" for line in hunk.removed[:3])
            yield from (f"{field.path} +{_cut(line)}{note}" for line in hunk.added[:3])
    if len(field.hunks) > 3:
        yield f"{field.path} and {len(field.hunks) - 3} more places"


def _value(value: str | None) -> str:
    if value is None:
        return "(absent)"
    return _cut(value) if value.strip() else "(empty)"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
