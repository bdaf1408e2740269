"""Writes spans down for people: a line each, and the parts that other forms share."""

import os
from collections.abc import Sequence
from datetime import datetime, tzinfo

from proctor.classify.typed import typed
from proctor.records.span import Span
from proctor.report.plain import visible, visible_argv
from proctor.report.style import Style

_CLASS_WIDTH = 12
HEADING = f"{'started':<19}  {'exit':<9} {'took':>8}  {'class':<{_CLASS_WIDTH}} command"


def line_of(span: Span, style: Style, zone: tzinfo | None = None) -> str:
    """Return one line of the table: start, end, duration, class, command, tests."""
    end, colour = end_of(span, style)
    name = visible(span.command_class or "-")
    before = f"{started(span.started_at, zone):<19}  "
    middle = f" {took(span.duration_ms):>8}  {name:<{_CLASS_WIDTH}} "
    tests = counts_of(span)
    used = len(before) + 9 + len(middle) + (len(tests) + 2 if tests else 0)
    command = style.cut(command_of(span), used)
    after = f"  {style.paint(tests, 'dim')}" if tests else ""
    return f"{before}{style.paint(f'{end:<9}', colour)}{middle}{command}{after}"


def command_of(span: Span) -> str:
    """Return a span's command for a glance; the record holds argv as it was."""
    return glance(span.argv)


def glance(words: Sequence[str]) -> str:
    """Return argv for a glance: without the folders of the program.

    An interpreter that runs a script beside it (`…/bin/python …/bin/pytest`) is
    left out, and so is what an agent puts around its command.
    """
    argv = tuple(words) or ("",)
    first, *rest = typed(argv) if argv[1:2] == ("-c",) else argv
    if rest and os.path.isabs(rest[0]) and os.path.dirname(rest[0]) == os.path.dirname(first):
        first, *rest = rest
    if os.path.isabs(first):
        first = os.path.basename(first)
    return visible_argv((first, *rest))


def end_of(span: Span, style: Style) -> tuple[str, str | None]:
    """Return how a process image ended, in a word, and the colour for it."""
    good, bad = style.sign("✓", "ok"), style.sign("✗", "x")
    if span.ended_by == "exec":
        return style.sign("↪ exec", "> exec"), "dim"
    if span.timed_out:
        return f"{bad} timeout", "red"
    if span.signal is not None:
        return f"{bad} {visible(span.signal.removeprefix('SIG'))}", "red"
    if span.exit_code is None:
        return "? lost", "yellow"
    return (f"{good} 0", "green") if span.exit_code == 0 else (f"{bad} {span.exit_code}", "red")


def failed(span: Span) -> bool:
    """Return whether a process image ended otherwise than by exit code 0.

    An end that was not witnessed is among them; an image that went on by exec
    is not.
    """
    return span.ended_by != "exec" and span.exit_code != 0


def is_test(span: Span) -> bool:
    """Return whether an image ran tests or started what runs them."""
    return span.role == "test" and span.kind != "worker"


def counts_of(span: Span) -> str:
    """Return the executed tests that a report counted, or nothing."""
    report = span.report
    if report is None:
        return ""
    parts = [f"{report.executed} test{'' if report.executed == 1 else 's'}"]
    if report.failed:
        parts.append(f"{report.failed} failed")
    if report.skipped:
        parts.append(f"{report.skipped} skipped")
    return ", ".join(parts)


def took(duration_ms: int | None) -> str:
    """Return a duration in the unit that a person would choose."""
    if duration_ms is None:
        return "-"
    if duration_ms < 1000:
        return f"{duration_ms} ms"
    seconds = duration_ms / 1000
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} m {rest:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} m"


def started(when: str, zone: tzinfo | None = None) -> str:
    """Return a record's time in `zone` (by default the local one)."""
    try:
        return datetime.fromisoformat(when).astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError):
        return visible(when)[:19] or "-"
