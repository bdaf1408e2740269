"""Closes the older records of a log into a file of their own; the chain goes on.

Steps: 1. find where to cut, no run cut in two, 2. check the chain up to there, 3. copy
the older records, 4. under the writers' lock give the copy its name and put a new log,
header first, in the place of the old one. Whenever this is stopped, the log is either
the old one or the new one, whole. A writer or reader that has the old file open goes
on with the new one (`records.append`), or reads the old one to its end.
"""

import fcntl
import hashlib
import os
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from proctor.errors import LogError
from proctor.records.append import seal
from proctor.records.chain import Chain, verify
from proctor.records.header import SCHEMA, header_in
from proctor.records.lines import blocks, open_log, settled_size
from proctor.records.parts import DIGESTS, Part, closed_parts, damage, digests_of, holds
from proctor.records.pending import is_locked
from proctor.records.starts import read_pending

_BLOCK = 1 << 20
_FRESH = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """Where a log is, or would be, cut."""

    records: int
    """Records that are closed."""
    bytes: int
    """Their size."""
    until: str
    """The time of the latest of them."""
    closed: str
    """Path of the closed part."""


class _Head(msgspec.Struct, gc=False):
    run_id: str = ""
    started_at: str = ""
    finished_at: str | None = None


def close_older(log: str, cutoff: str, *, dry_run: bool = False) -> Cut | None:
    """Close the records older than `cutoff` (as spans write times); none: there are none.

    A run is closed whole or not at all, and not while it is being recorded.

    Raises:
        LogError: the log cannot be read or replaced, its chain is broken in the
            part to be closed, or another `prune` was quicker.
    """
    fd = open_log(log)
    try:
        end = _cut_at(fd, settled_size(fd), cutoff, {p.run_id for p in read_pending(log)})
        chain = verify(fd, end)
        _refuse_broken(log, chain)
        if not chain.sealed:
            return None
        closed = f"{log}.closed-{chain.length:09}-{str(chain.head)[:8]}"
        cut = Cut(records=chain.sealed, bytes=end, until=_latest(fd, end), closed=closed)
        if not dry_run:
            _replace(log, fd, end, chain, cut)
    except OSError as error:
        raise LogError(_unchangeable(log, error)) from None
    finally:
        os.close(fd)
    return cut


def delete_closed(log: str, cutoff: str, *, dry_run: bool = False) -> list[Part]:
    """Delete the closed parts whose records are all older than `cutoff`; return them.

    The list of each one's digests takes its place, so that it can still be told
    whether a record was part of the chain.

    Raises:
        LogError: one of them is not what was closed, or cannot be deleted.
    """
    found = [p for p in closed_parts(log) if p.state == "here" and p.header.until < cutoff]
    for part in found if not dry_run else ():
        wrong = damage(part, thorough=True)
        if wrong:
            raise LogError(f"{wrong}; it stays, see: proctor verify {log}")
        try:
            _keep_digests(log, part)
            os.unlink(part.path)
        except OSError as error:
            raise LogError(_unchangeable(part.path, error)) from None
    return found


def leftovers(log: str) -> list[str]:
    """Return files that a `prune` left when it was stopped: copies of what the log still holds."""
    folder, name = os.path.split(os.path.abspath(log))
    named = {part.header.closed for part in closed_parts(log)}
    found = []
    for one in sorted(os.listdir(folder)):
        path = os.path.join(folder, one)
        if one.startswith(f"{name}.closing-"):
            found += [path] if _is_abandoned(path) else []
        elif one.startswith(f"{name}.closed-") and not one.endswith(DIGESTS) and one not in named:
            found += [path] if _is_copy(log, path) else []
    return found


def remove_leftovers(log: str) -> list[str]:
    """Remove what `leftovers` finds, and return what was removed."""
    found = leftovers(log)
    fd = open_log(log)
    try:
        # NOTE: a part gets its name under this lock, a moment before a header names it.
        fcntl.flock(fd, fcntl.LOCK_EX)
        named = {part.path for part in closed_parts(log)}
        gone = [path for path in found if path not in named]
        for path in gone:
            os.unlink(path)
    except OSError as error:
        raise LogError(_unchangeable(log, error)) from None
    finally:
        os.close(fd)
    return gone


# ── where to cut ────────────────────────────────────────────────────────────


def _cut_at(fd: int, size: int, cutoff: str, running: set[str]) -> int:
    """Return the end of the longest beginning that holds only whole, old runs."""
    runs: dict[str, list[int]] = {}
    cut = 0
    young = size
    for start, cut, head in _heads(fd, size):
        run = runs.setdefault(head.run_id or str(start), [start, cut])
        run[1] = cut
        if (head.finished_at or head.started_at) >= cutoff or head.run_id in running:
            young = min(young, run[0])
    cut = min(cut, young)
    for start, end in sorted(runs.values(), key=lambda run: -run[1]):
        if end <= cut:
            break
        cut = min(cut, start)
    return cut


