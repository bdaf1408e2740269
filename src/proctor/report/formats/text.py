"""The verdict for people: a headline, then at most a dozen lines."""

from proctor.findings import Against, Finding, JoinedTranscript, Level, Outcome, Verdict
from proctor.report.base import Format
from proctor.report.plain import visible
from proctor.report.said import about, can_be_approved, command_of, facts_of, word_of
from proctor.report.style import Style

LINES = 12
"""Lines below the headline."""
_OUTCOMES = {Outcome.PASS: "green", Outcome.FAIL: "red", Outcome.UNPROVEN: "yellow"}
_LEVELS = {Level.ERROR: "red", Level.UNPROVEN: "yellow", Level.WARNING: "yellow", Level.NOTE: "dim"}
TRANSCRIPTS = 2
"""Transcripts of which something is left out that are named; the rest is counted."""


def _render(verdict: Verdict, style: Style) -> str:
    base = [_base(verdict.base)] if verdict.base else []
    return "\n".join((_headline(verdict, style), *base, *_body(verdict, style), ""))


def _base(base: Against) -> str:
    parting = "" if base.merge_base == base.commit else f"; the patch begins at {base.merge_base}"
    return visible(f"base {base.name} ({base.how}) is {base.commit}{parting}")


def _headline(verdict: Verdict, style: Style) -> str:
    facts = [*facts_of(verdict), visible(verdict.sentence)]
    colour = "yellow" if verdict.would_block else _OUTCOMES[verdict.outcome]
    outcome = style.paint(word_of(verdict).upper(), colour)
    return f"{outcome}  {style.sign(' · ', ' | ').join(facts)}"


def _body(verdict: Verdict, style: Style) -> list[str]:
    tail = [visible(f"loosened: {'; '.join(verdict.loosened)}")] if verdict.loosened else []
    if verdict.joined is not None:
        said = [visible(line) for line in map(_transcript, verdict.joined.transcripts) if line]
        most = style.most(TRANSCRIPTS)
        tail += said[:most]
        if len(said) > most:
            tail.append(f"and {len(said) - most:,} more transcripts like these")
    lines: list[str] = []
    shown = 0
    last = {finding.digest: finding for finding in verdict.findings}
    for finding in verdict.findings:
        block = _block(finding, style)
        if can_be_approved(finding) and last[finding.digest] is finding:
            command = f"proctor approve {finding.digest} --reason WHY"
            block.append(f"    or, once a person has looked at it: {command}")
        more = 0 if shown + 1 == len(verdict.findings) else 1
        if len(lines) + len(block) + more + len(tail) > style.most(LINES):
            break
        lines += block
        shown += 1
    left = len(verdict.findings) - shown
    if left:
        noun = "finding" if left == 1 else "findings"
        command = f"{command_of(verdict)} --format json"
        lines.append(f"{style.sign('…', '...')} and {left:,} more {noun}: {command}")
    return lines + tail


def _transcript(one: JoinedTranscript) -> str:
    """Return what is to be said of a transcript, nothing where all of it was joined or judged."""
    unread = f"{_number(one.skipped, 'part')} that cannot be read" if one.skipped else ""
    if not one.shell_calls:
        other = _number(one.calls, "other tool call")
        more = f"; left out: {unread}" if unread else ""
        return f"{one.path}: no shell call: nothing to witness ({other}){more}"
    facts = [
        f"{_number(number, 'tool call')} {what}"
        for number, what in (
            (one.before, "from before the records"),
            (one.elsewhere, "of other folders"),
        )
        if number
    ] + ([unread] if unread else [])
    return f"{one.path}: left out: {', '.join(facts)}" if facts else ""


def _number(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _block(finding: Finding, style: Style) -> list[str]:
    head = style.paint(f"{finding.level.value} {finding.rule}", _LEVELS[finding.level])
    owed, asked = (visible(text) for text in about(finding))
    lines = [f"{head}{owed}: {visible(finding.message)}{asked}"]
    if finding.cure and finding.level is not Level.NOTE:
        lines.append(f"    {visible(finding.cure)}")
    return lines


FORMAT = Format(render=_render)
