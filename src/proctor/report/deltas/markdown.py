"""The oracle's report as Markdown, for a comment on a pull request."""

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

ROWS = 100
_SPECIAL = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]<>#|~"})


def _render(report: Report, style: Style) -> str:
    del style
    lines = [
        f"## Oracle: {report.outcome.value}",
        "",
        f"{_plain(report.sentence)}. {_plain(counted(report))}.",
    ]
    if report.deltas:
        lines += ["", "| seed | step | command | delta | verdict |", "|---|---|---|---|---|"]
        lines += (
            f"| {_plain(one.seed)} | {one.step} | {_code(command_of(one))} | "
            f"{_plain(what_of(one))} | {_verdict(verdict_of(one))} |"
            for one in report.deltas[:ROWS]
        )
        more = report.counts.deltas - min(ROWS, len(report.deltas))
        if more:
            lines += ["", f"… and {more:,} more."]
    if report.clusters:
        lines += ["", f"### {report.counts.roots} root changes", ""]
        for one in report.clusters:
            follows = f", follows from {one.follows}" if one.follows is not None else ""
            commands = ", ".join(map(_code, one.commands))
            lines.append(
                f"{one.number}. {commands}: {_plain('; '.join(one.what[:3]))} "
                f"({one.deltas:,} steps): {_verdict(cluster_verdict(one))}{follows}"
            )
            lines += (f"   cause: {_code(cause)}  " for cause in one.causes)
            if one.reproducer:
                lines += ["", *_block(one.reproducer), ""]
    notes = notes_of(report)
    if notes:
        lines += ["", *(f"* {_plain(note)}" for note in notes)]
    return "\n".join((*lines, ""))


def _plain(text: str) -> str:
    return visible(text).translate(_SPECIAL)


def _verdict(text: str) -> str:
    return f"**{_plain(text)}**" if text.startswith("FLAGGED") else _plain(text)


def _code(text: str) -> str:
    shown = visible(text).replace("|", "\\|")
    fence = "`" * (_longest_ticks(shown) + 1)
    pad = " " if "`" in shown else ""
    return f"{fence}{pad}{shown}{pad}{fence}" if shown else "(none)"


def _block(lines: tuple[str, ...]) -> list[str]:
    shown = [visible(line) for line in lines]
    fence = "`" * max(3, 1 + max(map(_longest_ticks, shown)))
    return [f"   {fence}sh", *(f"   {line}" for line in shown), f"   {fence}"]


def _longest_ticks(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return longest


FORMAT = Format(render=_render)
