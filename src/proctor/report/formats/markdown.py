"""The verdict as Markdown, for a pull request or a job's summary.

A pass without a warning is one line. Nothing in names, arguments or messages is
markup, and nobody is written to.
"""

from collections.abc import Iterator

from proctor.findings import Finding, Level, Outcome, Suite, Verdict
from proctor.report.base import Format
from proctor.report.markup import as_cell, as_code, as_words
from proctor.report.plain import visible_argv
from proctor.report.said import (
    can_be_approved,
    command_of,
    executed_of,
    facts_of,
    next_step,
    step_of,
    title_of,
    told,
    word_of,
)
from proctor.report.style import Style
from proctor.report.summary import Summary, Table

OPEN = 10
"""Findings that are shown without a click; forges cut long texts."""
MOST = 200
"""Findings that are listed; the rest is counted."""
_SIGNS = {Outcome.PASS: "✅", Outcome.FAIL: "❌", Outcome.UNPROVEN: "❔"}


def _render(verdict: Verdict, style: Style) -> str:
    del style
    return "\n".join((*_lines(verdict), ""))


def _lines(verdict: Verdict) -> Iterator[str]:
    sign = "👀" if verdict.would_block else _SIGNS[verdict.outcome]
    facts = " · ".join(as_words(fact) for fact in facts_of(verdict))
    told_as = f"{title_of(verdict)}: {word_of(verdict)}"
    head = f"{sign} **{told_as}** – {as_words(verdict.sentence)}"
    weighty = [one for one in verdict.findings if one.level is not Level.NOTE]
    if not weighty and not verdict.loosened and not isinstance(verdict, Summary):
        yield f"{head} ({facts})"
        return
    yield head
    yield ""
    yield facts
    if verdict.base is not None:
        yield ""
        yield f"base {as_code(verdict.base.name)} is {as_code(verdict.base.commit)}"
    if step := next_step(verdict):
        yield ""
        yield f"**Next:** {_cure(step)}"
    yield ""
    yield from _findings(weighty[:OPEN])
    if len(weighty) > OPEN:
        rest = weighty[OPEN:MOST]
        yield from _folded(f"{len(weighty) - OPEN:,} more findings", _findings(rest))
    if len(weighty) > MOST:
        yield f"and {len(weighty) - MOST:,} more: `{command_of(verdict)} --format json`"
        yield ""
    yield from _rest(verdict)


def _rest(verdict: Verdict) -> Iterator[str]:
    """Yield what stays folded: suites, tables, notes, inputs; and what was loosened."""
    if verdict.loosened:
        yield f"Loosened: {as_words('; '.join(verdict.loosened))}"
        yield ""
    if verdict.suites:
        yield from _folded("What was judged", _suites(verdict.suites))
    for table in verdict.tables if isinstance(verdict, Summary) else ():
        yield from _folded(as_words(table.title), _table(table))
    notes = [one for one in verdict.findings if one.level is Level.NOTE]
    if notes:
        noun = "1 note" if len(notes) == 1 else f"{len(notes):,} notes"
        yield from _folded(noun, _findings(notes[:MOST]))
    if verdict.inputs:
        rows = (f"- {as_code(name)}: {as_code(value)}" for name, value in verdict.inputs.items())
        yield from _folded("Digests of the inputs", rows)
    if isinstance(verdict, Summary) and verdict.limits:
        yield as_words(verdict.limits)


def _folded(summary: str, lines: Iterator[str]) -> Iterator[str]:
    yield f"<details><summary>{summary}</summary>"
    yield ""
    yield from lines
    yield ""
    yield "</details>"
    yield ""


def _findings(findings: list[Finding]) -> Iterator[str]:
    last = {one.digest: one for one in findings}
    for one in findings:
        yield f"- **{one.level.value}** {as_code(one.rule)}: {as_words(told(one))}"
        if one.cure and one.level is not Level.NOTE:
            yield f"  <br>→ {_cure(one.cure)}"
        if can_be_approved(one) and last[one.digest] is one:
            command = f"proctor approve {one.digest} --reason WHY"
            yield f"  <br>or, once a person has looked at it: {as_code(command)}"
    yield ""


def _table(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(table.head)} |"
    yield f"| {' | '.join('---' for _ in table.head)} |"
    for row in table.rows[:MOST]:
        yield f"| {' | '.join(as_cell(as_words(cell)) for cell in row)} |"
    if len(table.rows) > MOST:
        yield ""
        yield f"and {len(table.rows) - MOST:,} more"


def _cure(cure: str) -> str:
    words, command = step_of(cure)
    return as_words(words) + (as_code(command) if command else "")


def _suites(suites: tuple[Suite, ...]) -> Iterator[str]:
    yield "| | command | tests | attempts on this tree |"
    yield "| --- | --- | --- | --- |"
    for one in suites:
        command = as_code(visible_argv(one.argv) if one.argv else one.name)
        cells = (
            f"{_SIGNS[one.outcome]} {one.outcome.value}",
            command,
            executed_of(one.executed),
            f"{one.attempts:,}, red {one.red:,}",
        )
        yield f"| {' | '.join(as_cell(cell) for cell in cells)} |"


FORMAT = Format(render=_render)
