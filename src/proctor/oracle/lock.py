"""`oracle.lock`: the digests of what the oracle rests on, as they were reviewed.

It holds digests, and where the corpus came from; that the corpus is a good one it
does not show.
"""

import os
from collections.abc import Iterable, Iterator

import msgspec

from proctor._digest import encode, sha256_hex
from proctor._whole import file_sha256
from proctor.config import OracleTable
from proctor.errors import OracleError
from proctor.oracle.corpus import Totals

SCHEMA = "proctor.lock/1"


class Varied(msgspec.Struct, frozen=True, kw_only=True):
    """A field of the old build that one turn of the environment alone changes."""

    seed: str
    step: int
    field: str
    axis: str
    """tz, hash_seed, locale, cwd_length, file_order, again."""


class Lock(msgspec.Struct, frozen=True, kw_only=True):
    """The content of an `oracle.lock`."""

    schema: str = SCHEMA
    corpus_sha256: str
    seeds: int
    steps: int
    policy_sha256: str | None = None
    masks_sha256: str | None = None
    """Over the project's own masks and what it does not look at."""
    fixtures: dict[str, str] = {}
    generator: str | None = None
    """What made the corpus, with version and seed; nothing rests on it."""
    varies: tuple[Varied, ...] = ()
    """What was found to vary when the environment was turned."""


def masks_sha256(table: OracleTable) -> str:
    """Return the digest of what a project takes out of the comparison."""
    return sha256_hex(encode([dict(sorted(table.masks.items())), list(table.ignore)]))


def parse_lock(data: bytes, path: str) -> Lock:
    """Return the lock in `data`; `path` is for messages.

    Raises:
        OracleError: it is none.
    """
    try:
        lock = msgspec.json.decode(data, type=Lock)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise OracleError(f"{path}: not a lock: {error}; `proctor oracle pin` writes one") from None
    if lock.schema != SCHEMA:
        raise OracleError(f"{path}: a lock of schema {lock.schema!r}; this is {SCHEMA}")
    return lock


def render_lock(lock: Lock) -> str:
    """Return a lock as the text of its file."""
    return msgspec.json.format(msgspec.json.encode(lock), indent=2).decode() + "\n"


def fixture_digests(folder: str, names: Iterable[str]) -> dict[str, str]:
    """Return path → SHA-256 of each file that the named fixtures are or hold.

    Raises:
        OracleError: one of them is not there.
    """
    found = {}
    for name in sorted(set(names)):
        path = os.path.join(folder, name)
        if not os.path.lexists(path):
            raise OracleError(f"{path}: the corpus names this fixture, and it is not there")
        for inner in _below(path):
            found[os.path.relpath(inner, folder)] = _sha256(inner)
    return found


def _below(path: str) -> Iterator[str]:
    if not os.path.isdir(path) or os.path.islink(path):
        yield path
        return
    for above, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            yield os.path.join(above, name)


def _sha256(path: str) -> str:
    if os.path.islink(path):
        return sha256_hex(b"link " + os.fsencode(os.readlink(path)))
    try:
        mode = os.stat(path).st_mode & 0o111
        digest = file_sha256(path)
    except OSError as error:
        raise OracleError(f"{path}: the fixture cannot be read: {error.strerror}") from None
    return sha256_hex(f"{digest} x".encode()) if mode else digest


def fixture_drift(pinned: dict[str, str], now: dict[str, str], when: str) -> list[str]:
    """Return which of the pinned fixtures are not what they were, in words."""
    said = []
    for name, digest in sorted(pinned.items()):
        if name not in now:
            said.append(f"{name} is gone {when}")
        elif now[name] != digest:
            said.append(f"{name} is not what it was {when}")
    return said


def lock_of(
    table: OracleTable, totals: Totals, fixtures: dict[str, str], policy_sha256: str | None
) -> Lock:
    """Return the lock of a corpus with its fixtures and policy."""
    return Lock(
        corpus_sha256=totals.sha256,
        seeds=totals.seeds,
        steps=totals.steps,
        policy_sha256=policy_sha256,
        masks_sha256=masks_sha256(table),
        fixtures=fixtures,
    )
