"""What a receipt says, and how its file is read.

The eight core fields are those that people write by hand; everything else binds
them to a record that the recorder wrote. The digest is that of the canonical JSON
(RFC 8785) of all other members, so it shows an accident or a careless edit; that it
fits does **not** show that the receipt is true: anybody can make a digest.
"""

import hashlib
import json
import os
import shlex
import stat
from collections.abc import Iterator
from typing import Any

import msgspec

from proctor.errors import EvidenceError
from proctor.records.span import Runner

SCHEMA = "proctor.receipt/1"
"""1: the first version."""
DEFAULT = "artifacts/test-receipt.json"
"""Where a receipt is written, relative to the repository's root."""
_NAME_IT = f"name the receipt itself, usually {DEFAULT}"
LARGEST = 16 << 20
"""Bytes; a larger receipt is refused."""
CORE = (
    "command",
    "git_head",
    "hostname",
    "kernel",
    "runtime",
    "started_utc",
    "finished_utc",
    "exit_code",
)


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """The tests that a report counts."""

    executed: int
    passed: int
    failed: int
    skipped: int
    ids_sha256: str | None = None
    """Digest over the sorted ids of the executed tests; null where there are several
    reports."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What the report of one runner says, written by it during this run."""

    sha256: str
    format: str
    executed: int
    passed: int
    failed: int
    skipped: int
    ids_sha256: str
    exit_status: int | None = None
    complete: bool = True


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One test runner that was seen: a leaf, or a driver that starts leaves."""

    argv: tuple[str, ...]
    folder: str | None
    """Where it ran, relative to the root; '' is the root, null outside it."""
    kind: str
    """leaf or driver."""
    exit_code: int | None
    """Null where only the shell that started it was witnessed."""
    exe: str | None = None
    """The executable as the kernel named it."""
    runner: Runner | None = None
    """What the program is by its installation's own record; only of leaves."""
    report: Told | None = None
    narrowing_env: tuple[str, ...] = ()
    """Options that variables added, as `NAME: option`; for a value stands its digest."""
    odd_env: tuple[str, ...] = ()
    """Names of variables that change what an interpreter runs."""


class Attempts(msgspec.Struct, frozen=True, kw_only=True):
    """Earlier runs of the same tests on the same tree, as far as the log held them."""

    runs: int
    red: int
    """Those in which tests failed."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Where in the span log the run stands."""

    span_id: str
    run_id: str
    record: str
    """Digest of the span's line."""
    head: str
    """Digest of the log's last line when the receipt was issued."""
    length: int
    """Lines of the log then."""


class Junit(msgspec.Struct, frozen=True, kw_only=True):
    """The JUnit file of the run."""

    path: str | None
    """Relative to the root; null where Proctor asked for it and kept it alone."""
    sha256: str
    executed: int
    failed: int
    skipped: int


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """A statement about one command on one tree.

    It shows what the recorder saw of one run. It does **not** show that the tests
    are good ones or the right ones, nor, unsigned, that no process of the same user
    forged the log that it rests on.
    """

    schema: str = SCHEMA
    command: str
    """The argv as one would type it."""
    argv: tuple[str, ...] = ()
    folder: str | None = ""
    """Where it ran, relative to the root."""
    repository: tuple[str | None, str] = (None, "")
    """Root commit (null while there is none) and the id of the clone."""
    git_head: str | None
    git_tree: str | None = None
    """git's id of the working tree's content when the tests started."""
    git_tree_after: str | None = None
    dirty: bool | None = None
    """Whether that content was another than that of `git_head`; null if unknown."""
    untracked: tuple[tuple[str, str], ...] = ()
    """Path and blob of files that `git_head` lacks, at most 100."""
    untracked_count: int = 0
    changed_during: tuple[str, ...] = ()
    """Files that the run changed, or that were changed and put back while it ran."""
    blind_spots: tuple[str, ...] = ()
    hostname: str
    kernel: str
    platform: str = ""
    """System and machine, `Linux-x86_64`."""
    runtime: str
    """The interpreter or compiler of the tests, `python 3.12.1`."""
    toolchain: dict[str, str] = {}
    """Name → version of interpreters, test runners and the C library."""
    started_utc: str
    finished_utc: str | None
    exit_code: int | None
    parts: tuple[Part, ...] = ()
    executed: Counts | None = None
    """Null where no report counts tests."""
    attempts: Attempts | None = None
    """Null where the tree is not known."""
    log: Record | None = None
    junit: Junit | None = None
    level: int = 0
    """Of the threat model, as the issuer claims: 0, or 2 if it was signed."""
    digest: str | None = None


FIELDS = tuple(
    field.encode_name
    for field in msgspec.structs.fields(Receipt)
    if field.encode_name not in ("junit", "executed")
)
"""What a whole receipt has."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A receipt's file: its content, and what is missing or off."""

    receipt: Receipt | None
    """Null where not even the core fields can be read."""
    members: dict[str, Any]
    data: bytes
    missing: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    """Members of another kind or version than a receipt has, in words."""

    @property
    def is_bare(self) -> bool:
        """Whether it has only the core fields, as people write them by hand."""
        return not self.members.keys() & {"schema", "digest", "log"}


