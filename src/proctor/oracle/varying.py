"""Finds noise at the time of freezing: one build, the environment turned once each way."""

import os
from collections.abc import Iterator

import msgspec

from proctor.oracle import corpus
from proctor.oracle.lock import Varied
from proctor.oracle.masks import Masks
from proctor.oracle.replay import Player, Playing
from proctor.oracle.steps import compare_steps

MOST = 100
"""Sequences that are played under each turn."""


def vary(playing: Playing, sequences: Iterator[corpus.Sequence], scratch: str) -> list[Varied]:
    """Return the fields that one turn of the environment alone changes.

    The build is played as ever, once more, and then in another time zone, locale and
    hash seed, in a folder with a longer name, and with its files made in another order.
    """
    players = {
        "again": Player(playing, os.path.join(scratch, "a")),
        "cwd_length": Player(
            playing._replace(inside="/run/w/" + "long-" * 8), os.path.join(scratch, "long-" * 8)
        ),
    }
    found: dict[tuple[str, int, str], Varied] = {}
    try:
        for number, one in enumerate(sequences):
            if number >= MOST:
                break
            for item in _of(one, players):
                found.setdefault((item.seed, item.step, item.field), item)
    finally:
        for player in players.values():
            player.close()
    return list(found.values())


def _of(one: corpus.Sequence, players: dict[str, Player]) -> Iterator[Varied]:
    plain = players["again"]
    first = plain.play(one).steps
    replace = msgspec.structs.replace
    turns = {
        "again": one,
        "tz": replace(one, tz="Asia/Kathmandu"),
        "hash_seed": replace(one, hash_seed=4242),
        "locale": replace(one, locale="C"),
        "cwd_length": one,
        "file_order": replace(one, files=dict(reversed(one.files.items()))),
    }
    for axis, turned in turns.items():
        if turned == one and axis not in players:
            continue
        steps = players.get(axis, plain).play(turned).steps
        for a, b in zip(first, steps, strict=True):
            delta = compare_steps(a, b, (a,), Masks()).delta
            for field in delta.fields if delta is not None else ():
                yield Varied(seed=a.seed, step=a.step, field=field.path, axis=axis)
