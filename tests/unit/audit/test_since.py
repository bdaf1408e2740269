"""`--since` in all its forms."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from proctor.audit.since import since_of
from proctor.errors import UsageError

NOW = datetime(2026, 9, 10, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "when"),
    [
        ("7d", "2026-09-03T12:00:00.000000Z"),
        ("12h", "2026-09-10T00:00:00.000000Z"),
        ("30m", "2026-09-10T11:30:00.000000Z"),
        ("2w", "2026-08-27T12:00:00.000000Z"),
        ("2026-08-01", "2026-08-01T00:00:00.000000Z"),
        ("2026-08-01T10:00:00+02:00", "2026-08-01T08:00:00.000000Z"),
    ],
)
def test_a_time_is_read(words: str, when: str) -> None:
    text, seconds = since_of(words, NOW.astimezone(timezone(timedelta(hours=5))))
    assert text == when
    assert datetime.fromtimestamp(seconds, UTC) == datetime.fromisoformat(when)


def test_no_words_are_no_limit() -> None:
    assert since_of(None, NOW) == ("", 0)
    assert since_of("999999d", NOW) == ("", 0)


@pytest.mark.parametrize("words", ["", "yesterday", "7", "-1d", "2026-13-01"])
def test_other_words_are_refused(words: str) -> None:
    with pytest.raises(UsageError, match="--since takes"):
        since_of(words, NOW)
