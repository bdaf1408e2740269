"""Checks the links between the lines of a span log.

A line's last member is `digest`, the SHA-256 of the line's bytes without that
member; `prev` is the digest of the line before, 64 zeros in the first
(`proctor.records.append` writes them). Checking needs the bytes only, so a
large log is checked by a second process while the first reads it.
"""

import hashlib
import os
import sys

import msgspec

from proctor.records.append import ZERO
from proctor.records.header import Header, header_of
from proctor.records.lines import blocks

ENOUGH_FOR_HELPER = 16 << 20
"""Bytes from which a second process is worth its start (about 40 ms): as long as
checking 8 MiB takes."""
LISTED = 1000
"""Problems that are kept one by one; the rest is counted."""
_SEAL = len(',"digest":""}') + 64
_TAIL = _SEAL + len(',"prev":""') + 64

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong with a log."""

    line: int
    """Counted from 1."""
    slug: str
    """torn, not-json, not-a-span, schema, chain, digest or unsealed."""
    message: str
    """One line that names the line number, not the file."""


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """What the check of a chain found.

    No problems shows that nothing was altered, inserted or removed between the
    first record and the last. It does **not** show that the log is complete
    (truncation at the end goes unseen), nor, at trust level 0, that the whole
    log was not forged.
    """

    problems: tuple[Problem, ...] = ()
    problem_count: int = 0
    """All of them; `problems` lists the first 1,000."""
    lines: int = 0
    """Whole lines, empty ones and the header aside."""
    sealed: int = 0
    """Lines that carry a digest, the header aside."""
    head: str | None = None
    """The digest of the last record; where there is none, of the last one before the header."""
    header: Header | None = None
    """The first line, where it names a closed part that stood before."""

    @property
    def length(self) -> int:
        """How many records the chain holds, those of closed parts included."""
        return self.sealed + (self.header.length if self.header is not None else 0)


def verify(fd: int, size: int) -> Chain:
    """Check the first `size` bytes of an open log, reading it in flat memory.

    A log without a single digest (written by something older) has no problems
    and `sealed` 0: nothing was checked.
    """
    checker = _Checker()
    for block in blocks(fd, size):
        checker.feed(block.split(b"\n"))
    return checker.result()


class Verification:
    """A check that runs beside its caller where the log is large.

    Call `result` once, or `stop`.
    """

    def __init__(self, fd: int, size: int) -> None:
        self._fd = fd
        self._size = size
        self._helper: subprocess.Popen[bytes] | None = None
        if size >= ENOUGH_FOR_HELPER and (os.cpu_count() or 1) > 1:
            self._helper = _start_helper(fd, size)

    def result(self) -> Chain:
        """Wait for the end of the check and return what it found."""
        if self._helper is not None:
            helper, self._helper = self._helper, None
            answer, _ = helper.communicate()
            if helper.returncode == 0:
                return msgspec.json.decode(answer, type=Chain)
        return verify(self._fd, self._size)

    def stop(self) -> None:
        """Give up the check, if it still runs."""
        if self._helper is not None:
            self._helper.kill()
            self._helper.communicate()
            self._helper = None


def serve() -> None:
    """Check the log on stdin, as the second process of `Verification`."""
    found = verify(0, int(sys.argv[1]))
    os.write(1, msgspec.json.encode(found))


def _start_helper(fd: int, size: int) -> "subprocess.Popen[bytes] | None":
    import subprocess

    program = "from proctor.records.chain import serve; serve()"
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-c", program, str(size)],
            stdin=fd,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None


class _Checker:
    """The state between lines: what the next one's `prev` should be."""

    def __init__(self) -> None:
        self._number = 0
        self._blank = 0
        self._sealed = 0
        self._expected = ZERO
        self._or_expected = ""
        self._head: str | None = None
        self._header: Header | None = None
        self._unsealed: list[int] = []
        self._unsealed_count = 0
        self._after_damage = False
        self._problems: list[Problem] = []
        self._count = 0

    def feed(self, lines: list[bytes]) -> None:
        """Check the next lines, newlines removed."""
        # NOTE: this is done a million times: OpenSSL's digest is four times as fast as the
        # one that the light path uses, and a member of `self` costs a twentieth of a line.
        sha256, expected, held = hashlib.sha256, self._expected, 0
        for line in lines:
            digest = sha256(line[:-_SEAL] + b"}").hexdigest()
            follows = f',"prev":"{expected}","digest":"{digest}"}}'
            if line.endswith(follows.encode()) and not self._after_damage:
                held += 1
                expected = digest
                continue
            self._hold(held, expected)
            self._number += 1
            self._feed_one(line, digest)
            expected, held = self._expected, 0
        self._hold(held, expected)

    def _hold(self, lines: int, head: str) -> None:
        """Go on after lines that are as they should be, the last one's digest being `head`."""
        if lines:
            self._number += lines
            self._sealed += lines
            self._expected = self._head = head
            self._or_expected = ""

    def result(self) -> Chain:
        """Return what was found so far."""
        problems = list(self._problems)
        count = self._count
        if self._sealed or self._header is not None:
            problems += [_problem(n, "unsealed", "carries no digest") for n in self._unsealed]
            problems.sort(key=lambda problem: problem.line)
            count += self._unsealed_count
        return Chain(
            problems=tuple(problems[:LISTED]),
            problem_count=count,
            lines=self._number - self._blank - (self._header is not None),
            sealed=self._sealed,
            head=self._head,
            header=self._header,
        )

    def _feed_one(self, line: bytes, actual: str) -> None:
        if not line:
            self._blank += 1
            return
        stored, prev = links_of(line)
        if stored is None:
            self._unsealed_count += 1
            if len(self._unsealed) < LISTED:
                self._unsealed.append(self._number)
            # As the writer does when it goes on after a line that is not its own.
            self._expected = hashlib.sha256(line + b"\n").hexdigest()
            self._after_damage = True
            return
        header = header_of(line) if self._number == 1 else None
        if header is not None:
            self._header, self._head, self._expected = header, header.head, header.head
        else:
            self._sealed += 1
            self._head = stored
        expected = (self._expected, self._or_expected)
        # A record that was there already when a header came before it follows the
        # closed part's last one; a new one follows the header.
        self._or_expected = header.head if header is not None else ""
        if prev not in expected and not (self._after_damage and self._number > 1):
            self._add("chain", self._broken_link())
        if stored != actual:
            self._add("digest", "was altered: its digest is not that of its bytes")
        self._after_damage = False
        self._expected = stored

    def _broken_link(self) -> str:
        if self._number == 1:
            return "does not begin the chain: something before it was removed"
        return (
            f"does not follow line {self._number - 1}: "
            "something between them was removed, added or altered"
        )

    def _add(self, slug: str, message: str) -> None:
        self._count += 1
        if len(self._problems) < LISTED:
            self._problems.append(_problem(self._number, slug, message))


def _problem(number: int, slug: str, message: str) -> Problem:
    return Problem(line=number, slug=slug, message=f"line {number} {message}")


def is_sealed(line: bytes) -> bool:
    """Return whether a line carries a digest as its last member."""
    return links_of(line)[0] is not None


def links_of(line: bytes) -> tuple[str | None, str | None]:
    """Return the `digest` and `prev` that a line carries as its last members."""
    tail = line[-_TAIL:].decode("ascii", "replace")
    if len(tail) != _TAIL or tail[-_SEAL:-66] != ',"digest":"' or tail[-2:] != '"}':
        return None, None
    prev = tail[9:73] if tail.startswith(',"prev":"') and tail[73] == '"' else None
    return tail[-66:-2], prev
