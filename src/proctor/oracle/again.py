"""Runs what differs once more: what holds up is a change, what comes and goes is told.

Only sequences in which something differed are played again, on both sides. A field
that the old build was stable in and the new one is not is a change too, and says in
how many runs it showed. How long a step took is judged by the fastest runs only.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from proctor.oracle.delta import Change, Delta, Field
from proctor.oracle.engine import Shard, shard_of
from proctor.oracle.masks import Masks
from proctor.oracle.steps import Compared, command_of, compare_steps
from proctor.oracle.trace import PlainStep, Step

MOST = 400
"""Sequences that are played again."""
SLOWER = 5.0
"""How many times longer a step takes before that is a change …"""
LEAST_S = 0.15
"""… and how many seconds at the least."""
_TIMED = frozenset(("timed_out", "time", "left_running"))
_STEP = msgspec.json.Decoder(Step)


class Again:
    """What further runs showed, by seed."""

    def __init__(self, masks: Masks, reruns: int) -> None:
        self._masks = masks
        self._reruns = reruns
        self._nominated: dict[str, None] = {}
        self._left_out = 0
        self._old: dict[tuple[str, int], list[Step]] = {}
        self._new: dict[tuple[str, int], list[Step]] = {}
        self._seconds: dict[tuple[str, int], tuple[list[float], list[float]]] = {}
        self._slow: frozenset[str] = frozenset()
        self.spawns = 0

    def nominate(self, steps: Sequence[Step | PlainStep]) -> Compared:
        """Compare a step, and remember its sequence if it differs."""
        found = compare_steps(steps[0], steps[1], steps[2:], self._masks)
        if found.delta is not None and found.delta.changed:
            self._remember(steps[0].seed)
        return Compared(None, ())

    def _remember(self, seed: str) -> None:
        if seed in self._nominated:
            return
        if len(self._nominated) < MOST:
            self._nominated[seed] = None
        else:
            self._left_out += 1

    def wanted(self, slow: frozenset[str]) -> frozenset[str]:
        """Return the sequences to play again, those that took much longer among them."""
        self._slow = slow
        for seed in sorted(slow):
            self._remember(seed)
        return frozenset(self._nominated)

    def take(self, is_new: bool, data: bytes) -> None:
        """Take the shard of a further run."""
        shard = shard_of(data)
        self.spawns += shard.spawns
        kept = self._new if is_new else self._old
        seconds = [second for many in shard.seconds for second in many]
        for line, took in zip(shard.trace.splitlines(), seconds, strict=True):
            step = _STEP.decode(line)
            key = (step.seed, step.step)
            kept.setdefault(key, []).append(step)
            self._seconds.setdefault(key, ([], []))[is_new].append(took)

    def judge(self, steps: Sequence[Step | PlainStep]) -> Compared:
        """Return what holds up of the difference between two steps."""
        old, new = steps[0], steps[1]
        assert isinstance(old, Step)  # noqa: S101 - a replay writes typed traces
        key = (old.seed, old.step)
        others = [*steps[2:], *self._old.get(key, ())]
        found = compare_steps(old, new, others, self._masks)
        news = self._new.get(key, [])
        fields = list(found.delta.fields) if found.delta is not None else []
        if news:
            again = [self._fields(old, one, others) for one in news]
            fields = [self._confirmed(field, again) for field in fields]
            fields = [field for field in fields if field.path != "time"]
        slower = self._slower(key)
        if slower is not None:
            fields.append(slower)
        if not fields:
            return Compared(None, found.hits)
        delta = found.delta or Delta(
            seed=old.seed, step=old.step, command=command_of(old), fields=()
        )
        return Compared(msgspec.structs.replace(delta, fields=tuple(fields)), found.hits)

    def _fields(self, old: Step, new: Step, others: Sequence[Step | PlainStep]) -> frozenset[str]:
        found = compare_steps(old, new, others, self._masks)
        if found.delta is None:
            return frozenset()
        return frozenset(field.path for field in found.delta.changed)

    def _confirmed(self, field: Field, again: Sequence[frozenset[str]]) -> Field:
        """Return a field with how often it showed, where that was not always."""
        if field.change is Change.UNSTABLE:
            return field
        times = 1 + sum(field.path in paths for paths in again)
        runs = 1 + len(again)
        if times == runs:
            return field
        note = f"in {times} of {runs} runs of the new build"
        if times == 1 and field.path in _TIMED:
            return msgspec.structs.replace(field, change=Change.UNSTABLE, note=note)
        return msgspec.structs.replace(field, note=note)

    def _slower(self, key: tuple[str, int]) -> Field | None:
        """Return the field of a step that takes much longer, by the fastest runs."""
        old, new = self._seconds.get(key, ([], []))
        if key[0] not in self._slow or not old or not new:
            return None
        was, now = min(old), min(new)
        if now < SLOWER * was or now - was < LEAST_S:
            return None
        return Field(path="time", old="as ever", new="five times as long, or longer")

    def remarks(self) -> list[str]:
        """Return what is to be known about the further runs."""
        if not self._left_out:
            return []
        return [f"{self._left_out:,} sequences that differ were not played again (most: {MOST})"]


def slow_seeds(chunks: Iterable[Sequence[Shard]], seeds: Iterator[str]) -> frozenset[str]:
    """Return the sequences with a step that took the new build much longer than the old."""
    found = set()
    for old, new, again in chunks:
        for first, mine, second in zip(old.seconds, new.seconds, again.seconds, strict=True):
            seed = next(seeds)
            for a, b, c in zip(first, mine, second, strict=False):
                if b > 2 * min(a, c) and b - min(a, c) > LEAST_S:
                    found.add(seed)
    return frozenset(found)
