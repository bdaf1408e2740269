"""Adding an approval to approvals.toml."""

import subprocess
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from proctor.approvals import parse
from proctor.errors import ConfigError, UsageError
from proctor.setup.approve import HEADER, approve
from proctor.setup.edit import Change

DIGEST = "ab" * 32
TODAY = date(2026, 3, 1)


def _approve(root: Path, digest: str = DIGEST, **members: Any) -> Change:
    facts = {"reason": "r", "owner": "ann", "expires": "30d", "today": TODAY}
    return approve(str(root), digest, **{**facts, **members})


def test_an_entry_is_appended_and_reads_back(tmp_path: Path) -> None:
    first = _approve(tmp_path, reason='say "why"\n twice')
    assert first.after.startswith(HEADER)
    first.write()
    second = _approve(tmp_path, digest="cd" * 32, expires="2026-03-01")
    assert second.after.startswith(first.after)
    second.write()
    one, two = parse((tmp_path / "approvals.toml").read_bytes(), "f")
    assert (one.digest, one.reason, one.owner) == (DIGEST, 'say "why" twice', "ann")
    assert (one.expires, two.expires) == (date(2026, 3, 31), TODAY)


def test_the_same_entry_is_not_added_twice_but_a_longer_one_is(tmp_path: Path) -> None:
    _approve(tmp_path).write()
    assert _approve(tmp_path).empty
    assert not _approve(tmp_path, expires="9w").empty


def test_the_owner_is_whom_git_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    with pytest.raises(UsageError, match="--owner WHO"):
        _approve(tmp_path, owner=None)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "config", "user.email", "ann@x.org"], cwd=tmp_path, check=True)
    assert 'owner = "ann@x.org"' in _approve(tmp_path, owner=None).after


@pytest.mark.parametrize("digest", ["", "ab", "AB" * 32, "zz" * 32, DIGEST + "\n"])
def test_what_is_no_digest_is_refused(tmp_path: Path, digest: str) -> None:
    with pytest.raises(UsageError, match="64 hex digits"):
        _approve(tmp_path, digest=digest)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"reason": " \n"}, "--reason is empty"),
        ({"expires": "soon"}, "give a day"),
        ({"expires": "2026-02-28"}, "that day is over"),
        ({"expires": "2026-02-31"}, "give a day"),
    ],
)
def test_a_member_that_says_nothing_is_refused(tmp_path: Path, members: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        _approve(tmp_path, **members)


def test_a_file_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "approvals.toml"
    path.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="cannot be read"):
        _approve(tmp_path)
    path.write_text("[[approval]]\n")
    with pytest.raises(ConfigError, match="has digest, reason, owner, expires"):
        _approve(tmp_path)
