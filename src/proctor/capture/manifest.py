"""The manifest of an evidence folder: what is in it, by digest, and what it rests on."""

import os
import re
import stat
from collections.abc import Iterator
from typing import Final

import msgspec

from proctor._digest import encode, sha256_hex
from proctor.errors import EvidenceError

NAME = "manifest.json"
SCHEMA: Final = "proctor.evidence/1"
"""1: the first version."""
_FAMILY, _, _MAJOR = SCHEMA.partition("/")
LARGEST = 1 << 30
"""Bytes of a file that are read."""


class KeptFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the folder."""

    name: str
    sha256: str
    bytes: int
    source: str | None = None
    """The project's file that it is a copy of, relative to the root."""
    source_sha256: str | None = None
    """Digest of that file where the copy has secrets masked and so is another one."""


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """What a report counts. A blocked network looks like skipped tests."""

    executed: int
    passed: int
    failed: int
    skipped: int
    ids_sha256: str


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded run."""

    name: str
    """`NAME.exit` holds its exit code."""
    argv: tuple[str, ...]
    exit_code: int | None
    run_id: str
    span_id: str
    span_sha256: str
    """Digest of the root's record in the log."""
    injected: tuple[str, ...] = ()
    """What Proctor added to the environment."""
    junit: tuple[str, ...] = ()
    """The folder's files that its runners wrote."""
    counts: tuple[Counts, ...] = ()
    """Of each test leaf, as the recorder counted."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A whole manifest. It says what was kept; it does **not** prove who wrote it."""

    schema: str = SCHEMA
    captured_utc: str
    venue: str
    """`scratch`, a canary and no gate, or `ci`."""
    root: str
    head: str | None
    tree: str | None
    """git's id of the content that the first test leaf ran on."""
    commands: tuple[Command, ...]
    files: tuple[KeptFile, ...]
    absent: tuple[str, ...] = ()
    """What could not be kept, and why."""
    digest: str = ""
    """Digest over all other members."""

    def sealed(self) -> "Manifest":
        """Return the same with its digest."""
        return msgspec.structs.replace(self, digest=digest_of(self))


OWN = re.compile(
    r"toolchain\.(?:txt|json)|lock\.copy(?:\..+)?|NO_LOCKFILE|freeze\.txt|junit(?:\.\d+)?\.xml"
    r"|.+\.exit|NO_PYTEST_LAYOUT|manifest\.json"
)
"""The names that a capture writes."""
_AGAIN = "capture again: proctor evidence capture"


def digest_of(manifest: Manifest) -> str:
    """Return the digest over every member but the digest."""
    members = msgspec.to_builtins(msgspec.structs.replace(manifest, digest=""))
    return sha256_hex(encode(dict(sorted(members.items()))))


def read_manifest(folder: str) -> Manifest | None:
    """Return the manifest of an evidence folder; none where there is none.

    Raises:
        EvidenceError: it cannot be read.
    """
    path = os.path.join(folder, NAME)
    data = read_file(path)
    if data is None:
        return None
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise EvidenceError(f"{path}: no manifest of evidence: {error}; {_AGAIN}") from None
    family, _, version = manifest.schema.partition("/")
    if (family, version.partition(".")[0]) != (_FAMILY, _MAJOR):
        raise EvidenceError(f"{path}: schema is {manifest.schema[:40]!r}, {SCHEMA!r} can be read")
    return manifest


def read_file(path: str) -> bytes | None:
    """Return the content of a plain file; none where there is no such file.

    Raises:
        EvidenceError: it is no plain file, or may not be read.
    """
    found = open_plain(path)
    if found is None:
        return None
    with open(found[0], "rb") as file:
        return file.read(LARGEST)


def open_plain(path: str) -> tuple[int, int] | None:
    """Return descriptor and size of a plain file; none where there is no such file.

    Raises:
        EvidenceError: it is no plain file, or may not be read.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        why = "is a link" if os.path.islink(path) else f"cannot be read: {error.strerror}"
        raise EvidenceError(f"{path}: {why}; {_AGAIN}") from None
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        os.close(fd)
        raise EvidenceError(f"{path}: is no plain file; {_AGAIN}")
    return fd, found.st_size


def size_of(path: str) -> int | None:
    """Return the size of a plain file; none where there is no such file.

    Raises:
        EvidenceError: it is no plain file, or may not be read.
    """
    found = open_plain(path)
    if found is None:
        return None
    os.close(found[0])
    return found[1]


def mismatches(folder: str, manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield each file that is not what the manifest says, and why.

    Raises:
        EvidenceError: one cannot be read.
    """
    if digest_of(manifest) != manifest.digest:
        yield NAME, "its own digest is not that of its members"
    for kept in manifest.files:
        if kept.name != os.path.basename(kept.name) or kept.name in ("", ".", ".."):
            yield kept.name, "is no name of a file in this folder"
            continue
        # NOTE: by size first: what was blown up is not read to its end.
        path = os.path.join(folder, kept.name)
        size = size_of(path)
        if size is None:
            yield kept.name, "is missing"
        elif size != kept.bytes:
            yield kept.name, f"has {size} bytes, the manifest says {kept.bytes}"
        elif sha256_hex(read_file(path) or b"") != kept.sha256:
            yield kept.name, "has another sha256 than the manifest says"
    listed = {NAME, *(kept.name for kept in manifest.files)}
    for name in sorted(os.listdir(folder)):
        if OWN.fullmatch(name) and name not in listed:
            yield name, "is not in the manifest"
