"""What is known of tests over many runs: a line of runs for each."""

from datetime import UTC, datetime

import msgspec

from proctor.flakes.status import RUN_WORDS, interval_of
from proctor.report.page.base import Page
from proctor.report.page.words import shortened
from proctor.report.plain import visible

MOST = 300
LONGEST = 600
"""Characters of a name, or of what a failure said."""
_RUNS = {
    ".": ("passed", "✓"),
    "F": ("failed", "✗"),
    "R": ("retried", "↻"),
    "s": ("skipped", "–"),
}
_TONES = {"broken": "fail", "flaky": "unproven", "suspect": "unproven", "stable": "pass"}


class Test(msgspec.Struct, frozen=True, kw_only=True):
    """One test and its last runs."""

    state: str
    tone: str
    name: str
    runs: list[tuple[str, str, str]]
    """A kind, a sign and a word for each, oldest first."""
    why: str
    interval: str
    message: str
    until: str
    """Until when its failures are explained; empty where they are not."""
    quarantine: str
    """By whom it is owned and why it is quarantined."""
    evidence: list[str]


def tests_of(page: Page) -> tuple[list[Test], int]:
    """Return the tests that a page shows, and how many are left out."""
    held = {one.name: one for one in page.quarantine}
    today = datetime.now(UTC).date()
    found = []
    for one in page.flakes[:MOST]:
        entry = held.get(one.test)
        until = said = ""
        if entry is not None:
            until = f"{'until' if entry.until >= today else 'over since'} {entry.until}"
            said = ", ".join(visible(part) for part in (entry.owner, entry.reason) if part)
        found.append(
            Test(
                state=one.state,
                tone=_TONES.get(one.state, ""),
                name=shortened(visible(one.shown), LONGEST),
                runs=[(*_RUNS[mark], RUN_WORDS[mark]) for mark in one.timeline],
                why=visible(one.why),
                interval=interval_of(one).replace("-", " and "),
                message=shortened(visible(one.message.partition("\n")[0]), LONGEST),
                until=until,
                quarantine=said,
                evidence=[visible(run[:12]) for run in one.evidence[:6]],
            )
        )
    return found, max(len(page.flakes) - MOST, 0)
