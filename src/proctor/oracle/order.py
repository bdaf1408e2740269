"""The order of steps: seeds as people count them, so that S2 stands before S10."""

import re

_PARTS = re.compile(r"(\d+)").split

SeedKey = tuple[tuple[str | tuple[int, str], ...], str]
"""What seeds are sorted by; a total order."""


def seed_key(seed: str) -> SeedKey:
    """Return what `seed` is sorted by: runs of digits by their value, the rest as text.

    Equal keys mean equal seeds: `1` and `01` are two, in this order.
    """
    parts: list[str | tuple[int, str]] = []
    for number, part in enumerate(_PARTS(seed)):
        if number % 2:
            # NOTE: no int(): a seed of many digits would cost, or be refused.
            digits = part.lstrip("0")
            parts.append((len(digits), digits))
        else:
            parts.append(part)
    return tuple(parts), seed
