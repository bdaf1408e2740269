"""What stands on the page, as values that the template only lays out.

Every text from a log, a transcript or a patch is made visible here; the template
escapes it.
"""

from collections.abc import Iterable

import msgspec

from proctor.findings import Finding, JoinedCall, Level, Outcome, Suite, Verdict
from proctor.oracle.cluster import Cluster
from proctor.records.span import Span
from proctor.report.page.base import Page
from proctor.report.page.evidence import LEVELS, evidence_of
from proctor.report.page.history import Test, tests_of
from proctor.report.page.sides import oracle_of
from proctor.report.page.words import Words, sentence_of, shortened, words_of
from proctor.report.plain import visible
from proctor.report.rules import explain
from proctor.report.said import (
    blocks,
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
from proctor.report.span_text import command_of as shown_command
from proctor.report.span_text import counts_of, end_of, failed, glance
from proctor.report.span_tree import mask_of
from proctor.report.style import Style
from proctor.report.summary import Summary, Table

CHAINS = 3
"""Chains of processes that stand above the fold."""
CHANGES = 3
"""Changes of behaviour that stand there."""
FINDINGS = 500
ROWS = 500
"""Of a table."""
LIMITS = (
    "A verdict shows what the records show. It does not show that the tests are good tests, "
    "and it is no compliance control."
)
CALLS = 500
COMMAND, LONGEST = 300, 4_000
"""Characters of a command at a glance, and of one in a table."""


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """One process of a chain, from the top."""

    command: str
    end: str
    state: str
    """`good`, `bad` or `lost`."""
    note: str = ""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A finding, and what its rule is about."""

    rule: str
    level: str
    words: Words
    cure: Words
    command: str
    blocks: bool
    approval: str
    span_id: str
    paths: tuple[str, ...]
    summary: Words = []
    proves: Words = []
    cause: Words = []


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A suite that was judged."""

    outcome: str
    name: str
    command: str
    executed: str
    attempts: str
    span_id: str
    said: str
    """What the record that decided says."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool call was told, beside what was recorded."""

    call_id: str
    agent: str
    command: str
    told: str
    recorded: str
    state: str
    verdict: str
    span_id: str


def view_of(page: Page) -> dict[str, object]:
    """Return everything that the template shows, by name."""
    verdict = page.verdict
    by_id = {span.span_id: span for span in page.spans}
    step = next_step(verdict)
    words, command = step_of(step)
    shown = verdict.findings[:FINDINGS]
    last = {one.digest: one for one in shown}
    summary = verdict if isinstance(verdict, Summary) else None
    tests, more_tests = tests_of(page)
    reports = [oracle_of(report) for report in page.oracle]
    changes = [_change(one) for report in page.oracle for one in report.clusters if one.flagged]
    return {
        "name": visible(title_of(verdict)),
        "asked": command_of(verdict),
        "is_gate": summary is None,
        "limits": words_of(summary.limits if summary else LIMITS),
        "tables": [_table(one) for one in (summary.tables if summary else ())],
        "tests": tests,
        "more_tests": more_tests,
        "kinds": {
            "findings": _kinds(one.level.value for one in shown),
            "tests": _kinds(one.state for one in tests),
            "deltas": ["flagged", "allowed"],
        },
        "outcome": word_of(verdict),
        "tone": "watch" if verdict.would_block else verdict.outcome.value,
        "title": visible(page.title),
        "written_at": page.written_at,
        "sentence": sentence_of(verdict.sentence),
        "facts": [visible(fact) for fact in facts_of(verdict)],
        "step": sentence_of(words),
        "command": visible(command),
        "chains": _chains(verdict, by_id),
        "rows": [_row(suite, by_id) for suite in verdict.suites],
        "findings": [_entry(one, verdict, last=last[one.digest] is one) for one in shown],
        "more_findings": len(verdict.findings) - len(shown),
        "calls": _calls(verdict),
        "transcripts": _transcripts(verdict),
        "reports": reports,
        "changes": changes[:CHANGES],
        "more_changes": max(len(changes) - CHANGES, 0),
        "held": _held(verdict, by_id, tests)[:CHAINS],
        "evidence": evidence_of(verdict),
        "level": verdict.trust_level,
        "level_text": LEVELS.get(verdict.trust_level, ""),
        "loosened": [visible(text) for text in verdict.loosened],
        "base": verdict.base and _shown(verdict.base),
        "tree": visible(verdict.tree or ""),
        "spans": len(page.spans),
        "left_out": page.left_out,
    }  # fmt: skip


def _kinds(found: Iterable[str]) -> list[str]:
    """Return each kind once, as it comes; one alone is no choice."""
    kinds = list(dict.fromkeys(found))
    return kinds if len(kinds) > 1 else []


def _table(table: Table) -> dict[str, object]:
    head = [visible(name) for name in table.head]
    cells = [[shortened(visible(text), LONGEST) for text in row] for row in table.rows[:ROWS]]
    return {
        "title": visible(table.title),
        "head": head,
        "rows": [list(zip(head, row, strict=True)) for row in cells],
        "more": max(len(table.rows) - ROWS, 0),
    }


def _shown(value: msgspec.Struct) -> dict[str, str]:
    """Return the texts of a value, each made visible."""
    return {name: visible(text) for name, text in msgspec.structs.asdict(value).items()}


# ── the chain from the top to what failed ───────────────────────────────────


def _chains(verdict: Verdict, by_id: dict[str, Span]) -> list[list[Link]]:
    """Return for each failed run, or else each run that counted, who started whom."""
    told_of = [one.span_id for one in verdict.findings if one.level is Level.ERROR]
    counted_runs = [one.span_id for one in verdict.suites]
    chosen = dict.fromkeys(filter(None, (*told_of, *counted_runs)))
    green = {one.span_id for one in verdict.suites if one.outcome is Outcome.PASS}
    found = [
        _chain(
            span, by_id, "its failures are explained" if span_id in green and failed(span) else ""
        )
        for span_id, span in ((one, by_id.get(one)) for one in chosen)
        if span is not None
    ]
    return found[:CHAINS]


def _chain(span: Span, by_id: dict[str, Span], explained: str = "") -> list[Link]:
    above: list[Span] = []
    seen = {span.span_id}
    parent = by_id.get(span.parent_span_id or "")
    while parent is not None and parent.span_id not in seen:
        seen.add(parent.span_id)
        above.append(parent)
        parent = by_id.get(parent.parent_span_id or "")
    above.reverse()
    mask = mask_of(span, above)
    links = [_link(one, _note(one, mask)) for one in above if one.ended_by != "exec"]
    said = counts_of(span)
    note = "what really happened" if mask is not None else explained
    return [*links, _link(span, ", ".join(filter(None, (said, note))))]


def _note(span: Span, mask: Span | None) -> str:
    return "what the caller was told" if mask is not None and span is mask else ""


def _link(span: Span, note: str = "") -> Link:
    end, _ = end_of(span, Style())
    state = "lost" if span.exit_code is None else "bad" if failed(span) else "good"
    return Link(command=shortened(shown_command(span), COMMAND), end=end, state=state, note=note)


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change of behaviour that nobody allowed, at a glance."""

    command: str
    what: str
    where: str


def _change(cluster: Cluster) -> Change:
    return Change(
        command=shortened(visible(", ".join(cluster.commands[:3])), COMMAND),
        what=shortened(visible("; ".join(cluster.what[:2])), COMMAND),
        where=visible(cluster.causes[0].partition(": ")[0]) if cluster.causes else "",
    )


def _held(verdict: Verdict, by_id: dict[str, Span], tests: list[Test]) -> list[Test]:
    """Return the quarantined tests, where a failure was explained by the quarantine."""
    explained = [
        one
        for one in verdict.suites
        if one.outcome is Outcome.PASS and _is_red(by_id.get(one.span_id or ""))
    ]
    return [one for one in tests if one.until.startswith("until")] if explained else []


def _is_red(span: Span | None) -> bool:
    return span is not None and failed(span)


# ── findings and suites ─────────────────────────────────────────────────────


def _entry(finding: Finding, verdict: Verdict, *, last: bool) -> Entry:
    words, command = step_of(finding.cure)
    entry = Entry(
        rule=visible(finding.rule),
        level=finding.level.value,
        words=words_of(told(finding)),
        cure=sentence_of(words),
        command=visible(command),
        blocks=blocks(finding, verdict),
        approval=f"proctor approve {visible(finding.digest or '')} --reason WHY"
        if last and can_be_approved(finding)
        else "",
        span_id=visible(finding.span_id or ""),
        paths=tuple(
            visible(f"{path}:{finding.line}" if finding.line and not place else path)
            for place, path in enumerate(finding.paths[:20])
        ),
    )
    try:
        known = explain(finding.rule)
    except LookupError:
        return entry
    return msgspec.structs.replace(
        entry,
        summary=words_of(known.summary),
        proves=words_of(known.proves),
        cause=words_of(known.cause),
    )


def _row(suite: Suite, by_id: dict[str, Span]) -> Row:
    span = by_id.get(suite.span_id or "")
    said = "no record" if suite.span_id is None else "recorded"
    if span is not None:
        said = " · ".join(filter(None, (end_of(span, Style())[0], counts_of(span))))
    return Row(
        outcome=suite.outcome.value,
        name=shortened(visible(suite.name), COMMAND),
        command=shortened(glance(suite.argv) if suite.argv else visible(suite.name), COMMAND),
        executed=executed_of(suite.executed),
        attempts=f"{suite.attempts:,}, red {suite.red:,}",
        span_id=visible(suite.span_id or ""),
        said=said,
    )


# ── claims against records ──────────────────────────────────────────────────


def _calls(verdict: Verdict) -> list[Call]:
    calls = verdict.joined.calls if verdict.joined is not None else ()
    return [_call(one) for one in calls[:CALLS]]


def _call(call: JoinedCall) -> Call:
    told_code = "not said" if call.told_exit_code is None else f"exit {call.told_exit_code}"
    codes = ["? lost" if code is None else f"exit {code}" for code in call.exit_codes]
    recorded = ", ".join(codes) or ("no test run" if call.how else "nothing recorded")
    red = any(code != 0 for code in call.exit_codes)
    if not call.how or not codes:
        state, said = "lost", "claims tests, no test run recorded" if call.claims_tests else ""
    elif red and call.told_exit_code == 0:
        state, said = "bad", "told 0, the tests did not return 0"
    else:
        state, said = ("bad", "red") if red else ("good", "agrees")
    return Call(
        call_id=visible(call.call_id),
        agent=visible(call.agent),
        command=shortened(visible(call.command or call.tool), LONGEST),
        told=told_code,
        recorded=recorded,
        state=state,
        verdict=said,
        span_id=visible(next(iter((*call.tests, *call.spans)), "")),
    )


def _transcripts(verdict: Verdict) -> list[str]:
    found = verdict.joined.transcripts if verdict.joined is not None else ()
    return [
        f"{visible(one.path)} ({visible(one.agent)}): {one.calls:,} tool calls, "
        f"{one.shell_calls:,} of a shell, {one.joined:,} joined to records"
        for one in found
    ]
