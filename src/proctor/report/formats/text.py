"""The verdict for people: a headline, then at most a dozen lines."""

import msgspec

from proctor.findings import Finding, Level, Verdict
from proctor.report.base import Format
from proctor.report.escape import visible

LINES = 12
"""Lines below the headline."""
_STYLES = {"pass": "bold green", "fail": "bold red", "unproven": "bold yellow"}
_LEVEL_STYLES = {"error": "red", "unproven": "yellow", "warning": "magenta", "note": "dim"}
_TREE_DIGITS = 12


class _Line(msgspec.Struct, frozen=True):
    """A line whose first `marked` characters are shown in a style."""

    text: str
    style: str = ""
    marked: int = 0


def _render(verdict: Verdict, colour: bool) -> str:
    lines = [_headline(verdict), *_body(verdict)]
    if not colour:
        return "".join(f"{line.text}\n" for line in lines)
    return "".join(f"{_coloured(line)}\n" for line in lines)


def _headline(verdict: Verdict) -> _Line:
    outcome = verdict.outcome.value.upper()
    facts = [
        f"level {verdict.trust_level}",
        _executed(verdict.executed),
        f"tree {verdict.tree[:_TREE_DIGITS]}" if verdict.tree else "no tree",
    ]
    if verdict.red:
        facts.append(f"attempts on this tree: {verdict.attempts}, red {verdict.red}")
    text = f"{outcome}  {' · '.join(facts)} · {visible(verdict.sentence)}"
    return _Line(text, _STYLES[verdict.outcome.value], len(outcome))


def _executed(count: int | None) -> str:
    if count is None:
        return "tests not counted"
    return "1 test executed" if count == 1 else f"{count:,} tests executed"


def _body(verdict: Verdict) -> list[_Line]:
    lines: list[_Line] = []
    left = list(verdict.findings)
    tail = [_Line(visible(f"loosened: {'; '.join(verdict.loosened)}"))] if verdict.loosened else []
    while left:
        block = _block(left[0])
        reserve = len(tail) + (1 if len(left) > 1 else 0)
        if len(lines) + len(block) + reserve > LINES:
            break
        lines += block
        left.pop(0)
    if left:
        noun = "finding" if len(left) == 1 else "findings"
        lines.append(_Line(f"… and {len(left):,} more {noun}: proctor gate --format json"))
    return lines + tail


def _block(finding: Finding) -> list[_Line]:
    level = finding.level.value
    head = f"{level} {finding.rule}"
    owed = f" [{finding.requirement}]" if finding.requirement else ""
    lines = [
        _Line(f"{head}{visible(owed)}: {visible(finding.message)}", _style(finding), len(head))
    ]
    if finding.cure and finding.level is not Level.NOTE:
        lines.append(_Line(f"    {visible(finding.cure)}"))
    return lines


def _style(finding: Finding) -> str:
    return _LEVEL_STYLES[finding.level.value]


def _coloured(line: _Line) -> str:
    """Return the line with ANSI styles on its first words."""
    if not line.style:
        return line.text
    from rich.style import Style

    return Style.parse(line.style).render(line.text[: line.marked]) + line.text[line.marked :]


FORMAT = Format(render=_render)
