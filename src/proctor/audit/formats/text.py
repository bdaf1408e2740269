"""The report for a terminal: the headline, the numbers, what deserves a look."""

from collections.abc import Iterator, Sequence

from proctor.audit import summary
from proctor.audit.base import Format
from proctor.audit.report import Report
from proctor.report.plain import visible
from proctor.report.style import Style

_SESSIONS = 12
_RUNS = 8
_CLAIMS = 8
_MASKS = 6


def _render(report: Report, style: Style) -> str:
    return "\n".join(line.rstrip() for line in _lines(report, style)) + "\n"


def _lines(report: Report, style: Style) -> Iterator[str]:
    counts = report.totals
    colour = "red" if counts.unprovable else "green" if counts.green else "bold"
    yield style.paint(summary.headline(report), colour)
    if words := summary.explanation(report):
        yield words
    yield ""
    agents = ", ".join(f"{name} {number:,}" for name, number in sorted(report.agents.items()))
    size = report.bytes_read / 1e6
    since = f" since {report.since}" if report.since else ""
    head = f"{report.transcripts:,} transcripts{since} ({agents or 'none'}), {size:,.1f} MB"
    yield style.cut(head)
    yield ""
    for name, number, remark in summary.rows(report):
        if number or name in ("test commands", "claims"):
            yield style.cut(f"  {name:<14}{number:>9,}  {remark}")
    if masks := summary.masks(counts):
        named = "   ".join(
            f"{visible(mask)} {number:,}" for mask, number in masks[: style.most(_MASKS)]
        )
        yield style.cut(f"  {'masked by':<14}{'':>9}  {named}")
    yield from _sessions(report, style)
    yield from _runs(report, style)
    yield from _claims(report, style)
    yield ""
    for note in summary.notes(report):
        yield style.paint(style.cut(visible(note)), "yellow")
    yield style.paint(summary.FOOT, "dim")


def _sessions(report: Report, style: Style) -> Iterator[str]:
    shown = [session for session in report.sessions if session.counts.tests]
    shown.sort(key=lambda session: (-session.counts.unprovable, -session.counts.tests))
    if not shown:
        return
    yield ""
    names = summary.SESSION_COLUMNS
    yield style.paint(f"  {'  '.join(names)}  transcript", "bold")
    for session in shown[: style.most(_SESSIONS)]:
        numbers = zip(names, summary.session_numbers(session), strict=True)
        shown_numbers = "  ".join(f"{number:>{len(name)},}" for name, number in numbers)
        yield style.cut(f"  {shown_numbers}  {visible(session.path)}")
    if len(shown) > style.most(_SESSIONS):
        yield f"  and {len(shown) - _SESSIONS:,} more (--format json lists them all)"


def _runs(report: Report, style: Style) -> Iterator[str]:
    found = [
        (f"{visible(session.path)}:{run.line}", run.command, summary.remarks(run))
        for session, run in summary.worth_a_look(report)
    ]
    yield from _listed("worth a look", found, _RUNS, style)


def _claims(report: Report, style: Style) -> Iterator[str]:
    found = [
        (f"{visible(session.path)}:{claim.line}", claim.text, summary.rest(claim))
        for session, claim in summary.doubtful_claims(report)
    ]
    yield from _listed("claims that rest on no provable run", found, _CLAIMS, style)


def _listed(
    title: str, found: Sequence[tuple[str, str, str]], most: int, style: Style
) -> Iterator[str]:
    """Yield the first places found, each with what stands there and what is to be said."""
    if not found:
        return
    yield ""
    yield style.paint(f"  {title}", "bold")
    for place, text, remark in found[: style.most(most)]:
        yield style.cut(f"  {place}")
        yield style.cut(f"      {visible(text)}")
        yield style.cut(f"      {visible(remark)}")
    if len(found) > style.most(most):
        yield f"  and {len(found) - most:,} more"


FORMAT = Format(render=_render)
