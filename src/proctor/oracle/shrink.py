"""Shortens a sequence while it still shows one and the same change.

ddmin over the steps, then over the words of each; the predicate is "shows the same
change". What is left shows by experiment whether a change is a root: it is a
consequence where even the shortest sequence needs a step that shows another change.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from proctor.oracle import corpus
from proctor.oracle.atoms import atoms_of
from proctor.oracle.builds import PLACE
from proctor.oracle.cluster import Cluster, Clusters, without_circles
from proctor.oracle.corpus import Command
from proctor.oracle.delta import Delta
from proctor.oracle.masks import Masks
from proctor.oracle.replay import Player
from proctor.oracle.steps import compare_steps

TRIES = 60
"""Sequences that are tried for one change."""
CHANGES = 25
"""Changes that are shortened in one check."""


class Found(NamedTuple):
    """The shortest sequence that shows a change, and what it shows."""

    sequence: corpus.Sequence
    deltas: tuple[Delta, ...]
    tries: int


class Shrinker:
    """Plays shortened sequences on both builds."""

    def __init__(self, *, old: Player, new: Player, masks: Masks, command: tuple[str, ...]) -> None:
        self._old = old
        self._new = new
        self._masks = masks
        self._command = tuple(word.replace(PLACE, ".") for word in command)
        self._tries = 0
        self._known: dict[bytes, tuple[Delta, ...]] = {}

    @property
    def spawns(self) -> int:
        """Processes that were started."""
        return self._old.spawns + self._new.spawns

    def deltas(self, sequence: corpus.Sequence) -> tuple[Delta, ...]:
        """Return what the builds do differently in a sequence."""
        key = corpus.line_of(sequence)
        if key not in self._known:
            self._tries += 1
            old, new = self._old.play(sequence).steps, self._new.play(sequence).steps
            found = (
                compare_steps(a, b, (a,), self._masks).delta for a, b in zip(old, new, strict=True)
            )
            self._known[key] = tuple(one for one in found if one is not None and one.changed)
        return self._known[key]

    def shrink(self, sequence: corpus.Sequence, shows: Callable[[Delta], bool]) -> Found | None:
        """Return the shortest sequence found with a delta that `shows`; none if it has none."""
        self._tries, self._known = 0, {}
        deltas = self.deltas(sequence)
        last = next((delta.step for delta in deltas if shows(delta)), None)
        if last is None:
            return None

        def holds(steps: Sequence[Command]) -> bool:
            if self._tries >= TRIES or not steps:
                return False
            return any(map(shows, self.deltas(_with(sequence, steps))))

        steps = _ddmin(list(sequence.commands[:last]), holds)
        steps = _fewer_words(steps, holds)
        final = _with(sequence, steps)
        if final.files and holds(steps):
            bare = msgspec.structs.replace(final, files={})
            if self._tries < TRIES and any(map(shows, self.deltas(bare))):
                final = bare
        return Found(final, self.deltas(final), self._tries)

    def lines(self, sequence: corpus.Sequence) -> tuple[str, ...]:
        """Return a sequence as lines that a person can paste."""
        turned = {
            "TZ": sequence.tz,
            "LC_ALL": sequence.locale,
            "PYTHONHASHSEED": sequence.hash_seed,
        }
        env = sequence.env | {name: str(v) for name, v in turned.items() if v is not None}
        files = tuple(_file_lines(sequence))
        note = ("# in a terminal",) if sequence.tty else ()
        steps = (corpus.shell_line(one, self._command, env) for one in sequence.commands)
        return (*note, *files, *steps)

    def close(self) -> None:
        """Remove the folders."""
        self._old.close()
        self._new.close()


def _file_lines(sequence: corpus.Sequence) -> Iterator[str]:
    from shlex import quote

    for name in sequence.fixtures:
        yield f"cp -r oracle/fixtures/{quote(name)} {quote(name)}"
    for name, given in sequence.files.items():
        text = given if isinstance(given, str) else given.text
        if text is not None:
            yield f"printf %s {quote(text)} > {quote(name)}"
        elif not isinstance(given, str) and given.target is not None:
            yield f"ln -s {quote(given.target)} {quote(name)}"
        elif not isinstance(given, str):
            yield f"printf %s {quote(given.b64 or '')} | base64 -d > {quote(name)}"


def _with(sequence: corpus.Sequence, steps: Sequence[Command]) -> corpus.Sequence:
    return msgspec.structs.replace(sequence, steps=tuple(steps))


def _ddmin(steps: list[Command], holds: Callable[[Sequence[Command]], bool]) -> list[Command]:
    """Return as few steps as still hold; the shortest first."""
    if len(steps) > 1 and holds(steps[-1:]):
        return steps[-1:]
    size = max(1, len(steps) // 2)
    while len(steps) > 1:
        shorter = None
        for start in range(0, len(steps), size):
            rest = steps[:start] + steps[start + size :]
            if rest and holds(rest):
                shorter = rest
                break
        if shorter is not None:
            steps = shorter
            size = min(size, max(1, len(steps) // 2))
        elif size == 1:
            break
        else:
            size //= 2
    return steps


def _fewer_words(steps: list[Command], holds: Callable[[Sequence[Command]], bool]) -> list[Command]:
    """Return the steps with as few words as still hold, the command's name kept."""
    for number, step in enumerate(steps):
        at = len(step.argv) - 1
        while at >= 1:
            argv = (*step.argv[:at], *step.argv[at + 1 :])
            tried = msgspec.structs.replace(step, argv=argv)
            if holds([*steps[:number], tried, *steps[number + 1 :]]):
                steps = [*steps[:number], tried, *steps[number + 1 :]]
                step = tried  # noqa: PLW2901 - the shorter one is tried further
            at -= 1
    return steps


