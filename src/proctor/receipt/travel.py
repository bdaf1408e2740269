"""Sends receipts along with a commit, as a git note under `refs/notes/proctor`.

A note is lines of JSON, one for each receipt with what goes with it, so that git's own
`cat_sort_uniq` merges the notes of two clones. The tree is not touched. A note proves
nothing: what it holds is checked like any other receipt.
"""

import base64
import binascii
import os
from collections.abc import Iterator, Sequence

import msgspec

from proctor.errors import EvidenceError, RepositoryError
from proctor.receipt.fields import LARGEST, read_file, read_receipt
from proctor.receipt.issue import envelope_path, put_whole
from proctor.records.place import Clone, find_clone
from proctor.repo.clone import place_of, read_config
from proctor.repo.git import Place, run_git, transfer
from proctor.repo.history import resolve
from proctor.repo.names import is_receipt

REF = "refs/notes/proctor"
_FETCHED = "refs/notes/proctor-from"
MANIFEST = "evidence/manifest.json"
SCHEMA = "proctor.note/1"


class Parcel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A receipt and what goes with it, each as base64."""

    schema: str = SCHEMA
    path: str
    """Where the receipt lies, relative to the root."""
    receipt: str
    envelopes: str | None = None
    evidence: str | None = None
    """The manifest of the evidence folder."""


def attach(folder: str, paths: Sequence[str], revision: str = "HEAD") -> tuple[str, int]:
    """Note receipts at a commit; return its id and how many the note holds then.

    A receipt takes the place of the one that was noted under the same path.

    Raises:
        EvidenceError: a receipt is not there, unreadable or not named like one.
        RepositoryError: there is no such commit, or git gives no answer.
    """
    clone, place = _here(folder)
    commit = _commit(clone, revision)
    fresh = [_parcel(clone.root, path) for path in paths]
    names = {parcel.path for parcel in fresh}
    kept = [one for one in _noted(place, REF, commit) if one.path not in names]
    lines = sorted({msgspec.json.encode(one) for one in (*kept, *fresh)})
    blob = run_git(place, ["hash-object", "-w", "--stdin"], stdin=b"\n".join(lines) + b"\n")
    words = [*_author(place), "notes", f"--ref={REF}", "add", "-f", "-C", blob.decode().strip()]
    run_git(place, [*words, commit])
    return commit, len(lines)


def fetch(folder: str, remote: str | None, revision: str, output: str) -> list[str]:
    """Write the receipts that are noted at a commit below `output`; return their paths.

    With `remote` its notes are fetched first, beside those of this clone, which stay.

    Raises:
        EvidenceError: nothing is noted, or what is cannot be read or written.
        RepositoryError: there is no such commit or remote, or git gives no answer.
    """
    clone, place = _here(folder)
    commit = _commit(clone, revision)
    refs = [REF]
    if remote is not None:
        theirs = f"{_FETCHED}/{remote}"
        transfer(place, ["fetch", "--no-tags", "--quiet", remote, f"+{REF}:{theirs}"])
        refs.append(theirs)
    found = {msgspec.json.encode(one): one for ref in refs for one in _noted(place, ref, commit)}
    if not found:
        raise EvidenceError(
            f"nothing is attached to {commit[:12]}; where the receipt is: proctor receipt attach, "
            f"then: git push {remote or 'origin'} {REF}"
        )
    return list(_written([found[key] for key in sorted(found)], output))


def _parcel(root: str, path: str) -> Parcel:
    """Return a receipt with the envelopes and the manifest that lie beside it."""
    name = os.path.relpath(os.path.abspath(path), root)
    if not is_receipt(os.fsencode(name)) or not name.endswith(".json"):
        raise EvidenceError(
            f"{path}: a receipt that travels is called artifacts/test-receipt.json or "
            "artifacts/test-receipt.NAME.json in its repository"
        )
    try:
        data = read_file(path)
    except FileNotFoundError:
        raise EvidenceError(f"{path}: there is no receipt; issue one: proctor receipt issue") from (
            None
        )
    read_receipt(data, path)
    return Parcel(
        path=name,
        receipt=_encoded(data),
        envelopes=_optional(envelope_path(path)),
        evidence=_optional(os.path.join(root, MANIFEST)),
    )


def _optional(path: str) -> str | None:
    try:
        return _encoded(read_file(path))
    except FileNotFoundError:
        return None


def _noted(place: Place, ref: str, commit: str) -> list[Parcel]:
    """Return what a ref notes at a commit; lines that are no parcel are passed over."""
    try:
        text = run_git(place, ["notes", f"--ref={ref}", "show", commit])
    except RepositoryError:
        return []
    found = []
    for line in text.splitlines():
        try:
            parcel = msgspec.json.decode(line, type=Parcel)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
        if parcel.schema == SCHEMA and _is_named_right(parcel.path):
            found.append(parcel)
    return found


def _is_named_right(path: str) -> bool:
    """Return whether a path is one that a receipt may be written to.

    NOTE: whoever may push to the repository chooses it.
    """
    return path.startswith("artifacts/") and path.endswith(".json") and is_receipt(path.encode())


def _written(parcels: Sequence[Parcel], output: str) -> Iterator[str]:
    met: dict[str, int] = {}
    for parcel in parcels:
        base = os.path.basename(parcel.path).removesuffix(".json")
        number = met[base] = met.get(base, 0) + 1
        sign = "." if base == "test-receipt" else "-"
        stem = base if number == 1 else f"{base}{sign}{number}"
        path = os.path.join(output, "artifacts", f"{stem}.json")
        yield _put(path, parcel.receipt)
        if parcel.envelopes is not None:
            yield _put(envelope_path(path), parcel.envelopes)
        elif os.path.lexists(envelope_path(path)):
            os.unlink(envelope_path(path))
        if parcel.evidence is not None:
            yield _put(os.path.join(output, MANIFEST), parcel.evidence)


def _put(path: str, text: str) -> str:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise EvidenceError(f"{path}: the note does not hold it whole; attach it again") from None
    if len(data) > LARGEST:
        raise EvidenceError(f"{path}: the note holds more than 16 MiB for it")
    put_whole(path, data)
    return path


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _here(folder: str) -> tuple[Clone, Place]:
    clone = find_clone(folder)
    place = place_of(clone)
    if place is None:
        raise RepositoryError(f"{folder}: not in a git working tree; run this inside one")
    return clone, place


def _commit(clone: Clone, revision: str) -> str:
    commit = resolve(clone.root, revision)
    if commit is None:
        raise RepositoryError(f"{revision[:80]}: no such commit here; fetch it: git fetch")
    return commit


def _author(place: Place) -> list[str]:
    """Return settings that name an author where the user has set none."""
    config = read_config(place)
    known = {"user.name": "proctor", "user.email": "proctor@localhost"}
    return [word for n, v in known.items() if not config.get(n) for word in ("-c", f"{n}={v}")]
