"""What a quarantine should be now: who enters, who stays, who leaves, and why."""

from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta

import msgspec

from proctor.config import FlakesTable
from proctor.errors import UsageError
from proctor.flakes.quarantine import Entry, name_in
from proctor.flakes.states import Standing

_EVIDENCE = 4
"""Runs that an entry names."""
_FINGERPRINTS = 5


class Renewal(msgspec.Struct, frozen=True, kw_only=True):
    """A person's word that a test stays quarantined."""

    tests: tuple[str, ...]
    owner: str
    reason: str


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What happens to one test, and why."""

    test: str
    what: str
    """enters, stays, renewed, leaves, over, refused."""
    why: str


class Update(msgspec.Struct, frozen=True, kw_only=True):
    """A quarantine as it should be."""

    entries: tuple[Entry, ...]
    changes: tuple[Change, ...]


def update(
    entries: Sequence[Entry],
    standings: Sequence[Standing],
    rule: FlakesTable,
    now: datetime,
    *,
    renewal: Renewal | None = None,
    renames: Mapping[str, str] | None = None,
) -> Update:
    """Return the quarantine that follows from the standings.

    1. An entry of a test that is broken leaves: it gates. 2. One that is over stays in the
    file, explaining nothing, until it is renewed or its test is stable: an entry that
    could come back by itself would never end. 3. A flaky test that is not in it enters,
    the one that failed most often first, as long as the cap allows.

    Raises:
        UsageError: a renewal lacks owner or reason, or names a test without an entry.
    """
    known = {standing.test: standing for standing in standings}
    held = [(name_in(entry, known, renames or {}), entry) for entry in entries]
    renewed = _renewed(renewal, held)
    kept: list[Entry] = []
    changes: list[Change] = []
    for name, entry in held:
        stays, change = _held(
            entry, known.get(name), rule, now, renewal if entry.exact in renewed else None
        )
        changes.append(change)
        if stays is not None:
            kept.append(stays)
    room = max(1, int(rule.cap * len(known))) - sum(one.counts(now, rule.days) for one in kept)
    for standing in _candidates(standings, {name for name, _ in held}):
        refusal = _refusal(standing, room)
        if refusal:
            changes.append(Change(test=standing.shown, what="refused", why=refusal))
            continue
        room -= 1
        kept.append(_new(standing, rule, now))
        changes.append(Change(test=standing.shown, what="enters", why=standing.why))
    return Update(entries=tuple(kept), changes=tuple(changes))


def _renewed(renewal: Renewal | None, held: Sequence[tuple[str, Entry]]) -> set[str]:
    """Return the exact names of the entries that a renewal names.

    Raises:
        UsageError: it lacks owner or reason, or names a test without an entry.
    """
    if renewal is None:
        return set()
    if not renewal.owner.strip() or not renewal.reason.strip():
        raise UsageError("a renewal takes --owner WHO and --reason WHY")
    found = set()
    for test in renewal.tests:
        names = [
            entry.exact
            for name, entry in held
            if test in (entry.test, entry.exact, name, entry.name)
        ]
        if not names:
            raise UsageError(f"{test}: has no entry that could be renewed; see the quarantine")
        found.update(names)
    return found


def _held(
    entry: Entry,
    standing: Standing | None,
    rule: FlakesTable,
    now: datetime,
    renewal: Renewal | None,
) -> tuple[Entry | None, Change]:
    state = standing.state if standing is not None else "unknown"
    why = standing.why if standing is not None else "it was never seen"
    if state == "broken":
        return None, Change(test=entry.test, what="leaves", why=f"broken: {why}; it gates")
    if renewal is not None:
        today = now.astimezone(UTC).date()
        renewed = msgspec.structs.replace(
            entry,
            renewed=today,
            until=today + timedelta(days=rule.days),
            owner=renewal.owner.strip(),
            reason=renewal.reason.strip(),
        )
        return renewed, Change(test=entry.test, what="renewed", why=renewal.reason)
    if entry.counts(now, rule.days):
        return entry, Change(test=entry.test, what="stays", why=f"until {entry.ends(rule.days)}")
    if state == "stable":
        return None, Change(test=entry.test, what="leaves", why=f"stable: {why}")
    return entry, Change(
        test=entry.test,
        what="over",
        why=f"since {entry.ends(rule.days)}: it gates; renew it with --renew, --owner, --reason",
    )


def _candidates(standings: Sequence[Standing], held: Set[str]) -> Iterator[Standing]:
    flaky = [one for one in standings if one.state == "flaky" and one.test not in held]
    yield from sorted(flaky, key=lambda one: (-one.failures, -one.rate, one.test))


def _refusal(standing: Standing, room: int) -> str:
    if not standing.fingerprints:
        return "no report tells what its failures said: import JUnit, which does"
    if room <= 0:
        return "the cap on the share of the suite is reached ([flakes] cap)"
    return ""


def _new(standing: Standing, rule: FlakesTable, now: datetime) -> Entry:
    today = now.astimezone(UTC).date()
    share = f"{standing.low:.0%}-{standing.high:.0%}"
    return Entry(
        test=standing.shown,
        since=today,
        until=today + timedelta(days=rule.days),
        fingerprints=standing.fingerprints[:_FINGERPRINTS],
        evidence=standing.evidence[-_EVIDENCE:],
        reason=f"{standing.failures} of {standing.runs} runs failed ({share})",
    )
