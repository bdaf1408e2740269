"""Reads a span log: fast, in flat memory, and in spite of damaged lines.

```
for span in (log := read_log(path)):
    ...
for problem in log.problems:
    ...
```

Reading a span whole costs four times what its head costs. A reader that wants few
of the spans names the members it chooses by, and gets only the chosen ones:

```
class MyHead(Head):
    exit_code: int | None

read_log(path, Wanted(MyHead, lambda heads: [n for n, head in enumerate(heads) if …]))
```
"""

import json
import os
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, Literal, TypeVar, cast

import msgspec

from proctor.errors import LogError
from proctor.records.chain import LISTED, Chain, Problem, Verification, is_sealed
from proctor.records.header import Header, header_of
from proctor.records.lines import BLOCK, blocks, open_log, settled_size
from proctor.records.span import SCHEMA, Span

_FAMILY, _, _MAJOR = SCHEMA.partition("/")
_UNREADABLE = (ValueError, RecursionError)
"""What the parsers raise; the second on a line of brackets thousands deep."""


class Head(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The members of a span that choose it: what every question asks for.

    A subclass adds those that its own question asks for, under their names in
    `Span`; each costs about 15 ns a line. One that is `msgspec.Raw` there is not read,
    and may hold anything.
    """

    schema: Literal["proctor.span/1"] = SCHEMA
    span_id: str


HeadT = TypeVar("HeadT", bound=Head)


class Wanted(Generic[HeadT]):
    """Which spans of a log are wanted.

    `places` is asked once for each block of a log, in order, and returns the
    places in the list of the heads whose spans are to be read whole.
    """

    __slots__ = ("head", "places")

    def __init__(
        self, head: type[HeadT], places: "Callable[[Sequence[HeadT]], Sequence[int]]"
    ) -> None:
        self.head = head
        self.places = places


class LogRead:
    """A span log that is read by iterating over it.

    Everything but `path` holds its final value only after an iteration has come
    to its end; each iteration reads the log afresh, up to where it was whole at
    that time.

    Raises:
        LogError: at construction: the file cannot be read or is no span log.
    """

    def __init__(self, path: str, wanted: Wanted[Any] | None = None) -> None:
        self.path = path
        self.problems: list[Problem] = []
        """The first 1,000, by line."""
        self.problem_count = 0
        self.length = 0
        """Records that could be read, wanted or not."""
        self.skipped = 0
        """Lines that hold no record that could be read."""
        self.sealed = 0
        """Lines that carry a digest; 0 means that nothing links them."""
        self.head: str | None = None
        """The digest of the last record of the chain."""
        self.chain_length = 0
        """Records of the chain up to `head`, those of closed parts included."""
        self.header: Header | None = None
        """What the log says of a closed part that stood before it."""
        self._wanted = wanted
        self._fd = open_log(path)
        weakref.finalize(self, os.close, self._fd)
        _refuse_what_is_no_log(path, self._fd)

    def __iter__(self) -> Iterator[Span]:
        """Yield each wanted span, in the order of the file."""
        for spans, _ in self._blocks():
            yield from spans

    def with_lines(self) -> Iterator[tuple[Span, bytes]]:
        """Yield each wanted span and the bytes of its line, unknown members included."""
        for spans, lines in self._blocks():
            yield from zip(spans, lines(), strict=True)

    def _blocks(self) -> "Iterator[tuple[list[Span], Callable[[], list[bytes]]]]":
        fd, size = self._fd, settled_size(self._fd)
        check = Verification(fd, size)
        reader = _Reader(self._wanted)
        try:
            for block in blocks(fd, size):
                yield reader.read(block)
            if _is_torn(fd, size):
                reader.mark_torn()
            self._finish(reader, check.result())
        except LogError as error:
            raise LogError(f"{self.path}: {error}") from None
        finally:
            check.stop()

    def _finish(self, reader: "_Reader", chain: Chain) -> None:
        self.length = reader.length
        self.skipped = reader.skipped
        self.sealed = chain.sealed
        self.head = chain.head
        self.header = chain.header
        self.chain_length = chain.length
        seen = {problem.line for problem in reader.problems}
        new = [p for p in chain.problems if p.slug != "unsealed" or p.line not in seen]
        told_twice = reader.skipped_unsealed if chain.sealed or chain.header else 0
        self.problem_count = reader.skipped + chain.problem_count - told_twice
        merged = sorted([*reader.problems, *new], key=lambda problem: problem.line)
        self.problems = merged[:LISTED]


def read_log(path: str, wanted: Wanted[Any] | None = None) -> LogRead:
    """Return the log at `path`, to be iterated over.

    With `wanted`, only the spans that it names are read whole and yielded.
    The chain is checked over all of them either way.

    Raises:
        LogError: the file cannot be read or is no span log.
    """
    return LogRead(path, wanted)


class _Reader:
    """Turns lines into spans and keeps account of what could not be read."""

    def __init__(self, wanted: Wanted[Any] | None) -> None:
        self.problems: list[Problem] = []
        self.length = 0
        self.skipped = 0
        self.skipped_unsealed = 0
        self._wanted = wanted
        self._number = 0
        self._heads = msgspec.json.Decoder(wanted.head if wanted else Head)
        self._spans = msgspec.json.Decoder(Span)

    def read(self, block: bytes) -> "tuple[list[Span], Callable[[], list[bytes]]]":
        """Return the wanted spans of a block, and how to get their lines."""
        decoder = self._spans if self._wanted is None else self._heads
        try:
            found = decoder.decode_lines(block)
        except _UNREADABLE:
            return self._read_one_by_one(block)
        # NOTE: `decode_lines` passes over empty lines and takes two records on one, which
        # would put the line numbers out. `count` looks at byte after byte; this leaps.
        if len(found) != len(block) - len(block.replace(b"\n", b"")) + 1:
            return self._read_one_by_one(block)
        # Heads are of this version, or they would not have been read.
        if self._wanted is None and {span.schema for span in found} != {SCHEMA}:
            return self._read_one_by_one(block)
        return self._choose(found, block)

    def mark_torn(self) -> None:
        """Say of the last line, if it could not be read, that it has no end."""
        last = self.problems[-1] if self.problems else None
        if last is not None and last.line == self._number and last.slug == "not-json":
            message = f"line {self._number} was torn: its writer was stopped or the disk was full"
            self.problems[-1] = Problem(line=self._number, slug="torn", message=message)

    def _choose(
        self, found: "list[Span] | list[Head]", block: bytes
    ) -> "tuple[list[Span], Callable[[], list[bytes]]]":
        """Pick from a block in which every line is a record of this version."""
        first = self._number + 1
        self._number += len(found)
        self.length += len(found)
        if self._wanted is None:
            return cast("list[Span]", found), lambda: block.split(b"\n")
        heads = cast("list[Head]", found)
        numbers = self._wanted.places(heads)
        spans: list[Span] = []
        lines: list[bytes] = []
        # NOTE: cutting all lines out costs as much as checking the heads did.
        every = block.split(b"\n") if numbers else []
        for number in numbers:
            try:
                spans.append(self._spans.decode(every[number]))
                lines.append(every[number])
            except _UNREADABLE as error:
                self.length -= 1
                self._refuse(every[number], error, first + number)
        return spans, lambda: lines

    def _read_one_by_one(self, block: bytes) -> "tuple[list[Span], Callable[[], list[bytes]]]":
        spans: list[Span] = []
        lines: list[bytes] = []
        for line in block.split(b"\n"):
            self._number += 1
            if not line.strip() or (self._number == 1 and header_of(line) is not None):
                continue
            try:
                span = _read_line(line)
            except _UNREADABLE as error:
                self._refuse(line, error, self._number)
                continue
            self.length += 1
            spans.append(span)
            lines.append(line)
        if self._wanted is None:
            return spans, lambda: lines
        places = self._wanted.places([_head_of(span, self._wanted.head) for span in spans])
        return [spans[n] for n in places], lambda: [lines[n] for n in places]

    def _refuse(self, line: bytes, error: Exception, number: int) -> None:
        self.skipped += 1
        self.skipped_unsealed += not is_sealed(line)
        if len(self.problems) >= LISTED:
            return
        slug, message = _explain(line, error)
        self.problems.append(Problem(line=number, slug=slug, message=f"line {number} {message}"))


class _OtherSchemaError(ValueError):
    """The record is of another kind or of a version that is not known."""


def _read_line(line: bytes) -> Span:
    """Return the span in one line.

    Raises:
        ValueError: there is none.
    """
    try:
        span = msgspec.json.decode(line, type=Span)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        # NOTE: arguments that are not UTF-8 stand in a log as lone surrogates,
        # which msgspec's parser refuses and the standard library's takes.
        span = msgspec.convert(json.loads(line), Span)
    if not _is_this_version(span.schema):
        raise _OtherSchemaError(span.schema)
    return span


def _explain(line: bytes, error: Exception) -> tuple[str, str]:
    """Return the slug and the words for a line that holds no span."""
    if isinstance(error, _OtherSchemaError):
        return _explain_schema(str(error))
    try:
        value = json.loads(line)
    except _UNREADABLE:
        return "not-json", "is not JSON"
    schema = value.get("schema", SCHEMA) if isinstance(value, dict) else SCHEMA
    if isinstance(schema, str) and not _is_this_version(schema):
        return _explain_schema(schema)
    reason = str(error) if isinstance(error, msgspec.ValidationError) else "a member is off"
    return "not-a-span", f"is not a span: {reason[:1].lower()}{reason[1:]}"


def _explain_schema(schema: str) -> tuple[str, str]:
    family, _, version = schema.partition("/")
    if family != _FAMILY:
        return "not-a-span", f"is not a span but {schema[:80]!r}"
    return (
        "schema",
        f"is of version {version[:20]!r}, this Proctor reads {_MAJOR!r}: install a newer one",
    )


def _is_this_version(schema: str) -> bool:
    family, _, version = schema.partition("/")
    return family == _FAMILY and version.partition(".")[0] == _MAJOR


def _head_of(span: Span, head: type[HeadT]) -> HeadT:
    """Return the head of a span of any minor version."""
    members = {name: getattr(span, name) for name in head.__struct_fields__}
    for field in msgspec.structs.fields(head):
        if field.type is msgspec.Raw:
            # NOTE: not msgspec's encoder, which refuses arguments that are not UTF-8.
            members[field.name] = msgspec.Raw(json.dumps(members[field.name]))
    return head(**members)


def _is_torn(fd: int, size: int) -> bool:
    return size > 0 and os.pread(fd, 1, size - 1) != b"\n"


def _refuse_what_is_no_log(path: str, fd: int) -> None:
    """Raise `LogError` where nothing at the start of the file looks like a record.

    Some damaged lines are no reason: they are read around and reported.
    """
    start = os.pread(fd, BLOCK, 0)
    if not start.strip():
        return
    lines = start.split(b"\n")
    if len(lines) == 1 and lines[0].startswith(b"{"):
        return  # one record, torn or very long
    if any(_is_object(line) for line in lines):
        return
    what = "it is binary" if b"\0" in start else "line 1 is not a JSON record"
    raise LogError(f"{path}: not a span log: {what}; name the log itself, usually …/spans.jsonl")


def _is_object(line: bytes) -> bool:
    if not line.startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except _UNREADABLE:
        return False
