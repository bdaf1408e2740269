"""An audit in every format: its findings as a verdict that blocks nothing."""

from collections.abc import Iterator

from proctor.audit import summary
from proctor.audit.base import Format
from proctor.audit.report import Report
from proctor.findings import Finding, Level, Outcome
from proctor.report.answer import Answer, own_formats
from proctor.report.page.base import page_of
from proctor.report.summary import Case, Summary, Table

PACKAGE = "proctor.audit.formats"
_NAMED = 4
"""Agents that are named on the first screen."""
_MOST = 1_000
"""Findings; the JSON lists every run."""


def answer_of(report: Report) -> Answer:
    """Return an audit, ready for every format."""
    verdict = summary_of(report)
    own = own_formats(PACKAGE, Format, report)
    return Answer(verdict=verdict, document=report, page=lambda: page_of(verdict), own=own)


def summary_of(report: Report) -> Summary:
    """Return an audit as a verdict: what deserves a look is a warning, nothing is red."""
    findings = tuple(_findings(report))
    agents = ", ".join(f"{name} {number:,}" for name, number in sorted(report.agents.items()))
    if len(report.agents) > _NAMED:
        agents = f"{len(report.agents):,} agents"
    return Summary(
        command="audit",
        outcome=Outcome.PASS,
        would_block=bool(findings),
        sentence=summary.headline(report),
        findings=findings,
        facts=(
            f"{report.transcripts:,} transcripts",
            *((agents,) if agents else ()),
            *((f"since {report.since}",) if report.since else ()),
        ),
        cases=tuple(
            Case(name=finding.message, outcome=Outcome.FAIL, said=finding.rule)
            for finding in findings
        ),
        tables=tuple(_tables(report)),
        limits=summary.FOOT,
    )


def _findings(report: Report) -> Iterator[Finding]:
    for session, run in summary.worth_a_look(report)[:_MOST]:
        red = run.witness is not None and run.witness.outcome == "red"
        yield Finding(
            rule="masked-exit" if red else "unprovable-exit",
            level=Level.WARNING,
            message=f"`{run.command}`: {summary.remarks(run)}",
            cure="record what runs: proctor watch -- AGENT",
            call_id=run.call_id or None,
            paths=(session.path,),
            line=run.line,
        )
    for session, claim in summary.doubtful_claims(report)[:_MOST]:
        yield Finding(
            rule="doubtful-claim",
            level=Level.WARNING,
            message=f"{claim.text}: {summary.rest(claim)}",
            paths=(session.path,),
            line=claim.line,
        )


def _tables(report: Report) -> Iterator[Table]:
    numbers = tuple((name, f"{number:,}", remark) for name, number, remark in summary.rows(report))
    yield Table(title="Numbers", head=("What", "Number", "Remark"), rows=numbers)
    if masks := summary.masks(report.totals):
        rows = tuple((mask, f"{number:,}") for mask, number in masks)
        yield Table(title="What masked", head=("Masked by", "Times"), rows=rows)
    sessions = [session for session in report.sessions if session.counts.tests]
    if sessions:
        yield Table(
            title="Transcripts",
            head=("Transcript", *summary.SESSION_COLUMNS),
            rows=tuple(
                (one.path, *(f"{number:,}" for number in summary.session_numbers(one)))
                for one in sessions
            ),
        )
    if notes := list(summary.notes(report)):
        yield Table(title="Notes", head=("Note",), rows=tuple((note,) for note in notes))
