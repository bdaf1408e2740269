"""The verdict's findings as a code quality report of GitLab.

A finding about no file stands at `proctor.toml`: the report wants a place for each.
"""

from proctor.findings import Finding, Level, Verdict
from proctor.report.base import Format
from proctor.report.document import json_text
from proctor.report.plain import visible
from proctor.report.said import fingerprints, place_of, told
from proctor.report.style import Style

_SEVERITIES = {
    Level.ERROR: "blocker",
    Level.UNPROVEN: "critical",
    Level.WARNING: "minor",
    Level.NOTE: "info",
}


def _render(verdict: Verdict, style: Style) -> str:
    del style
    pairs = zip(verdict.findings, fingerprints(verdict), strict=True)
    return json_text([_issue(finding, fingerprint) for finding, fingerprint in pairs])


def _issue(finding: Finding, fingerprint: str) -> dict[str, object]:
    path, line = place_of(finding)
    cure = f" Next: {finding.cure}" if finding.cure else ""
    return {
        "description": visible(f"{finding.level.value}: {told(finding)}.{cure}"),
        "check_name": finding.rule,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.level],
        "location": {"path": visible(path), "lines": {"begin": line}},
    }


FORMAT = Format(render=_render)
