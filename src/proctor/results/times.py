"""Durations and moments as reports spell them."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*"
    r"(Z|z|[+-]\d\d:?\d\d)?"
)
_EPOCH = re.compile(r"\d{10}(?:\d{3})?(?:\.\d+)?")
_MILLISECONDS = 100_000_000_000
"""A number of seconds since 1970 that is larger than this one is one of milliseconds."""
_INFINITY = float("inf")
_EARLIEST = 1980
"""Years before it stand for a moment that was never set."""


def parse_seconds(text: str | None) -> float | None:
    """Return a duration in seconds; none where it is missing or makes no sense.

    Takes `1.5`, `4.5e-05`, `1,234.5`, the decimal comma of `0,123` and `00:00:01.5`.
    """
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = _other_spelling(text.strip())
    return seconds if 0 <= seconds < _INFINITY else None


def _other_spelling(text: str) -> float:
    plain = text
    if "," in text:
        plain = text.replace(",", "") if "." in text else text.replace(",", ".")
    try:
        seconds = 0.0
        for part in plain.split(":"):
            seconds = seconds * 60 + float(part)
    except ValueError:
        return -1.0
    return seconds


def parse_moment(text: str | None) -> str | None:
    """Return a moment as RFC 3339, in UTC where its zone is told.

    Takes ISO 8601, RFC 1123 and seconds or milliseconds since 1970. Without a zone
    it may be UTC or local time (Gradle writes UTC, ctest local time), so it gets no
    `Z`. None where it is missing, is 1970, or makes no sense.
    """
    if not text:
        return None
    plain = text.strip()
    try:
        found = _iso(plain) or _epoch(plain) or parsedate_to_datetime(plain)
        if found.year < _EARLIEST:
            return None
        if found.tzinfo is None:
            return found.isoformat()
        return found.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return None


def _iso(text: str) -> datetime | None:
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    plain = f"{year}-{month}-{day}T{hour or '00'}:{minute or '00'}:{second or '00'}"
    micro = f".{fraction[:6]:0<6}" if fraction else ""
    return datetime.fromisoformat(plain + micro + (zone or "").upper())


def _epoch(text: str) -> datetime | None:
    if _EPOCH.fullmatch(text) is None:
        return None
    number = float(text)
    return datetime.fromtimestamp(number / 1000 if number > _MILLISECONDS else number, UTC)
