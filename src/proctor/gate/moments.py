"""Times as records write them."""

from datetime import datetime


def moment(text: str | None) -> datetime | None:
    """Return the time that a record names; none where it is no time with a zone."""
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return found if found.tzinfo else None
