"""The oracle's report for people: a headline, the table of deltas, the root changes."""

from proctor.findings import Outcome
from proctor.oracle.cluster import Cluster
from proctor.oracle.delta import Delta
from proctor.oracle.result import Report
from proctor.report.deltas.base import (
    Format,
    cluster_verdict,
    command_of,
    counted,
    notes_of,
    verdict_of,
    what_of,
)
from proctor.report.plain import visible
from proctor.report.style import Style

ROWS = 40
"""Deltas that the table shows."""
CHANGES = 20
WIDEST = 72
"""Characters of the delta's column."""
_COLOURS = {Outcome.PASS: "green", Outcome.FAIL: "red", Outcome.UNPROVEN: "yellow"}
_HEAD = ("seed", "step", "command", "delta", "verdict")


def _render(report: Report, style: Style) -> str:
    outcome = style.paint(report.outcome.value.upper(), _COLOURS[report.outcome])
    lines = [f"{outcome}  {visible(report.sentence)}{style.sign(' · ', ' | ')}{counted(report)}"]
    if report.deltas:
        lines += ["", *_table(report, style)]
    if report.clusters:
        lines += ["", *_changes(report, style)]
    vague = [_unstable(delta) for delta in report.unstable[:5]]
    if vague:
        lines += ["", "unstable (the old build differs from itself):", *vague]
    notes = [visible(note) for note in notes_of(report)]
    if notes:
        lines += ["", *notes]
    if report.delta_set is not None and report.new.tree is not None:
        lines.append(f"once a person has looked: proctor approve {report.delta_set} --reason WHY")
    return "\n".join((*lines, ""))


def _table(report: Report, style: Style) -> list[str]:
    flagged = [delta for delta in report.deltas if not delta.allowed]
    shown = report.deltas if len(report.deltas) <= style.most(ROWS) else flagged[:ROWS]
    rows = [_HEAD, *(_row(delta, style) for delta in shown)]
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        colour = "red" if row[4] == "FLAGGED" else "green" if row[4] != "verdict" else "bold"
        used = sum(widths) + 8
        lines.append("  ".join((*cells, style.paint(style.cut(row[4], used), colour))).rstrip())
    more = report.counts.deltas - len(shown)
    if more:
        dots = style.sign("…", "...")
        lines.append(f"{dots} and {more:,} more: --format json lists {len(report.deltas):,}")
    return lines


def _row(delta: Delta, style: Style) -> tuple[str, ...]:
    what = visible(what_of(delta))
    if not style.unicode:
        what = what.replace("→", "->")
    if len(what) > style.most(WIDEST):
        what = what[: WIDEST - 1] + style.sign("…", ".")
    cells = (visible(delta.seed), str(delta.step), visible(command_of(delta)), what)
    return (*cells, visible(verdict_of(delta)))


def _changes(report: Report, style: Style) -> list[str]:
    roots = [one for one in report.clusters if one.follows is None]
    others = len(report.clusters) - len(roots)
    noun = "root change" if len(roots) == 1 else "root changes"
    follow = "" if not others else f", {others} that follow" + ("s" if others == 1 else "")
    lines = [f"{len(roots)} {noun}{follow}:"]
    for one in report.clusters[: style.most(CHANGES)]:
        lines += _change(one, style)
    if len(report.clusters) > style.most(CHANGES):
        lines.append(f"{style.sign('…', '...')} and {len(report.clusters) - CHANGES:,} more")
    return lines


def _change(one: Cluster, style: Style) -> list[str]:
    commands = ", ".join(one.commands[:4]) + (", …" if len(one.commands) > 4 else "")
    steps = "1 step" if one.deltas == 1 else f"{one.deltas:,} steps"
    what = "; ".join(one.what[:2]) + (" …" if len(one.what) > 2 else "")
    head = visible(
        f"{one.number:>3}. {commands}: {what} ({steps}, first {one.first[0]} {one.first[1]})"
    )
    verdict = visible(cluster_verdict(one))
    if one.follows is not None:
        verdict += f", follows from {one.follows}"
    lines = [style.cut(head), f"     {style.paint(verdict, 'red' if one.flagged else 'green')}"]
    lines += (style.cut(f"     cause: {visible(cause)}") for cause in one.causes[:3])
    lines += (f"     $ {visible(line)}" for line in one.reproducer)
    return lines


def _unstable(delta: Delta) -> str:
    paths = ", ".join(field.path for field in delta.fields)
    return visible(f"  {delta.seed} {delta.step} {command_of(delta)}: {paths}")


FORMAT = Format(render=_render)
