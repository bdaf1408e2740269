"""Writes points of a set-up down, each with its cure below it."""

from collections.abc import Iterable, Iterator

from proctor.report.plain import visible
from proctor.report.style import Style

_SIGNS = {"ok": ("✓", "ok", "green"), "hint": ("!", "!", "yellow"), "bad": ("✗", "x", "red")}


def lines_of(rows: Iterable[tuple[str, str, str, str]], style: Style) -> Iterator[str]:
    """Yield the lines for rows of state (ok, hint or bad), name, detail and cure."""
    rows = list(rows)
    width = max(len(name) for _, name, _, _ in rows)
    for state, name, detail, cure in rows:
        fine, plain, colour = _SIGNS[state]
        sign = f"{style.sign(fine, plain):<2}"
        yield f"{style.paint(sign, colour)} {name:<{width}}  {visible(detail)}"
        if cure:
            yield f"   {'':<{width}}  {style.sign('→', '->')} {visible(cure)}"
