"""Where receipts are read from: files, the signatures beside them, and bundles."""

import glob
import os
from collections.abc import Iterator, Sequence

import msgspec

from proctor.receipt.bundle import read_bundle
from proctor.receipt.fields import DEFAULT, read_file
from proctor.receipt.issue import envelope_path

_ZIP = b"PK\x03\x04"


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """The bytes of a receipt, and of the envelopes that go with it."""

    path: str
    """For messages."""
    data: bytes | None
    """Null where there is no such file."""
    envelopes: bytes | None = None


def sources(root: str, paths: Sequence[str]) -> list[Source]:
    """Return the receipts at `paths`; of none, those at the default place.

    Raises:
        EvidenceError: one is unreadable.
    """
    return [one for path in paths or default_paths(root) for one in _sources_at(path)]


def default_paths(root: str) -> list[str]:
    """Return the receipts in the repository, the default one first; it need not exist."""
    first = os.path.join(root, DEFAULT)
    others = sorted(glob.glob(f"{glob.escape(first.removesuffix('.json'))}.*.json"))
    return [first, *others] if os.path.lexists(first) or not others else others


def _sources_at(path: str) -> Iterator[Source]:
    if _is_zip(path):
        yield from _in_bundle(path)
        return
    try:
        data = read_file(path)
    except FileNotFoundError:
        yield Source(path=path, data=None)
        return
    try:
        envelopes = read_file(envelope_path(path))
    except FileNotFoundError:
        envelopes = None
    yield Source(path=path, data=data, envelopes=envelopes)


def _in_bundle(path: str) -> Iterator[Source]:
    files = read_bundle(path).files
    names = [n for n in sorted(files) if n.startswith("artifacts/") and n.endswith(".json")]
    if not names:
        yield Source(path=f"{path}: a receipt", data=None)
    for name in names:
        yield Source(
            path=f"{path}: {name}", data=files[name], envelopes=files.get(envelope_path(name))
        )


def _is_zip(path: str) -> bool:
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            return file.read(len(_ZIP)) == _ZIP
    except (OSError, ValueError):
        return False  # whoever reads it says what is wrong
