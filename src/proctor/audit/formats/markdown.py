"""The report as Markdown, for an issue or a wiki."""

from collections.abc import Iterator, Sequence

from proctor.audit import summary
from proctor.audit.base import Format
from proctor.audit.report import Report
from proctor.report.markup import as_cell, as_code
from proctor.report.plain import visible
from proctor.report.style import Style

_SESSIONS = 50
_RUNS = 50


def _render(report: Report, style: Style) -> str:
    del style
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# {_plain(summary.headline(report))}"
    yield ""
    if words := summary.explanation(report):
        yield words
        yield ""
    agents = ", ".join(f"{name} {number:,}" for name, number in sorted(report.agents.items()))
    since = f" since {report.since}" if report.since else ""
    yield f"{report.transcripts:,} transcripts{since} ({_plain(agents) or 'none'})."
    yield ""
    rows = [(name, f"{number:,}", remark) for name, number, remark in summary.rows(report)]
    yield from _table(("", "number", ""), rows)
    masks = [(as_code(mask), f"{number:,}") for mask, number in summary.masks(report.totals)]
    if masks:
        yield from _table(("masked by", "times"), masks)
    sessions = [session for session in report.sessions if session.counts.tests]
    if sessions:
        numbers = [map(str, summary.session_numbers(session)) for session in sessions]
        listed = [(as_code(s.path), *row) for s, row in zip(sessions, numbers, strict=True)]
        yield from _table(("transcript", *summary.SESSION_COLUMNS), listed[:_SESSIONS])
    runs = summary.worth_a_look(report)[:_RUNS]
    if runs:
        yield "## Worth a look"
        yield ""
        for session, run in runs:
            yield f"- {as_code(f'{session.path}:{run.line}')}: {as_code(run.command)}"
            yield f"  {_plain(summary.remarks(run))}"
        yield ""
    claims = summary.doubtful_claims(report)[:_RUNS]
    if claims:
        yield "## Claims that rest on no provable run"
        yield ""
        for session, claim in claims:
            yield f"- {as_code(f'{session.path}:{claim.line}')}: {_plain(claim.text)}"
            yield f"  {_plain(summary.rest(claim))}"
        yield ""
    for note in summary.notes(report):
        yield f"- {_plain(note)}"
    yield ""
    yield summary.FOOT


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(as_cell(cell) for cell in row)} |"
    yield ""


def _plain(text: str) -> str:
    r"""Return text in which nothing is markup."""
    shown = visible(text)
    return "".join(f"\\{sign}" if sign in "\\*_[]<>#|`~!" else sign for sign in shown)


FORMAT = Format(render=_render)