def read_file(path: str, limit: int = LARGEST) -> bytes:
    """Return the bytes of a receipt or of what lies beside one.

    Raises:
        FileNotFoundError: there is none.
        EvidenceError: it is no plain file of a sensible size, or cannot be read.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise EvidenceError(f"{path}: cannot be read: {reason}; {_NAME_IT}") from None
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
        os.close(fd)
        what = (
            "a folder"
            if stat.S_ISDIR(found.st_mode)
            else f"no plain file of at most {limit >> 20} MiB"
        )
        raise EvidenceError(f"{path}: {what}; {_NAME_IT}")
    try:
        with open(fd, "rb") as file:
            return file.read()
    except OSError as error:
        raise EvidenceError(f"{path}: cannot be read: {error.strerror}; {_NAME_IT}") from None


def read_receipt(data: bytes, path: str) -> Reading:
    """Return what the bytes of a receipt's file hold.

    Raises:
        EvidenceError: they are not one JSON object.
    """
    try:
        members = json.loads(data, object_pairs_hook=_once, parse_constant=_refuse)
        json.dumps(members, ensure_ascii=False).encode()  # no half of a surrogate pair
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, _TwiceError) else "not one JSON document"
        raise EvidenceError(
            f"{path}: {reason}; issue a receipt with: proctor receipt issue"
        ) from None
    if not isinstance(members, dict):
        raise EvidenceError(f"{path}: not a JSON object; issue one with: proctor receipt issue")
    bare = not members.keys() & {"schema", "digest", "log"}
    missing = tuple(name for name in (CORE if bare else FIELDS) if name not in members)
    receipt, off = _converted({**members, **_argv_of(members)} if bare else members)
    return Reading(receipt=receipt, members=members, data=data, missing=missing, off=off)


def digest_of(members: dict[str, Any]) -> str | None:
    """Return the digest of a receipt's members; null where they have no canonical form."""
    import rfc8785

    try:
        plain = rfc8785.dumps({name: v for name, v in members.items() if name != "digest"})
    except (rfc8785.CanonicalizationError, ValueError, RecursionError):
        return None
    return hashlib.sha256(plain).hexdigest()


def invented(given: Any, known: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each member that stands in `given`, at any depth, and that no receipt has."""
    if isinstance(given, dict) and isinstance(known, dict):
        for key, value in given.items():
            where = f"{name}.{key}" if name else key
            if key not in known:
                yield where, value
            elif name != "toolchain":
                yield from invented(value, known[key], where)
    elif isinstance(given, list | tuple) and isinstance(known, list | tuple):
        for number, (one, other) in enumerate(zip(given, known, strict=False)):
            yield from invented(one, other, f"{name}[{number}]")


def sealed(receipt: Receipt) -> bytes:
    """Return the file's bytes of a receipt, its digest made."""
    members = msgspec.to_builtins(receipt)
    members["digest"] = digest_of(members)
    return json.dumps(members, indent=2, ensure_ascii=False).encode() + b"\n"


def _argv_of(members: dict[str, Any]) -> dict[str, Any]:
    """Return the argv that a command in words stands for, where that can be told."""
    try:
        return {"argv": shlex.split(members["command"])}
    except (KeyError, ValueError, AttributeError, TypeError):
        return {}


class _TwiceError(ValueError):
    """A member stands twice in one object."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _TwiceError(f"{twice!r} stands there twice")
    return found


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _converted(members: dict[str, Any]) -> tuple[Receipt | None, tuple[str, ...]]:
    """Return the receipt as far as its members can be read, and what cannot."""
    kept = dict(members)
    off: list[str] = []
    schema = kept.get("schema", SCHEMA)
    family, _, version = schema.partition("/") if isinstance(schema, str) else ("", "", "")
    if family != "proctor.receipt" or version.partition(".")[0] != "1":
        off.append(f"schema: {_shown(schema)}, this Proctor reads {SCHEMA}")
    for field in msgspec.structs.fields(Receipt):
        name = field.encode_name
        if name not in kept:
            if field.required:
                kept[name] = _STAND_INS.get(name)
            continue
        try:
            msgspec.convert(kept[name], field.type)
        except (msgspec.ValidationError, ValueError, RecursionError) as error:
            reason = str(error).partition(" - at")[0]
            off.append(f"{name}: {_shown(kept.pop(name))}: {reason[:1].lower()}{reason[1:]}")
            if field.required:
                kept[name] = _STAND_INS.get(name)
    try:
        return msgspec.convert(kept, Receipt), tuple(off)
    except msgspec.ValidationError as error:  # pragma: no cover - each member was converted
        return None, (*off, str(error))


_STAND_INS: dict[str, Any] = {
    "command": "",
    "hostname": "",
    "kernel": "",
    "runtime": "",
    "started_utc": "",
}
"""What stands for a missing core field that cannot be null."""


def _shown(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=True)
    except (ValueError, RecursionError):
        text = "something nested too deep"
    return text if len(text) <= 60 else f"{text[:59]}…"
