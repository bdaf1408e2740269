"""What another command than the gate found, as the formats for verdicts show it."""

from collections.abc import Iterable

import msgspec

from proctor.findings import Finding, Level, Outcome, Suite, Verdict


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at: a receipt, a file, a change, a test."""

    name: str
    outcome: Outcome
    said: str
    """What was found, in a line."""
    lines: tuple[str, ...] = ()
    """What else is to be known of it."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Rows for people, below the findings."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Summary(Verdict, frozen=True, kw_only=True):
    """The verdict of another command, in the gate's own shape.

    What the gate alone knows (trust level, tree, suites) is left at nothing; `facts`
    stand in its place.
    """

    schema: str = "proctor.summary/1"
    command: str
    """What was asked, as `receipt check`."""
    facts: tuple[str, ...] = ()
    """What stands beside the outcome."""
    cases: tuple[Case, ...] = ()
    tables: tuple[Table, ...] = ()
    limits: str = ""
    """What this does not show, in a sentence."""
    trust_level: int = 0
    suites: tuple[Suite, ...] = ()
    executed: int | None = None
    attempts: int = 0
    red: int = 0
    tree: str | None = None
    inputs: dict[str, str] = msgspec.field(default_factory=dict)


def outcome_of(findings: Iterable[Finding]) -> Outcome:
    """Return what findings come to; no finding is a pass, so absence has to be one."""
    levels = {one.level for one in findings}
    if Level.ERROR in levels:
        return Outcome.FAIL
    return Outcome.UNPROVEN if Level.UNPROVEN in levels else Outcome.PASS
