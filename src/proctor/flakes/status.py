"""The standing of tests, for people: as text, Markdown or a page."""

import html
from collections.abc import Sequence

from proctor.flakes.states import STATES, Standing

_COLOURS = {".": "#2da44e", "F": "#cf222e", "R": "#d4a72c", "s": "#afb8c1"}
_STYLE = """
body { font: 14px system-ui, sans-serif; margin: 2em; }
table { border-collapse: collapse; }
td, th { padding: 4px 10px; text-align: left; border-bottom: 1px solid #d0d7de; }
code { font-size: 13px; }
"""
_BOX = 10


def ordered(standings: Sequence[Standing], *, every: bool = False) -> list[Standing]:
    """Return the tests that ask for attention first; stable ones only with `every`."""
    shown = [one for one in standings if every or one.state not in ("stable", "unknown")]
    return sorted(shown, key=lambda one: (STATES.index(one.state), -one.rate, one.test))


def summary(standings: Sequence[Standing]) -> str:
    """Return how many tests are in each state, in a line."""
    counts = [(state, sum(one.state == state for one in standings)) for state in STATES]
    return ", ".join(f"{count} {state}" for state, count in counts if count) or "no test is known"


def as_text(standings: Sequence[Standing]) -> str:
    """Return a table for a terminal."""
    lines = []
    for one in standings:
        lines.append(
            f"{one.state:<8} {one.timeline:<10} {_rate(one):>5} {_interval(one):<9} {one.shown}"
        )
        lines.append(f"         {one.why}")
        if one.flips:
            flips = "; ".join(f"{run[:12]} {what}" for run, what in one.flips)
            lines.append(f"         last flips: {flips}")
        if one.evidence:
            runs = ", ".join(run[:12] for run in one.evidence)
            lines.append(f"         evidence: {runs}")
    return "".join(f"{line}\n" for line in lines)


def as_markdown(standings: Sequence[Standing]) -> str:
    """Return a table for a pull request or a wiki."""
    lines = [
        "| State | Test | Runs | Failures | Interval | Why |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for one in standings:
        cells = (
            one.state,
            f"`{one.shown.replace('`', '´')}`",
            f"`{one.timeline}`",
            _rate(one),
            _interval(one),
            one.why,
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "".join(f"{line}\n" for line in lines)


def as_html(standings: Sequence[Standing], title: str) -> str:
    """Return a page of its own, each test with a picture of its last runs."""
    rows = "".join(
        "<tr>"
        f"<td>{html.escape(one.state)}</td><td>{_picture(one)}</td>"
        f"<td><code>{html.escape(one.shown)}</code><br>{html.escape(one.why)}</td>"
        f"<td>{_rate(one)}</td><td>{_interval(one)}</td>"
        f"<td>{html.escape(', '.join(run[:12] for run in one.evidence))}</td>"
        "</tr>\n"
        for one in standings
    )
    head = "".join(
        f"<th>{name}</th>"
        for name in ("State", "Runs, oldest first", "Test", "Failures", "95 %", "Evidence")
    )
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{html.escape(title)}</h1>\n<table><tr>{head}</tr>\n{rows}</table></body></html>\n"
    )


def _picture(one: Standing) -> str:
    boxes = "".join(
        f'<rect x="{at * (_BOX + 2)}" width="{_BOX}" height="{_BOX}" fill="{_COLOURS[mark]}"/>'
        for at, mark in enumerate(one.timeline)
    )
    width = len(one.timeline) * (_BOX + 2)
    return (
        f'<svg width="{width}" height="{_BOX}" role="img" '
        f'aria-label="{html.escape(one.timeline)}">{boxes}</svg>'
    )


def _rate(one: Standing) -> str:
    return f"{one.failures}/{one.runs}"


def _interval(one: Standing) -> str:
    return f"{one.low:.0%}-{one.high:.0%}"
