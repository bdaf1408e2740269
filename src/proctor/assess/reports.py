"""What kept reports say test by test.

A kept report is believed if its bytes are the ones that the span, which the chain
protects, has the digest of. Otherwise the count in the span stands and the ids are
not used.
"""

import os
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from proctor.errors import ReportError
from proctor.gate.evidence import Tests
from proctor.records.span import Span
from proctor.results.base import RED, Summary
from proctor.results.kept import doubt, outcomes, prefix
from proctor.results.read import read_summary


def read_tests(
    spans: Iterable[Span], roots: Mapping[str, str] = MappingProxyType({})
) -> tuple[dict[str, Tests], dict[str, str]]:
    """Return by span id what the reports say, and why others are not believed.

    `roots`: where reports name the folder of a repository by another path.
    """
    found: dict[str, Tests] = {}
    unread: dict[str, str] = {}
    for span in spans:
        if span.report is None or span.span_id in found or span.span_id in unread:
            continue
        why = doubt(span.report)
        if why is None:
            try:
                summary = read_summary(span.report.path, span.report.format)
                found[span.span_id] = _tests(summary, _root_of(span, roots))
                continue
            except ReportError as error:
                why = str(error)
        unread[span.span_id] = why
    return found, unread


def _root_of(span: Span, roots: Mapping[str, str]) -> str | None:
    return roots.get(span.git.root, span.git.root) if span.git is not None else None


def _tests(summary: Summary, root: str | None) -> Tests:
    before = prefix(summary, root)
    return Tests(
        outcomes=outcomes(summary, root),
        options=summary.options,
        found=summary.found,
        collected=summary.collected,
        deselected=summary.deselected,
        left_out=tuple(os.path.normpath(before + path) for path in summary.left_out),
        retried=tuple(test for test in summary.retried if summary.tests.get(test) not in RED),
        settings_file=_outside(summary.settings_file, root),
    )


def _outside(path: str | None, root: str | None) -> str | None:
    """Return a file's path if it lies outside of the root, and holds anything."""
    if path is None or root is None or path == os.devnull:
        return None
    inside = os.path.realpath(path).startswith(os.path.realpath(root) + os.sep)
    return None if inside else path
