"""Adds an entry to `approvals.toml`."""

import os
import re
from datetime import date, timedelta

from proctor import approvals
from proctor.errors import ConfigError, UsageError
from proctor.records.place import find_clone
from proctor.repo.clone import place_of, read_config
from proctor.setup.edit import Change, append_blocks

HEADER = """\
# What a person has looked at and lets pass, each until a day. An entry counts where
# the base branch holds it, trusts its signature, or leaves it to its code owners;
# see docs/base.md
"""
_DAYS = {"d": 1, "w": 7}


def approve(  # noqa: PLR0913 - an entry has as many members
    root: str,
    digest: str,
    *,
    reason: str,
    owner: str | None,
    expires: str,
    today: date,
    key: str | None = None,
) -> Change:
    """Return the change that adds an approval of a finding set.

    `owner` defaults to git's `user.email`. `expires` is a day, or a number of days
    (`14d`) or weeks (`2w`) from `today`. `key` signs the entry: a file, '' is the
    default one.

    Raises:
        UsageError: a member is not what an approval needs.
        ConfigError: the file there cannot be read, or not be edited safely.
    """
    if not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise UsageError(
            f"{digest[:80]!r} is no digest of a finding set: 64 hex digits, as "
            "`proctor gate --base REV` prints them"
        )
    entry = {
        "digest": digest,
        "reason": _one_line("--reason", reason),
        "owner": _one_line("--owner", owner or _user(root)),
        "expires": _last_day(expires, today).isoformat(),
    }
    path = os.path.join(root, approvals.FILE)
    before = _read(path)
    for known in approvals.parse(before.encode(), path):
        same = known.digest == digest and known.expires.isoformat() == entry["expires"]
        if same and (key is None or known.signature is not None):
            return Change(path=path, before=before, after=before)
    if key is not None:
        entry["signature"] = _signature(entry, key)
    change = append_blocks(path, before or HEADER, "approval", [entry])
    return Change(path=path, before=before, after=change.after)


def _signature(entry: dict[str, str], key: str) -> str:
    """Return the signature over an entry's other members.

    Raises:
        EvidenceError: there is no such key.
    """
    from proctor.receipt.keys import load_key

    unsigned = approvals.Approval(
        digest=entry["digest"],
        reason=entry["reason"],
        owner=entry["owner"],
        expires=date.fromisoformat(entry["expires"]),
    )
    return load_key(key).sign(unsigned.message()).hex()


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None


def _one_line(flag: str, text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise UsageError(f"{flag} is empty; say it in a few words")
    return text


def _user(root: str) -> str:
    place = place_of(find_clone(root))
    config = read_config(place) if place is not None else {}
    found = config.get("user.email") or config.get("user.name")
    if not found:
        raise UsageError("git knows no user.email here; name who answers for it: --owner WHO")
    return found


def _last_day(text: str, today: date) -> date:
    span = re.fullmatch(r"([0-9]{1,4})([dw])", text)
    try:
        day = (
            today + timedelta(days=int(span[1]) * _DAYS[span[2]])
            if span
            else date.fromisoformat(text)
        )
    except ValueError:
        raise UsageError(f"--expires {text!r}: give a day, 2030-12-31, or 14d, 2w") from None
    if day < today:
        raise UsageError(f"--expires {text}: that day is over; give one to come")
    return day
