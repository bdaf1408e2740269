"""Prunes a log, and what its clone's state folder holds beside it."""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from proctor.errors import UsageError
from proctor.gate.evidence import WINDOW_DAYS
from proctor.records.parts import Part
from proctor.records.place import Clone
from proctor.records.prune import (
    Cut,
    close_older,
    delete_closed,
    leftovers,
    remove_leftovers,
)
from proctor.setup.sweep import Sweep, sweep

_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


class Pruned(msgspec.Struct, frozen=True, kw_only=True):
    """What was pruned, or would be."""

    dry_run: bool
    older_than: str
    """The time before which records are old (RFC 3339, UTC)."""
    closed: Cut | None
    deleted: tuple[Part, ...]
    leftovers: tuple[str, ...]
    """Copies that a `prune` had left when it was stopped."""
    state: Sweep

    def lines(self) -> Iterator[str]:
        """Yield what was done, a line for each kind."""
        will = "would be " if self.dry_run else ""
        if self.closed is not None:
            yield (
                f"{_records(self.closed.records)} until {self.closed.until[:10]} "
                f"{will}closed: {self.closed.closed} ({_size(self.closed.bytes)})"
            )
        for part in self.deleted:
            yield f"{_records(part.records)} {will}deleted, their digests kept: {part.path}"
        for path in self.leftovers:
            yield f"{will}removed, left by a prune that was stopped: {path}"
        for one in self.state.swept:
            yield f"{one.kind}: {len(one.paths)} {will}removed ({_size(one.bytes)})"
        if self.state.refusal is not None:
            yield f"reports and git objects stay: {self.state.refusal}"
        elif not (self.closed or self.deleted or self.leftovers or self.state.swept):
            yield f"nothing is older than {self.older_than[:16].replace('T', ' ')} UTC"


def prune(  # noqa: PLR0913 - what a command line asks
    clone: Clone,
    log: str,
    state: str,
    older_than: timedelta,
    *,
    delete: bool,
    dry_run: bool,
    now: datetime,
) -> Pruned:
    """Close, and with `delete` delete, what is older than an age.

    `state` is the clone's state folder.

    Raises:
        LogError: the log cannot be pruned; what it held is still there.
    """
    moment = now.astimezone(UTC) - older_than
    cutoff = moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    log = os.path.abspath(log)
    closed = close_older(log, cutoff, dry_run=dry_run)
    deleted = delete_closed(log, cutoff, dry_run=dry_run) if delete else []
    left = leftovers(log) if dry_run else remove_leftovers(log)
    return Pruned(
        dry_run=dry_run,
        older_than=cutoff,
        closed=closed,
        deleted=tuple(deleted),
        leftovers=tuple(left),
        state=sweep(clone, state, moment.timestamp(), dry_run=dry_run),
    )


def age_of(text: str, *, within_window: bool) -> timedelta:
    """Return the age that a text like 30d, 12h or 6w names.

    Raises:
        UsageError: it is none, or younger than what the gate may judge by and
            not asked for `within_window`.
    """
    found = re.fullmatch(r"(\d{1,5})([hdw])", text)
    if found is None:
        raise UsageError(f"--older-than: {text!r} is no age; write 30d, 12h or 6w")
    age = int(found[1]) * _UNITS[found[2]]
    if age < timedelta(days=WINDOW_DAYS) and not within_window:
        raise UsageError(
            f"--older-than {text}: the gate judges by the last {WINDOW_DAYS} days; choose "
            f"{WINDOW_DAYS}d or more, or insist with --unsafe-within-window"
        )
    return age


def _records(number: int | None) -> str:
    return "1 record" if number == 1 else f"{number} records"


def _size(size: int) -> str:
    if size < 1 << 20:
        return f"{-(-size // 1024)} KiB"
    return f"{size / (1 << 20):.0f} MiB"
