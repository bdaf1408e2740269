"""One portable file with receipts, evidence and a log, for a job that judges elsewhere.

A zip without compression, whose bytes follow from its content: what reads it makes it
again and compares, so nothing can hide between the members. Names are those that
Proctor writes, and nothing is written outside the folder that is named. A bundle proves
nothing by itself: what it holds is checked like any other receipt.
"""

import hashlib
import io
import json
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from typing import IO, Any

import msgspec

from proctor._whole import WholeFile
from proctor.errors import EvidenceError
from proctor.receipt.fields import read_file
from proctor.receipt.issue import envelope_path
from proctor.repo.names import is_receipt

SCHEMA = "proctor.bundle/1"
MANIFEST = "bundle.json"
DEFAULT = "proctor-bundle.zip"
LARGEST = 1 << 30
"""Bytes of a bundle."""
MOST = 5000
"""Members of a bundle."""
_DATE = (1980, 1, 1, 0, 0, 0)
_LOG = re.compile(r"log/(?:spans\.jsonl|changes\.json|reports/[0-9a-f]{64}\.[a-z0-9]{1,8})\Z")
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    OverflowError,
    KeyError,
    OSError,
)


class Member(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of a bundle."""

    path: str
    sha256: str
    bytes: int


class Origin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clone that a bundle's records were made in, by its own account."""

    root: str
    """The folder of its working tree."""
    repository: str
    """The clone's id, as its records name it."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a bundle holds."""

    schema: str = SCHEMA
    origin: Origin | None = None
    """Null in bundles that name none."""
    members: tuple[Member, ...]


class Bundle(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle that was read whole and is as it was made."""

    path: str
    files: dict[str, bytes]
    origin: Origin | None = None


def pack(path: str, files: dict[str, bytes], origin: Origin | None = None) -> None:
    """Write a bundle with these files, whole, then rename it to its place.

    Raises:
        EvidenceError: there is nothing to pack, a name is none of ours, it is too large,
            or it cannot be written.
    """
    wrong = [name for name in files if not is_allowed(name)]
    if wrong or not files:
        raise EvidenceError(
            f"{wrong[0]}: is nothing that Proctor writes"
            if wrong
            else "there is nothing to pack; issue a receipt first: proctor receipt issue"
        )
    if sum(map(len, files.values())) > LARGEST or len(files) > MOST:
        raise EvidenceError("more than 1 GiB or 5,000 files; prune the log: proctor log prune")
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with WholeFile(path) as file:
            _write(file, files, origin)
    except OSError as error:
        raise EvidenceError(
            f"{path}: cannot be written: {error.strerror}; choose another place with --output"
        ) from None


def read_bundle(path: str) -> Bundle:
    """Return what a bundle holds, every member checked.

    Raises:
        EvidenceError: it is not there, no bundle, or not as it was made.
    """
    try:
        data = read_file(path, limit=LARGEST)
    except FileNotFoundError:
        raise EvidenceError(f"{path}: there is no such file; make it: proctor bundle make") from (
            None
        )
    try:
        files, origin = _read(data)
    except _RefusedError as error:
        raise EvidenceError(f"{path}: {error}") from None
    except _DAMAGED:
        raise EvidenceError(f"{path}: damaged, or no bundle; make it: proctor bundle make") from (
            None
        )
    return Bundle(path=path, files=files, origin=origin)


def unpack(bundle: Bundle, folder: str) -> list[str]:
    """Write a bundle's files below an empty folder and return their paths.

    Raises:
        EvidenceError: the folder is not empty, or cannot be written.
    """
    try:
        os.makedirs(folder, exist_ok=True)
        if os.listdir(folder):
            raise EvidenceError(f"{folder}: is not empty; name a new folder with --output")
        written = []
        for name, data in sorted(bundle.files.items()):
            target = os.path.join(folder, *name.split("/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with open(os.open(target, flags, 0o600), "wb") as file:
                file.write(data)
            written.append(target)
    except OSError as error:
        raise EvidenceError(f"{folder}: cannot be written: {error.strerror}") from None
    return written


def gather(root: str, receipts: Sequence[str], evidence: str | None) -> dict[str, bytes]:
    """Return the files of these receipts, their signatures, and an evidence folder.

    Raises:
        EvidenceError: one is unreadable, or a receipt is not there.
    """
    files: dict[str, bytes] = {}
    for path in receipts:
        name = os.path.relpath(os.path.abspath(path), root)
        name = name if is_allowed(name) else f"artifacts/{os.path.basename(path)}"
        try:
            files[name] = read_file(path)
        except FileNotFoundError:
            raise EvidenceError(f"{path}: there is no receipt; see: proctor receipt issue") from (
                None
            )
        for beside in (envelope_path(path),):
            if os.path.lexists(beside):
                files[envelope_path(name)] = read_file(beside)
    for path in _listed(evidence) if evidence is not None else ():
        name = f"evidence/{os.path.basename(path)}"
        if is_allowed(name):
            files[name] = read_file(path, limit=LARGEST)
    return files


def gather_log(log: str, reports: Iterable[str]) -> dict[str, bytes]:
    """Return a log and the kept reports that its spans name.

    Raises:
        EvidenceError: one is unreadable.
    """
    try:
        files = {"log/spans.jsonl": read_file(log, limit=LARGEST)}
    except FileNotFoundError:
        raise EvidenceError(f"{log}: there is no such span log; record a command first") from None
    for path in reports:
        name = f"log/reports/{os.path.basename(path)}"
        if is_allowed(name) and os.path.isfile(path):
            files[name] = read_file(path, limit=LARGEST)
    return files


def is_allowed(name: str) -> bool:
    """Return whether a member of this name may be in a bundle: only what Proctor writes."""
    if "\\" in name or "\0" in name or name.startswith("/") or ".." in name.split("/"):
        return False
    if not name.isascii() or name != "/".join(part for part in name.split("/") if part):
        return False
    return is_receipt(name.encode()) or _LOG.match(name) is not None


class _RefusedError(ValueError):
    """Why a bundle is not taken, in words."""


def _read(data: bytes) -> tuple[dict[str, bytes], Origin | None]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos = archive.infolist()
        names = [info.filename for info in infos]
        if len(infos) > MOST or len(set(names)) != len(names):
            raise _RefusedError("too many members, or one of them twice: this is no bundle of ours")
        for info in infos:
            _check_info(info)
        files = {info.filename: archive.read(info) for info in infos}
    manifest = _manifest(files.pop(MANIFEST, b""))
    told = {one.path: (one.sha256, one.bytes) for one in manifest.members}
    known = {name: (hashlib.sha256(d).hexdigest(), len(d)) for name, d in files.items()}
    for name in sorted({*told, *known}):
        if told.get(name) != known.get(name):
            raise _RefusedError(
                f"{name[:80]!r} is not what {MANIFEST} says: the bundle was altered"
            )
    again = io.BytesIO()
    _write(again, files, manifest.origin)
    if again.getvalue() != data:
        raise _RefusedError("holds more than its members, or in another form: it was altered")
    return files, manifest.origin


def _check_info(info: zipfile.ZipInfo) -> None:
    name = info.filename
    if name != MANIFEST and not is_allowed(name):
        raise _RefusedError(f"{name[:80]!r} is no name of a bundle's member: nothing was read")
    mode = info.external_attr >> 16
    if not stat.S_ISREG(mode) or info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1:
        raise _RefusedError(f"{name[:80]!r} is no plain file: nothing was read")


def _manifest(data: bytes) -> Manifest:
    try:
        found = msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise _RefusedError(
            f"has no {MANIFEST} that can be read: this is no bundle of ours"
        ) from None
    if found.schema != SCHEMA:
        raise _RefusedError(f"is of version {found.schema[:40]!r}, this Proctor reads {SCHEMA}")
    return found


def _write(file: IO[bytes], files: dict[str, bytes], origin: Origin | None) -> None:
    """Write a bundle; the same files give the same bytes."""
    members: list[dict[str, Any]] = [
        {"path": name, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
        for name, data in sorted(files.items())
    ]
    place = {"origin": msgspec.to_builtins(origin)} if origin is not None else {}
    told = {"schema": SCHEMA, **place, "members": members}
    manifest = json.dumps(told, indent=1).encode() + b"\n"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, data in ((MANIFEST, manifest), *sorted(files.items())):
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system = 3
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, data)


def _listed(folder: str) -> list[str]:
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    except OSError as error:
        raise EvidenceError(
            f"{folder}: cannot be read: {error.strerror}; capture it: proctor evidence capture"
        ) from None
