"""Whether a run was made where, and when, it is asked for."""

import fnmatch
import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

import msgspec

from proctor.errors import EvidenceError
from proctor.receipt.base import EXIT_HOST, EXIT_STALE, Refusal, rerun, shown
from proctor.receipt.fields import Receipt, read_file
from proctor.records.moments import moment

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_AHEAD = timedelta(minutes=5)
"""How far another machine's clock may be ahead of this one's."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Where and when the run should have been made; null: anywhere, ever."""

    host: str | None = None
    """A glob over host names."""
    platform: str | None = None
    """A glob over system and machine."""
    toolchain: Mapping[str, str] = {}
    """Name → version, or the beginning of one at a dot."""
    captured: bool = False
    """Whether `toolchain` is what `proctor evidence capture` found, which names more than
    the tests used: only names that the receipt has too are compared."""
    max_age: str | None = None
    """`7d`, as a requirement has it."""


def elsewhere(receipt: Receipt, wanted: Wanted) -> Iterator[Refusal]:
    """Yield what of host, platform and toolchain is not as asked for."""
    if wanted.host is not None and not _matches(receipt.hostname, wanted.host):
        yield _wrong("hostname", receipt.hostname, wanted.host, receipt)
    if wanted.platform is not None and not _matches(receipt.platform, wanted.platform):
        yield _wrong("platform", receipt.platform, wanted.platform, receipt)
    shared = {name for name in wanted.toolchain if _version(receipt, name)}
    if wanted.captured and not shared:
        names = ", ".join(sorted(wanted.toolchain))
        yield _wrong("toolchain", ", ".join(receipt.toolchain), names, receipt)
    for name, version in sorted(wanted.toolchain.items()):
        if wanted.captured and name not in shared:
            continue
        found = _version(receipt, name)
        if found != version and not found.startswith((f"{version}.", f"{version}-")):
            yield _wrong(f"toolchain.{name}", found, version, receipt)


def old(receipt: Receipt, wanted: Wanted, now: datetime) -> Iterator[Refusal]:
    """Yield why a receipt's time does not count any more, or not yet."""
    ended = moment(receipt.finished_utc)
    if ended is None:
        if wanted.max_age is not None or receipt.finished_utc is not None:
            yield _expired(receipt, f"the receipt says {shown(receipt.finished_utc)}, "
                           "which is no time as in 2030-12-31T23:59:59Z")  # fmt: skip
        return
    if ended > now + _AHEAD:
        yield _expired(
            receipt,
            f"the receipt says {receipt.finished_utc}, here it is {now:%Y-%m-%dT%H:%M:%SZ}",
        )
    elif wanted.max_age is not None and now - ended > seconds_of(wanted.max_age):
        yield _expired(
            receipt,
            f"the receipt says {receipt.finished_utc}, it may be {wanted.max_age} old "
            f"at {now:%Y-%m-%dT%H:%M:%SZ}",
        )


def seconds_of(age: str) -> timedelta:
    """Return how long `7d` and the like are.

    Raises:
        ValueError: it is no such age.
    """
    if not re.fullmatch(r"[0-9]{1,6}[smhdw]", age):
        raise ValueError(age)
    return timedelta(seconds=int(age[:-1]) * _SECONDS[age[-1]])


def _version(receipt: Receipt, name: str) -> str:
    if name == "platform":
        return receipt.platform
    found = receipt.toolchain.get(name)
    if found is None and receipt.runtime.partition(" ")[0].lower() == name:
        return receipt.runtime.partition(" ")[2]
    return found or ""


def _matches(found: str, glob: str) -> bool:
    """Return whether a name fits a glob, or begins with it at a part's end."""
    found, glob = found.lower(), glob.lower()
    return bool(found) and (
        fnmatch.fnmatchcase(found, glob) or found.startswith((f"{glob}-", f"{glob}."))
    )


def _wrong(field: str, found: str, wanted: str, receipt: Receipt) -> Refusal:
    return Refusal(
        code=EXIT_HOST,
        rule="wrong-host",
        field=field,
        message=f"the receipt says {shown(found)}, owed is {shown(wanted)}",
        cure=f"there, {rerun(receipt.argv, receipt.folder)}",
    )


def _expired(receipt: Receipt, message: str) -> Refusal:
    return Refusal(
        code=EXIT_STALE,
        rule="expired",
        field="finished_utc",
        message=message,
        cure=rerun(receipt.argv, receipt.folder),
    )


def read_toolchain(path: str) -> tuple[dict[str, str], bool]:
    """Return name → version from a file: lines `NAME=VERSION`, or a JSON object.

    Of a JSON object each member counts that is a text, or an object with a `version`.
    True beside it: it is what `proctor evidence capture` wrote.

    Raises:
        EvidenceError: it is neither.
    """
    try:
        text = read_file(path).decode("utf-8")
    except FileNotFoundError:
        raise EvidenceError(f"{path}: there is no such file; give --toolchain FILE") from None
    except UnicodeDecodeError:
        raise EvidenceError(f"{path}: is no text; give lines NAME=VERSION") from None
    found = _from_json(text, path) if text.lstrip().startswith("{") else _from_lines(text)
    if not found:
        raise EvidenceError(f"{path}: names no version; give lines NAME=VERSION, e.g. python=3.12")
    captured = "date_utc" in found or found.get("schema", "").startswith("proctor.toolchain/")
    if not captured:
        return found, False
    kept = {n: v for n, v in found.items() if "_" not in n and n not in _NO_VERSION}
    kept["libc"] = kept.get("libc", "").removeprefix("glibc ")
    return {name: version for name, version in kept.items() if version}, True


_NO_VERSION = frozenset(("pwd", "uname", "schema", "venue"))


def _from_json(text: str, path: str) -> dict[str, str]:
    try:
        members = json.loads(text)
    except (ValueError, RecursionError):
        raise EvidenceError(f"{path}: is not JSON; give an object of NAME: VERSION") from None
    found = {}
    for name, value in members.items():
        version = value.get("version") if isinstance(value, dict) else value
        if isinstance(version, str):
            found[name.lower()] = version
    return found


def _from_lines(text: str) -> dict[str, str]:
    pairs = (line.partition("=") for line in text.splitlines() if not line.startswith("#"))
    return {n.strip().lower(): v.strip() for n, sign, v in pairs if sign and v.strip()}