def explained(
    clusters: Sequence[Cluster],
    taken: Clusters,
    shrinker: Shrinker,
    sequences: Callable[[], Iterator[corpus.Sequence]],
    progress: Callable[[str, int, int], None],
) -> tuple[Cluster, ...]:
    """Return the changes with a reproducer each, and which are roots by experiment."""
    wanted = {one.first[0] for one in clusters[:CHANGES]}
    chosen = {one.seed: one for one in sequences() if one.seed in wanted}
    atoms = {one.number: taken.atoms(one.number) for one in clusters}
    number_of = {atom: number for number, many in atoms.items() for atom in many}
    found = []
    for done, one in enumerate(clusters, 1):
        sequence = chosen.get(one.first[0]) if done <= CHANGES else None
        shrunk = None
        if sequence is not None:
            own = atoms[one.number]
            shrunk = shrinker.shrink(sequence, lambda delta, own=own: _shows(delta, own))  # type: ignore[misc]
        found.append(one if shrunk is None else _settled(one, shrunk, number_of, shrinker))
        progress("shrink", done, len(clusters))
    return without_circles(found)


def _shows(delta: Delta, atoms: frozenset[tuple[tuple[str, ...], ...]]) -> bool:
    return not atoms.isdisjoint(atoms_of(delta))


def _settled(
    one: Cluster,
    shrunk: Found,
    number_of: dict[tuple[tuple[str, ...], ...], int],
    shrinker: Shrinker,
) -> Cluster:
    """Return a change with its reproducer; a consequence if another one shows before it."""
    showing = [
        delta.step
        for delta in shrunk.deltas
        if one.number in {number_of.get(atom) for atom in atoms_of(delta)}
    ]
    own = showing[0] if showing else len(shrunk.sequence.steps)
    before = [
        number
        for delta in shrunk.deltas
        if delta.step < own
        for atom in atoms_of(delta)
        if (number := number_of.get(atom)) is not None and number != one.number
    ]
    return msgspec.structs.replace(
        one,
        follows=before[0] if before else None,
        how="replay",
        reproducer=shrinker.lines(shrunk.sequence),
    )
