"""What kept reports say test by test.

A kept report is believed if its bytes are the ones that the span, which the chain
protects, has the digest of. Otherwise the count in the span stands and the ids are
not used.
"""

import os
from collections.abc import Iterable

from proctor._digest import sha256_hex
from proctor.errors import ReportError
from proctor.gate.evidence import Tests
from proctor.records.span import Report, Span
from proctor.results.base import Summary
from proctor.results.read import read_summary

LARGEST = 1 << 30
"""Bytes of a report that are read."""


def read_tests(spans: Iterable[Span]) -> tuple[dict[str, Tests], dict[str, str]]:
    """Return by span id what the reports say, and why others are not believed."""
    found: dict[str, Tests] = {}
    unread: dict[str, str] = {}
    for span in spans:
        if span.report is None or span.span_id in found or span.span_id in unread:
            continue
        why = _doubt(span.report)
        if why is None:
            try:
                found[span.span_id] = _tests(
                    read_summary(span.report.path, span.report.format), span
                )
                continue
            except ReportError as error:
                why = str(error)
        unread[span.span_id] = why
    return found, unread


def _doubt(report: Report) -> str | None:
    try:
        with open(os.open(report.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            data = file.read(LARGEST)
    except OSError as error:
        return f"{report.path}: the kept report cannot be read: {error.strerror}"
    if sha256_hex(data) != report.sha256:
        return f"{report.path}: is not the report that was kept: its sha256 differs"
    return None


def _tests(summary: Summary, span: Span) -> Tests:
    prefix = _prefix(summary.root, span)
    # Some runners, jest among them, name test files by their full path.
    root = f"{span.git.root}/" if span.git is not None else "/"
    return Tests(
        outcomes={
            prefix + test.removeprefix(root): outcome for test, outcome in summary.tests.items()
        },
        options=summary.options,
        found=summary.found,
        collected=summary.collected,
        deselected=summary.deselected,
        left_out=tuple(os.path.normpath(prefix + path) for path in summary.left_out),
    )


def _prefix(root: str | None, span: Span) -> str:
    """Return what stands between the repository's root and the folder ids are relative to."""
    if root is None or span.git is None:
        return ""
    between = os.path.relpath(os.path.realpath(root), span.git.root)
    return "" if between == "." or between.startswith("..") else f"{between}/"
