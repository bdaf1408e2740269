"""What a kept report says test by test, by ids that begin at the repository's root.

A kept report is believed if its bytes are the ones that the span, which the chain
protects, has the digest of.
"""

import os

from proctor._digest import sha256_hex
from proctor.records.span import Report
from proctor.results.base import Summary

LARGEST = 1 << 30
"""Bytes of a report that are read."""


def doubt(report: Report) -> str | None:
    """Return why a kept report is not believed; none where it is."""
    try:
        with open(os.open(report.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            data = file.read(LARGEST)
    except OSError as error:
        return f"{report.path}: the kept report cannot be read: {error.strerror}"
    if sha256_hex(data) != report.sha256:
        return f"{report.path}: is not the report that was kept: its sha256 differs"
    return None


def outcomes(summary: Summary, root: str | None) -> dict[str, str]:
    """Return test id → outcome; `root` is that of the repository, none where there is none."""
    before = prefix(summary, root)
    # Some runners, jest among them, name test files by their full path.
    top = f"{root}/" if root is not None else "/"
    return {before + test.removeprefix(top): outcome for test, outcome in summary.tests.items()}


def prefix(summary: Summary, root: str | None) -> str:
    """Return what stands between the repository's root and the folder ids are relative to."""
    if summary.root is None or root is None:
        return ""
    between = os.path.relpath(os.path.realpath(summary.root), root)
    return "" if between == "." or between.startswith("..") else f"{between}/"