def _heads(fd: int, size: int) -> Iterator[tuple[int, int, _Head]]:
    """Yield start, end and head of each whole line but the log's header."""
    decoder = msgspec.json.Decoder(_Head)
    position = 0
    if header_in(fd) is not None:
        position = os.pread(fd, _BLOCK, 0).index(b"\n") + 1
    skip = position
    start = 0
    for block in blocks(fd, size):
        for line in block.split(b"\n"):
            end = start + len(line) + 1
            if start >= skip and end <= size:
                yield start, end, _decoded(decoder, line)
            start = end


def _decoded(decoder: "msgspec.json.Decoder[_Head]", line: bytes) -> _Head:
    try:
        return decoder.decode(line)
    except (ValueError, RecursionError):
        return _Head()


def _latest(fd: int, end: int) -> str:
    return max((head.finished_at or head.started_at for _, _, head in _heads(fd, end)), default="")


def _refuse_broken(log: str, chain: Chain) -> None:
    if chain.problem_count:
        raise LogError(
            f"{log}: {chain.problems[0].message}; only a whole chain can be pruned, see: "
            f"proctor verify {log}"
        )
    if chain.lines and not chain.sealed:
        raise LogError(f"{log}: its records carry no digests; move the file away to begin anew")


# ── putting the new log in its place ────────────────────────────────────────


def _replace(log: str, fd: int, end: int, chain: Chain, cut: Cut) -> None:
    """Do steps 3 and 4 of the module's docstring."""
    older, fresh = _scratch(log), _scratch(log)
    digests = hashlib.sha256()
    for line in digests_of(fd, end):
        digests.update(line)
    held: list[int] = []
    try:
        held.append(_copy(fd, 0, end, older))
        fcntl.flock(fd, fcntl.LOCK_EX)
        _refuse_replaced(log, fd)
        os.rename(older, cut.closed)
        header = _header(chain, cut, digests.hexdigest())
        held.append(_copy(fd, end, os.fstat(fd).st_size, fresh, header))
        os.rename(fresh, log)
        _sync_folder(os.path.dirname(log))
    finally:
        _unlink(older)
        _unlink(fresh)
        for one in held:
            os.close(one)


def _header(chain: Chain, cut: Cut, digests_sha256: str) -> bytes:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    header: dict[str, Any] = {
        "schema": SCHEMA,
        "closed": os.path.basename(cut.closed),
        "head": chain.head,
        "length": chain.length,
        "until": cut.until,
        "closed_at": now,
        "digests_sha256": digests_sha256,
        "prev": chain.head,
    }
    return seal(header)[0]


def _copy(fd: int, start: int, end: int, path: str, first: bytes = b"") -> int:
    """Write `first` and bytes of `fd` to a new file, locked while it is open; return it."""
    to = _create(path)
    with open(to, "wb", closefd=False) as file:
        file.write(first)
        while start < end:
            data = os.pread(fd, min(_BLOCK, end - start), start)
            if not data:
                raise LogError(f"{path}: the log became shorter while it was read")
            file.write(data)
            start += len(data)
    os.fsync(to)
    return to


def _scratch(log: str) -> str:
    return f"{log}.closing-{os.getpid()}-{secrets.token_hex(4)}"


def _create(path: str) -> int:
    """Create a file that is locked for as long as it is open: a `prune` works on it."""
    fd = os.open(path, _FRESH, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX)
    return fd


def _unlink(path: str) -> None:
    if os.path.exists(path):
        os.unlink(path)


def _refuse_replaced(log: str, fd: int) -> None:
    ours, there = os.fstat(fd), os.lstat(log)
    if (ours.st_ino, ours.st_dev) != (there.st_ino, there.st_dev):
        raise LogError(f"{log}: another prune was quicker; see the log, then try again")


def _sync_folder(folder: str) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


# ── deleting ────────────────────────────────────────────────────────────────


def _keep_digests(log: str, part: Part) -> None:
    """Write the list of a part's digests beside it, whole or not at all."""
    fresh = _scratch(log)
    fd = open_log(part.path)
    try:
        to = _create(fresh)
        with open(to, "wb") as file:
            file.writelines(digests_of(fd, os.fstat(fd).st_size))
            file.flush()
            os.fsync(to)
            os.rename(fresh, part.path + DIGESTS)
        _sync_folder(os.path.dirname(part.path))
    finally:
        os.close(fd)
        _unlink(fresh)


def _is_abandoned(path: str) -> bool:
    try:
        return not is_locked(path)
    except OSError:
        return False


def _is_copy(log: str, path: str) -> bool:
    """Return whether every record of a file is still part of the log's chain."""
    try:
        fd = open_log(path)
        try:
            chain = verify(fd, os.fstat(fd).st_size)
        finally:
            os.close(fd)
    except LogError:
        return False
    if chain.problem_count or chain.head is None:
        return False
    return holds(log, chain.head, chain.length) is True


def _unchangeable(path: str, error: OSError) -> str:
    return f"{path}: cannot be pruned: {error.strerror}; it takes the rights of the log's owner"
