"""Times as records write them."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LENGTH = len("2026-01-01T00:00:00.000000Z")


def moment(text: str | None) -> datetime | None:
    """Return the time that a record names; none where it is no time with a zone."""
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return found if found.tzinfo else None


def micros_of(text: str) -> int | None:
    """Return a time in microseconds since 1970.

    None where it is not written just as the recorder writes it: only so do texts
    and numbers have one order.
    """
    if len(text) != _LENGTH or text[4:20:3] != "--T::." or text[-1] != "Z":
        return None
    found = moment(text)
    return None if found is None else (found - _EPOCH) // _MICROSECOND


def text_of(micros: int) -> str:
    """Return microseconds since 1970 as the recorder writes them."""
    found = _EPOCH + micros * _MICROSECOND
    return found.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
