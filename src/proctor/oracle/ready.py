"""Whether two builds are ready to be played: they start, and fork as they start."""

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from proctor.oracle import corpus
from proctor.oracle.replay import Player, Playing

SAMPLE = 20
"""Sequences on which a fork server is held against fresh processes."""


class Odd(NamedTuple):
    """What a smoke step did in place of what it should."""

    said: str
    dead: bool
    """Whether it did not even end by itself, or not as the first build's ended."""


class Ready:
    """Tries builds, by label, in a folder for what is made on the way."""

    def __init__(self, playings: Mapping[str, Playing], scratch: str) -> None:
        self._playings = playings
        self._scratch = scratch

    def _player(self, name: str, label: str, serve: Sequence[str] = ()) -> Player:
        place = os.path.join(self._scratch, f"{name}-{label}")
        return Player(self._playings[label], place, serve)

    def smoke(self, argv: Sequence[str], output: str) -> dict[str, Odd]:
        """Return the builds that do not say `output`, and what they do instead."""
        found: dict[str, Odd] = {}
        first: int | None = None
        for label in self._playings if argv else ():
            player = self._player("smoke", label)
            (step,) = player.play(corpus.Sequence(seed="smoke", steps=(tuple(argv),))).steps
            player.close()
            said = f"{step.stdout.shown() or ''}{step.stderr.shown() or ''}"
            killed = bool(step.signal or step.timed_out)
            if output not in said or killed:
                how = step.signal or ("timed out" if step.timed_out else f"exit {step.exit_code}")
                what = f"{' '.join(argv)} said {said.strip()[:200]!r} ({how}), not {output!r}"
                found[label] = Odd(what, killed or step.exit_code != first)
            first = step.exit_code if first is None else first
        return found

    def forks_alike(
        self, modules: tuple[str, ...], sample: Sequence[corpus.Sequence]
    ) -> str | None:
        """Return why steps cannot be forks of a process with these modules; none if they can."""
        for label in self._playings:
            fresh, forked = self._player("a", label), self._player("b", label, modules)
            try:
                for one in sample:
                    if fresh.play(one).steps != forked.play(one).steps:
                        return f"seed {one.seed} differs from a fresh process"
                if not forked.forked:
                    return "the program is not started by Python"
            finally:
                fresh.close()
                forked.close()
        return None
