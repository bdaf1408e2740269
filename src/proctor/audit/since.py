"""Reads `--since`: a span of time before now, a day, or a full time."""

import re
from datetime import UTC, datetime, timedelta

from proctor.errors import UsageError
from proctor.join.times import as_utc

_AGO = re.compile(r"(\d{1,6})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def since_of(words: str | None, now: datetime) -> tuple[str, float]:
    """Return a time as transcripts' times are written, and in seconds since 1970.

    Both are empty where `words` is.

    Raises:
        UsageError: the words are no time.
    """
    if words is None:
        return "", 0
    if found := _AGO.fullmatch(words.strip()):
        try:
            when = now - timedelta(**{_UNITS[found[2]]: int(found[1])})
        except OverflowError:
            return "", 0
        text = when.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
        return text, when.timestamp()
    day = None if words.isdigit() else as_utc(words)
    if day is None:
        raise UsageError(f"--since takes 7d, 12h, 2026-08-01 or a full time, not {words!r}")
    return day, datetime.fromisoformat(day).timestamp()
