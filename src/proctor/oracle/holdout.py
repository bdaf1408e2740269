"""A hold-out sample: sequences drawn anew for one check, which nobody could prepare for.

A patch that was written with the corpus at hand may behave at its steps and nowhere
else. The sample is not pinned, so it decides nothing: what differs there is reported,
with the line that adds it to the corpus.
"""

import random
from collections.abc import Iterable, Sequence

import msgspec

from proctor.config import OracleTable
from proctor.oracle import corpus
from proctor.oracle.delta import Delta
from proctor.oracle.engine import Shard
from proctor.oracle.generate import mistakes, operations
from proctor.oracle.masks import Masks
from proctor.oracle.policy import Policy
from proctor.oracle.steps import compare_steps
from proctor.oracle.trace import Step

_STEP = msgspec.json.Decoder(Step)
_TRIES = 20
"""Draws for each sequence that is wanted, where many were drawn already."""


class Differing(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the sample at which the builds differ."""

    delta: Delta
    line: str
    """The sequence up to it, as a line of the corpus."""


class HoldOut(msgspec.Struct, frozen=True, kw_only=True):
    """What a sample showed; report only."""

    seeds: int
    steps: int
    number: int
    """What it was drawn with: the same number and grammar give the same sample."""
    differing: tuple[Differing, ...] = ()
    """Steps with a delta that the policy does not allow, the first of each sequence."""


def sample(
    table: OracleTable, known: Iterable[corpus.Sequence], count: int, number: int
) -> list[corpus.Sequence]:
    """Return `count` sequences of the grammar that the corpus has not, or fewer.

    Raises:
        ConfigError: a command of the grammar names a domain that there is not.
    """
    plain, wrong = operations(table), mistakes(table)
    if not table.commands:
        return []
    seen = {corpus.nameless(one) for one in known}
    draw = random.Random(number)  # noqa: S311 - a sample, no secret
    found: list[corpus.Sequence] = []
    for _ in range(_TRIES * count):
        if len(found) == count:
            break
        length = draw.randint(1, max(2, table.length) + 1)
        steps = tuple(draw.choice(plain if draw.random() < 0.8 else wrong) for _ in range(length))
        one = corpus.Sequence(seed=f"h{len(found) + 1}", steps=steps)
        content = corpus.nameless(one)
        if content not in seen:
            seen.add(content)
            found.append(one)
    return found


def compared(
    drawn: Sequence[corpus.Sequence],
    shards: Sequence[Sequence[Shard]],
    masks: Masks,
    policy: Policy | None,
) -> tuple[int, tuple[Differing, ...]]:
    """Return how many steps there were, and where the builds differ.

    `shards` are those of the old build, of the new one, and of the old one again.
    """
    runs = [_steps(some) for some in shards]
    by_seed = {one.seed: one for one in drawn}
    used = list(policy.used) if policy is not None else []
    found: dict[str, Differing] = {}
    for old, new, again in zip(*runs, strict=True):
        delta = compare_steps(old, new, (again,), masks).delta
        if delta is None or not delta.changed or delta.seed in found:
            continue
        if policy is not None and policy.settle(delta).allowed:
            continue
        whole = by_seed[delta.seed]
        first = msgspec.structs.replace(whole, steps=whole.steps[: delta.step])
        line = corpus.line_of(first).decode("utf-8").strip()
        found[delta.seed] = Differing(delta=delta, line=line)
    if policy is not None:
        # NOTE: an entry that only the sample needs is stale all the same.
        policy.used = used
    return len(runs[0]), tuple(found.values())


def _steps(shards: Sequence[Shard]) -> list[Step]:
    return [_STEP.decode(line) for shard in shards for line in shard.trace.splitlines()]
