"""Follows a pruned log back through the parts that were closed before it.

A closed part is a file beside the log that the header of the log, or of the part
closed after it, names. Where it was deleted, the list of its digests remains: a
header line (or `-`), then the digest of each record, a line each.
"""

import itertools
import os
from collections.abc import Iterator
from datetime import datetime

import msgspec

from proctor._whole import file_sha256
from proctor.errors import LogError
from proctor.records.append import ZERO
from proctor.records.chain import Chain, links_of, verify
from proctor.records.header import Header, header_in, header_of
from proctor.records.lines import blocks, open_log, settled_size

DIGESTS = ".digests"
"""What the name of a list of digests has after that of its closed part."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A closed part as the header after it names it."""

    path: str
    header: Header
    """The header that names it."""
    state: str
    """here; deleted (the list of its digests is here); gone."""
    earlier: Header | None = None
    """Its own header, which names the part before it; none in the first, or where gone."""

    @property
    def records(self) -> int | None:
        """How many records it holds; unknown where it is gone."""
        if self.state == "gone":
            return None
        return self.header.length - (self.earlier.length if self.earlier else 0)


def closed_parts(log: str) -> Iterator[Part]:
    """Yield the closed parts of a log, the newest first, as far as they can be followed.

    Raises:
        LogError: the log cannot be read.
    """
    folder = os.path.dirname(os.path.abspath(log))
    header = _header_of_file(log)
    seen: set[str] = set()
    while header is not None and header.closed not in seen:
        seen.add(header.closed)
        part = _part(os.path.join(folder, header.closed), header)
        yield part
        header = part.earlier


def damage(part: Part, *, thorough: bool) -> str | None:
    """Return what is wrong with a closed part, none where nothing was found.

    Unless `thorough`, a file that nobody touched since it was closed is not read:
    the change time of a file cannot be set. One that is gone is not damaged.
    """
    try:
        if part.state == "deleted":
            found = file_sha256(part.path + DIGESTS) == part.header.digests_sha256
            return None if found else f"{part.path}{DIGESTS}: is not the list that was kept"
        if part.state == "gone" or not (thorough or _is_touched(part)):
            return None
        return _damage_of_file(part)
    except (OSError, LogError) as error:
        return f"{part.path}: cannot be read: {getattr(error, 'strerror', None) or error}"


def number_in_file(log: str, length: int) -> int | None:
    """Return which record of the file is the chain's `length`-th; none if it is in no file's.

    Raises:
        LogError: the log cannot be read.
    """
    header = _header_of_file(log)
    number = length - (header.length if header is not None else 0)
    return number if number > 0 else None


def holds(log: str, head: str, length: int) -> bool | None:
    """Return whether the record with digest `head` is the chain's `length`-th.

    Parts closed since are followed, and for those that were deleted the lists of
    their digests. None: it cannot be told, because the part in question is gone
    or the chain is broken on the way to it. The first record is number 1; before
    it the head is 64 zeros.

    Raises:
        LogError: the log cannot be read.
    """
    if length <= 0:
        return length == 0 and head == ZERO
    header = _header_of_file(log)
    if header is None or length > header.length:
        return _is_at(log, head, length - (header.length if header else 0), whole=False)
    if _problem_in(log) is not None:
        return None
    return head == header.head if length == header.length else _closed_hold(log, head, length)


def _closed_hold(log: str, head: str, length: int) -> bool | None:
    for part in closed_parts(log):
        if part.state == "gone" or damage(part, thorough=True):
            break
        before = part.earlier.length if part.earlier is not None else 0
        if length > before:
            return _is_in(part, head, length - before)
        if part.earlier is not None and length == before:
            return head == part.earlier.head
    return None


def digests_of(fd: int, size: int) -> Iterator[bytes]:
    """Yield the lines of the list of digests of a log, newlines included."""
    header = header_in(fd)
    first = True
    for block in blocks(fd, size):
        for line in block.split(b"\n"):
            if first:
                yield (line if header is not None else b"-") + b"\n"
                first = False
                if header is not None:
                    continue
            stored = links_of(line)[0]
            if stored is not None:
                yield stored.encode("ascii") + b"\n"


def _part(path: str, header: Header) -> Part:
    if os.path.isfile(path):
        return Part(path=path, header=header, state="here", earlier=_header_of_file(path))
    try:
        with open(path + DIGESTS, "rb") as file:
            earlier = header_of(file.readline().rstrip(b"\n"))
    except OSError:
        return Part(path=path, header=header, state="gone")
    return Part(path=path, header=header, state="deleted", earlier=earlier)


def _header_of_file(path: str) -> Header | None:
    fd = open_log(path)
    try:
        return header_in(fd)
    finally:
        os.close(fd)


def _is_touched(part: Part) -> bool:
    closed_at = datetime.fromisoformat(part.header.closed_at).timestamp()
    return os.stat(part.path).st_ctime > closed_at


def _damage_of_file(part: Part) -> str | None:
    chain = _verified(part.path)
    if chain.problem_count:
        return f"{part.path}: {chain.problems[0].message}"
    if (chain.head, chain.length) != (part.header.head, part.header.length):
        return f"{part.path}: is not the part that was closed: its last record is another"
    return None


def _problem_in(path: str) -> str | None:
    chain = _verified(path)
    return chain.problems[0].message if chain.problem_count else None


def _verified(path: str) -> Chain:
    fd = open_log(path)
    try:
        return verify(fd, settled_size(fd))
    finally:
        os.close(fd)


def _is_in(part: Part, head: str, number: int) -> bool | None:
    if part.state == "here":
        return _is_at(part.path, head, number, whole=True)
    with open(part.path + DIGESTS, "rb") as file:
        line = next(itertools.islice(file, number, None), b"")
    return line.rstrip(b"\n") == head.encode("ascii", "replace")


def _is_at(path: str, head: str, number: int, *, whole: bool) -> bool | None:
    """Return whether `head` is the `number`-th record of a file.

    Unless the `whole` file was checked, its links up to the record are.
    """
    fd = open_log(path)
    try:
        found, end = _find(fd, settled_size(fd), number)
        if found is not None and not whole and verify(fd, end).problem_count:
            return None
        return found == head
    finally:
        os.close(fd)


def _find(fd: int, size: int, number: int) -> tuple[str | None, int]:
    """Return the digest of the `number`-th record, and where its line ends."""
    end = 0
    left = number + (header_in(fd) is not None)
    for block in blocks(fd, size):
        for line in block.split(b"\n"):
            end += len(line) + 1
            stored = links_of(line)[0]
            left -= stored is not None
            if stored is not None and left == 0:
                return stored, min(end, size)
    return None, end
