"""Draws longer sequences with Hypothesis, for what the exhaustive part leaves out."""

import os
import tempfile
from collections.abc import Sequence

from proctor.errors import ConfigError
from proctor.oracle.corpus import Command

_ODD = ("", " ", "-", "--", "a b", "ü", "値", "\t", "'", '"', "$HOME", "*", "x" * 300, "0", "-1")


def drawn(
    operations: Sequence[Command], count: int, length: int, number: int
) -> list[tuple[Command, ...]]:
    """Return `count` sequences, or fewer, the same for the same number and version.

    Raises:
        ConfigError: Hypothesis is not installed.
    """
    if count <= 0:
        return []
    before = os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY")
    with tempfile.TemporaryDirectory() as folder:
        # NOTE: Hypothesis writes a folder even where it is told to keep no database.
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
        try:
            return _drawn(operations, count, length, number)
        finally:
            if before is None:
                del os.environ["HYPOTHESIS_STORAGE_DIRECTORY"]
            else:
                os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = before


def _drawn(
    operations: Sequence[Command], count: int, length: int, number: int
) -> list[tuple[Command, ...]]:
    try:
        from hypothesis import HealthCheck, Phase, given, seed, settings
        from hypothesis import strategies as st
    except ImportError:
        raise ConfigError(
            "sequences are drawn by Hypothesis: pip install '.[oracle]' in Proctor's clone, "
            "or leave out --draw"
        ) from None
    plain = st.sampled_from(list(operations))
    words = st.one_of(
        st.sampled_from(_ODD),
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12),
    )

    @st.composite
    def odd(draw: st.DrawFn) -> Command:
        one = draw(plain)
        if len(one.argv) < 2:
            return one
        at = draw(st.integers(1, len(one.argv) - 1))
        return Command(argv=(*one.argv[:at], draw(words), *one.argv[at + 1 :]), stdin=one.stdin)

    found: dict[tuple[Command, ...], None] = {}

    @seed(number)
    @settings(
        max_examples=4 * count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(st.one_of(plain, plain, odd()), min_size=2, max_size=length + 3))
    def collect(steps: list[Command]) -> None:
        if len(found) < count:
            found.setdefault(tuple(steps))

    collect()
    return list(found)
