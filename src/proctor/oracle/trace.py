"""Traces: what one build did at every step of a corpus, as values and as files.

Two forms are read. The typed one is JSONL, schema `proctor.trace/1`: a first line
that names the schema, then one step a line, written by the replay from what it
witnessed itself. The plain one is `seed|step|command|payload`, written by whatever
a project has; there everything after the step is the program's own word.
"""

import base64
import hashlib
import re
from collections.abc import Iterator
from typing import IO, Literal, NamedTuple

import msgspec

from proctor.errors import OracleError

SCHEMA = "proctor.trace/1"
LONGEST_LINE = 64 << 20
"""Bytes; a longer line is no step."""


class Stream(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a step wrote to one stream, or what a file holds."""

    sha256: str
    size: int
    text: str | None = None
    """Null where it is not UTF-8, or too long to keep whole."""
    b64: str | None = None
    """Of what is not UTF-8."""

    def content(self) -> bytes | None:
        """Return the content; none if not kept."""
        if self.b64 is not None:
            return base64.b64decode(self.b64)
        return None if self.text is None else self.text.encode("utf-8")

    def shown(self) -> str | None:
        """Return the content as text, bytes that are not UTF-8 escaped; none if not kept."""
        if self.b64 is not None:
            return base64.b64decode(self.b64).decode("utf-8", "backslashreplace")
        return self.text


class File(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file that a step made, or what it made of one."""

    kind: Literal["file", "link", "folder", "other"]
    mode: str
    """Permission bits, octal."""
    target: str | None = None
    """Where a link points."""
    content: Stream | None = None
    writes: int = 1
    """How often it was closed after writing, or moved into place; 1 where not seen."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One command of a seed and all that was witnessed of it."""

    seed: str
    step: int
    argv: tuple[str, ...]
    exit_code: int | None
    """Null where a signal ended it."""
    signal: str | None = None
    timed_out: bool = False
    time_class: str = "<1s"
    """How long it took, by powers of ten."""
    stdout: Stream
    stderr: Stream
    created: dict[str, File] = {}
    changed: dict[str, File] = {}
    deleted: tuple[str, ...] = ()
    left_running: int = 0
    """Processes of the step that still ran at its end."""


class PlainStep(NamedTuple):
    """One line of a plain trace."""

    seed: str
    step: int
    command: str
    payload: str


class Header(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line of a typed trace."""

    schema: str
    corpus_sha256: str | None = None


class Record(NamedTuple):
    """A step as it stands in a file, not yet decoded."""

    seed: str
    step: int
    raw: bytes
    line: int


class _Key(msgspec.Struct):
    seed: str
    step: int


_FRONT = re.compile(rb'\{"seed":"([^"\\]*)","step":(\d{1,18})[,}]').match
_KEYS = msgspec.json.Decoder(_Key)
_STEPS = msgspec.json.Decoder(Step)
_BLANK = (b"", b"\r")
_HEAD_LINE = b"seed|step|command|payload"


class TraceFile:
    """A trace on disk: which form it has, and its records in the file's order.

    Raises:
        OracleError: it cannot be read, or is no trace.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.continued = 0
        """Lines of a plain trace that continue the step before them."""
        with self.open() as file:
            first = file.readline(LONGEST_LINE)
        self.header = _header(first, path)
        self.typed = self.header is not None
        self._crlf = first.endswith(b"\r\n")

    def open(self) -> IO[bytes]:
        """Open the file for reading bytes.

        Raises:
            OracleError: it cannot be.
        """
        try:
            return open(self.path, "rb")
        except OSError as error:
            raise OracleError(f"{self.path}: cannot be read: {error.strerror}") from None

    def key(self, line: bytes) -> tuple[bytes, int] | None:
        """Return seed and step of a line; none if no step begins there."""
        if not self.typed:
            return plain_key(line)
        found = _FRONT(line)
        if found:
            return found[1], int(found[2])
        try:
            key = _KEYS.decode(line)
        except (msgspec.DecodeError, ValueError):
            return None
        return key.seed.encode("utf-8", "surrogateescape"), key.step

    def records(self, lines: Iterator[bytes], first: int = 1) -> Iterator[Record]:
        """Yield the records in `lines`, of which the first has the number `first`.

        Raises:
            OracleError: a line is neither a step nor the rest of one.
        """
        if self.typed:
            yield from self._typed(lines, first)
        else:
            yield from self._plain(lines, first)

    def _typed(self, lines: Iterator[bytes], first: int) -> Iterator[Record]:
        for number, line in enumerate(lines, first):
            raw = line.rstrip(b"\r\n")
            if not raw or (number == 1 and self.header is not None):
                continue
            key = self.key(raw)
            if key is None:
                raise OracleError(f"{self.path}:{number}: not a step of {SCHEMA}; record it anew")
            yield Record(key[0].decode("utf-8", "surrogateescape"), key[1], raw, number)

    def _plain(self, lines: Iterator[bytes], first: int) -> Iterator[Record]:
        held: tuple[tuple[bytes, int], list[bytes], int] | None = None
        blank = 0
        for number, line in enumerate(lines, first):
            raw = self.trimmed(line, number)
            key = plain_key(raw)
            if key is not None:
                if held is not None:
                    yield _joined(held)
                held, blank = (key, [raw], number), 0
            elif raw in _BLANK:
                blank += 1
            elif number == 1 and raw.strip() == _HEAD_LINE:
                continue
            elif held is None:
                raise OracleError(
                    f"{self.path}:{number}: not a step; a line is `seed|step|command|payload`, "
                    "the step a number"
                )
            else:
                # Blank lines within a payload belong to it, those behind it do not.
                held[1].extend([b""] * blank + [raw])
                self.continued += 1
                blank = 0
        if held is not None:
            yield _joined(held)

    def trimmed(self, line: bytes, number: int) -> bytes:
        """Return a line without its end and, on the first, without a byte order mark."""
        raw = line[:-1] if line.endswith(b"\n") else line
        if self._crlf and raw.endswith(b"\r"):
            raw = raw[:-1]
        return raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw

    def step(self, record: Record) -> Step | PlainStep:
        """Return what a record says.

        Raises:
            OracleError: it is not what the schema asks for.
        """
        if not self.typed:
            return plain_step(record)
        try:
            return _STEPS.decode(record.raw)
        except (msgspec.DecodeError, ValueError) as error:
            raise OracleError(f"{self.path}:{record.line}: {error}; record it anew") from None


def plain_key(line: bytes) -> tuple[bytes, int] | None:
    """Return seed and step of a plain line; none if no step begins there."""
    parts = line.split(b"|", 2)
    if len(parts) <= 2 or not parts[1].isdigit() or len(parts[1]) > 18:
        return None
    return parts[0], int(parts[1])


def plain_step(record: Record) -> PlainStep:
    """Return a plain record taken apart: where the command ends, the payload begins.

    A `|` may stand in the command: the payload begins at the first part that is
    `key=value`, and where there is none, behind the first part.
    """
    text = record.raw.decode("utf-8", "surrogateescape")
    parts = text.split("|")[2:]
    begins = next((n for n, part in enumerate(parts) if n and is_pair(part)), 1)
    return PlainStep(record.seed, record.step, "|".join(parts[:begins]), "|".join(parts[begins:]))


is_pair = re.compile(r"[A-Za-z_][\w.-]{0,99}=").match
"""Whether a part of a payload is `key=value`."""


def _joined(held: tuple[tuple[bytes, int], list[bytes], int]) -> Record:
    (seed, step), parts, number = held
    return Record(seed.decode("utf-8", "surrogateescape"), step, b"\n".join(parts), number)


def _header(first: bytes, path: str) -> Header | None:
    """Return the header of a typed trace, none for a plain one."""
    if not first.lstrip().startswith(b"{"):
        return None
    try:
        header = msgspec.json.decode(first, type=Header)
    except (msgspec.DecodeError, ValueError):
        return None
    if header.schema != SCHEMA:
        raise OracleError(f"{path}: a trace of schema {header.schema!r}; this is {SCHEMA}")
    return header


def keep(data: bytes, limit: int) -> Stream:
    """Return `data` as a stream; what is longer than `limit` bytes by its digest alone."""
    digest = hashlib.sha256(data).hexdigest()
    if len(data) > limit:
        return Stream(sha256=digest, size=len(data))
    try:
        return Stream(sha256=digest, size=len(data), text=data.decode("utf-8"))
    except UnicodeDecodeError:
        b64 = base64.b64encode(data).decode("ascii")
        return Stream(sha256=digest, size=len(data), b64=b64)


def write_header(corpus_sha256: str | None) -> bytes:
    """Return the first line of a typed trace."""
    return msgspec.json.encode(Header(schema=SCHEMA, corpus_sha256=corpus_sha256)) + b"\n"


def write_step(step: Step) -> bytes:
    """Return a step as one line."""
    return msgspec.json.encode(step) + b"\n"
