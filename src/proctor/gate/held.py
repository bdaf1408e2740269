"""A quarantine, and the failures that it may explain, as plain values."""

import msgspec


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the quarantine."""

    test: str
    """Its id, as a person reads it."""
    ends: str
    """The last day on which it counts."""
    counts: bool
    """Whether it does now."""
    fingerprints: tuple[str, ...]
    is_changed: bool = False
    """Whether the patch writes the test's own code otherwise."""
    passed_here: int = 0
    """Runs on exactly these files in which it passed at last."""
    failed_here: int = 0


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A test that failed."""

    name: str
    """As `Quarantine.entries` names tests."""
    shown: str
    fingerprints: tuple[str, ...]
    """Of what it said; empty where the report does not tell."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What a red leaf's report says of its end."""

    failures: tuple[Failure, ...]
    complete: bool
    """Whether the session was finished, and nothing failed beside tests."""


class Quarantine(msgspec.Struct, frozen=True, kw_only=True):
    """The quarantine that the judgement was given."""

    path: str
    entries: dict[str, Held] = {}
    ended: dict[str, Ended] = {}
    """Span id → what its report says, of red leaves whose report is believed."""
