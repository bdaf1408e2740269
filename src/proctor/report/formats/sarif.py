"""The verdict's findings as SARIF 2.1.0, for code scanning.

What keeps the verdict from being a pass is an error, *unproven* included. A finding
about no file stands at `proctor.toml`: code scanning wants a place for each.
"""

import os
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from proctor.findings import Finding, Level, Verdict
from proctor.gate.base import Explanation
from proctor.report.base import Format
from proctor.report.document import json_text
from proctor.report.plain import visible, visible_argv
from proctor.report.rules import explain
from proctor.report.said import blocks, fingerprints, place_of, told, word_of
from proctor.report.style import Style

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {
    Level.ERROR: "warning",  # where it blocks nothing, as under `enforce = "observe"`
    Level.UNPROVEN: "warning",
    Level.WARNING: "warning",
    Level.NOTE: "note",
}
_DEFAULTS = {**_LEVELS, Level.ERROR: "error", Level.UNPROVEN: "error"}


def _render(verdict: Verdict, style: Style) -> str:
    del style
    rules = sorted({finding.rule for finding in verdict.findings})
    driver = {
        "name": "Proctor",
        "semanticVersion": version("proctor"),
        "rules": [_rule(name) for name in rules],
    }
    facts = {
        "outcome": word_of(verdict),
        "sentence": visible(verdict.sentence),
        "trustLevel": verdict.trust_level,
        "executed": verdict.executed,
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True}],
        "results": [
            _result(finding, verdict, rules.index(finding.rule), fingerprint)
            for finding, fingerprint in zip(verdict.findings, fingerprints(verdict), strict=True)
        ],
        "columnKind": "unicodeCodePoints",
        "properties": {"proctor": facts},
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(name: str) -> dict[str, Any]:
    try:
        known = explain(name)
    except LookupError:
        return {"id": name}
    return {
        "id": name,
        "shortDescription": {"text": known.summary},
        "fullDescription": {"text": known.proves},
        "help": {"text": _help(known)},
        "defaultConfiguration": {"level": _DEFAULTS[known.level]},
    }


def _help(known: Explanation) -> str:
    return f"{known.proves}\n\nLikely cause: {known.cause}\n\nNext: {known.next}"


def _result(finding: Finding, verdict: Verdict, rule: int, fingerprint: str) -> dict[str, Any]:
    cure = f"\nNext: {visible(finding.cure)}" if finding.cure else ""
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": "error" if blocks(finding, verdict) else _LEVELS[finding.level],
        # NOTE: brackets are links in a SARIF message.
        "message": {"text": _unlinked(f"{visible(told(finding))}{cure}")},
        "locations": [_location(finding)],
        "partialFingerprints": {"proctor/v1": fingerprint},
        "properties": {"level": finding.level.value},
    }
    if finding.span_id:
        result["properties"]["spanId"] = finding.span_id
    return result


def _unlinked(text: str) -> str:
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _location(finding: Finding) -> dict[str, Any]:
    path, line = place_of(finding)
    place: dict[str, Any] = {"uri": _uri(path)}
    if not os.path.isabs(path):
        place["uriBaseId"] = "%SRCROOT%"
    found: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": place, "region": {"startLine": line}}
    }
    if finding.argv:
        command = visible_argv(finding.argv)
        found["logicalLocations"] = [{"fullyQualifiedName": command, "kind": "process"}]
    return found


def _uri(path: str) -> str:
    quoted = quote(path.encode("utf-8", "surrogateescape"))
    return f"file://{quoted}" if os.path.isabs(path) else quoted


FORMAT = Format(render=_render)
