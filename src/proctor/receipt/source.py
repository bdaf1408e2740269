"""Where receipts are read from: files, and the signatures beside them."""

import glob
import os
from collections.abc import Sequence

import msgspec

from proctor.receipt.fields import DEFAULT, read_file
from proctor.receipt.issue import envelope_path


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
    return [_source(path) for path in paths or default_paths(root)]


def default_paths(root: str) -> list[str]:
    """Return the receipts in the repository, the default one first; it need not exist."""
    first = os.path.join(root, DEFAULT)
    others = sorted(glob.glob(f"{glob.escape(first.removesuffix('.json'))}.*.json"))
    return [first, *others] if os.path.lexists(first) or not others else others


def _source(path: str) -> Source:
    try:
        data = read_file(path)
    except FileNotFoundError:
        return Source(path=path, data=None)
    try:
        envelopes = read_file(envelope_path(path))
    except FileNotFoundError:
        envelopes = None
    return Source(path=path, data=data, envelopes=envelopes)
