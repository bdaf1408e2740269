"""Brings a transcript's times into one form: RFC 3339, UTC."""

import functools
import math
import re
from datetime import UTC, datetime, timedelta

_MILLISECONDS = 1e11
_MICROSECONDS = 1e14
_NANOSECONDS = 1e17
_JAVASCRIPT = re.compile(
    r"[12]\d\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])"
    r":[0-5]\d:[0-5]\d\.\d\d\dZ",
    re.ASCII,
)
"""The usual form, which needs only longer fractions; other days are left to the library."""


def as_utc(time: object) -> str | None:
    """Return a time as RFC 3339 in UTC, none where it is no time.

    Takes ISO text, or a number since 1970: seconds, or by its size milli-, micro- or
    nanoseconds. Text without a zone is taken for UTC: nothing in it tells the zone.
    """
    if isinstance(time, str):
        return _of_text(time)
    if isinstance(time, bool) or not isinstance(time, int | float):
        return None
    if isinstance(time, float) and not math.isfinite(time):
        return None
    scale = 1
    for bound in (_MILLISECONDS, _MICROSECONDS, _NANOSECONDS):
        if abs(time) >= bound:
            scale *= 1000
    whole = time * (1_000_000 // scale) if scale <= 1_000_000 else time // 1000
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=round(whole))
    except OverflowError:
        return None
    return _written(moment)


@functools.lru_cache(256)  # a record's time is that of its calls and words too
def _of_text(time: str) -> str | None:
    if _JAVASCRIPT.fullmatch(time):
        return f"{time[:-1]}000Z"
    if time.isascii() and time.isdigit():
        return as_utc(int(time[:20]))
    try:
        moment = datetime.fromisoformat(time.strip())
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return _written(moment.astimezone(UTC))
    except OverflowError:
        return None


def _written(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
