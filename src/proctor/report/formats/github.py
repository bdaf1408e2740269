"""The verdict as annotations of a GitHub workflow, under a line for people.

What keeps the verdict from being a pass is an error; everything else a warning or a
notice, so that an honest pull request gets one line and nothing else.
"""

from collections.abc import Iterator

from proctor.findings import Finding, Level, Verdict
from proctor.report.base import Format
from proctor.report.plain import visible
from proctor.report.said import blocks, facts_of, place_of, title_of, told, word_of
from proctor.report.style import Style

_COMMANDS = {
    Level.ERROR: "warning",  # where it blocks nothing, as under `enforce = "observe"`
    Level.UNPROVEN: "warning",
    Level.WARNING: "warning",
}


def _render(verdict: Verdict, style: Style) -> str:
    del style
    return "\n".join((_headline(verdict), *_annotations(verdict), ""))


def _headline(verdict: Verdict) -> str:
    facts = " · ".join((*facts_of(verdict), visible(verdict.sentence)))
    # NOTE: a runner takes `##[name]` for a command wherever it stands in a line.
    return f"{title_of(verdict)}: {word_of(verdict)} · {facts}".replace("##[", "#\\x23[")


def _annotations(verdict: Verdict) -> Iterator[str]:
    for finding in verdict.findings:
        if finding.level is not Level.NOTE:
            yield _annotation(finding, verdict)


def _annotation(finding: Finding, verdict: Verdict) -> str:
    command = "error" if blocks(finding, verdict) else _COMMANDS[finding.level]
    properties = {"title": f"Proctor: {finding.rule} ({finding.level.value})"}
    if finding.paths:
        path, line = place_of(finding)
        properties = {"file": path, "line": str(line), **properties}
    text = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    lines = [visible(told(finding))]
    if finding.cure:
        lines.append(f"Next: {visible(finding.cure)}")
    return f"::{command} {text}::{_data(chr(10).join(lines))}"


def _data(text: str) -> str:
    """Return text for a message: the runner decodes these three signs, and no others."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(visible(text)).replace(":", "%3A").replace(",", "%2C")


FORMAT = Format(render=_render)
