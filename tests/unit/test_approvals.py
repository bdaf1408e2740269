"""approvals.toml is read strictly."""

from datetime import date

import pytest

from proctor.approvals import parse
from proctor.errors import ConfigError

ENTRY = '[[approval]]\ndigest = "' + "ab" * 32 + '"\nreason = "r"\nowner = "o"\n'


@pytest.mark.parametrize("day", ["2026-04-01", '"2026-04-01"'])
def test_an_entry_has_four_members(day: str) -> None:
    (found,) = parse(f"{ENTRY}expires = {day}\n".encode(), "approvals.toml")
    assert (found.digest, found.reason, found.owner) == ("ab" * 32, "r", "o")
    assert found.expires == date(2026, 4, 1)


def test_an_empty_file_approves_nothing() -> None:
    assert parse(b"", "approvals.toml") == ()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\n\xff", "f:2: not UTF-8"),
        (b"[[approval", "f: not TOML"),
        (b"a = " + b"9" * 5000, "f: not TOML"),
        (b"a = " + b"[" * 20_000, "f: not TOML"),
        (ENTRY.encode(), "missing required field `expires`"),
        (b'[[approval]]\ndigest = "short"\n', r"matching regex"),
        ((ENTRY + "expires = 1\n").encode(), "an .*approval.* has digest, reason, owner, expires"),
        ((ENTRY.replace('"r"', '" "') + "expires = 2026-04-01\n").encode(), r"\.reason"),
        (b"[approvals]\n", "unknown field"),
    ],
)
def test_what_cannot_be_understood_is_said_in_one_line(data: bytes, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        parse(data, "f")
    assert "\n" not in str(caught.value) or "TOML" in str(caught.value)
