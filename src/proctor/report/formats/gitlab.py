"""The verdict's findings as a code quality report of GitLab.

A finding about no file stands at `proctor.toml`: the report wants a place for each.
"""

from collections import Counter

from proctor._digest import sha256_hex
from proctor.findings import Finding, Level, Verdict
from proctor.report.base import Format
from proctor.report.document import json_text
from proctor.report.plain import visible
from proctor.report.said import place_of, told
from proctor.report.style import Style

_SEVERITIES = {
    Level.ERROR: "blocker",
    Level.UNPROVEN: "critical",
    Level.WARNING: "minor",
    Level.NOTE: "info",
}


def _render(verdict: Verdict, style: Style) -> str:
    del style
    seen: Counter[str] = Counter()
    return json_text([_issue(finding, seen) for finding in verdict.findings])


def _issue(finding: Finding, seen: Counter[str]) -> dict[str, object]:
    path, line = place_of(finding)
    cure = f" Next: {finding.cure}" if finding.cure else ""
    return {
        "description": visible(f"{finding.level.value}: {told(finding)}.{cure}"),
        "check_name": finding.rule,
        "fingerprint": _fingerprint(finding, seen),
        "severity": _SEVERITIES[finding.level],
        "location": {"path": visible(path), "lines": {"begin": line}},
    }


def _fingerprint(finding: Finding, seen: Counter[str]) -> str:
    """Return what stays the same in the next pipeline, and is each finding's own."""
    parts = (finding.rule, finding.requirement or "", *finding.paths[:1], *finding.argv)
    told_apart = "\0".join(parts)
    seen[told_apart] += 1
    text = f"{told_apart}\0{seen[told_apart]}"
    return sha256_hex(text.encode("utf-8", "backslashreplace"))


FORMAT = Format(render=_render)
