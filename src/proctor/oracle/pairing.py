"""Brings the same step of several traces together, in bounded memory.

Traces whose steps stand in order are read side by side, and equal stretches are
passed over as bytes. Where the order differs, each is first sorted into temporary
files. Nothing is dropped: steps that one trace lacks, and the second and third of
several steps with one name, are paired with nothing, or with their like.
"""

import contextlib
import heapq
import itertools
import marshal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import IO, NamedTuple

from proctor.oracle.order import SeedKey, seed_key
from proctor.oracle.trace import Record, TraceFile

BLOCK = 8192
"""Lines that are compared at a time."""
RUN = 50_000
"""Records that are sorted in memory at a time."""
_MARK = b"\xef\xbb\xbf"

Row = tuple[Record | None, ...]
_Key = tuple[SeedKey, int, int]


class Tally:
    """What was met on the way, equal steps included."""

    def __init__(self, traces: int) -> None:
        self.records = [0] * traces
        self.compared = 0
        """Steps that every trace has."""
        self.duplicates: list[tuple[int, Record]] = []
        """Trace and record of steps whose name was there before; the first hundred."""
        self.duplicated = 0


class _Unordered(Exception):  # noqa: N818 - a signal between two functions here
    """Steps do not stand in the order that seeds and steps are counted in."""


def pairs(traces: Sequence[TraceFile], restart: Callable[[], Tally]) -> Iterator[Row | None]:
    """Yield the steps that are not equal in all traces, a row for each.

    `restart` makes the tally. It is called again, and `None` is yielded, where what
    was yielded so far must be forgotten because the traces have to be sorted first.
    """
    try:
        yield from _in_order(traces, restart())
    except _Unordered:
        yield None
        yield from _sorted(traces, restart())


# ── traces in order ─────────────────────────────────────────────────────────


class _Scan:
    """Checks that steps follow each other in order; equal stretches need no more."""

    def __init__(self) -> None:
        self.seed: bytes | None = None
        self.step = 0
        self.key: SeedKey | None = None

    def follow(self, keys: Sequence[tuple[bytes, int]]) -> bool:
        """Return whether each key stands after the one before; false at a duplicate."""
        seed, last = self.seed, self.step
        for one, step in keys:
            if one == seed:
                if step <= last:
                    self._must_be_equal(step == last)
                    return False
            else:
                key = seed_key(one.decode("utf-8", "surrogateescape"))
                if self.key is not None and key < self.key:
                    raise _Unordered
                self.key, seed = key, one
            last = step
        self.seed, self.step = seed, last
        return True

    @staticmethod
    def _must_be_equal(equal: bool) -> None:
        if not equal:
            raise _Unordered


class _Block(NamedTuple):
    lines: list[list[bytes]]
    first: int
    """Number of the first line."""


def _in_order(traces: Sequence[TraceFile], tally: Tally) -> Iterator[Row]:
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(trace.open()) for trace in traces]
        scan, held = _Scan(), _Block([[] for _ in traces], 1)
        if traces[0].typed:
            for file in files:
                file.readline()
            held = _Block(held.lines, 2)
        while True:
            block = _Block(
                [
                    kept + list(itertools.islice(file, BLOCK))
                    for kept, file in zip(held.lines, files, strict=True)
                ],
                held.first,
            )
            keys = _simple(traces, block, scan)
            if keys is None:
                yield from _rest(traces, block, files, tally)
                return
            # The last step of a block may go on in the next one.
            ends = len(block.lines[0]) - len(held.lines[0]) < BLOCK
            count = len(keys) - (0 if ends else 1)
            yield from _side_by_side(traces, block, keys, count, tally)
            if ends:
                return
            held = _Block([lines[count:] for lines in block.lines], block.first + count)
            scan.seed, scan.step = None, 0
            scan.key = seed_key(keys[-1][0].decode("utf-8", "surrogateescape")) if keys else None


def _simple(
    traces: Sequence[TraceFile], block: _Block, scan: _Scan
) -> list[tuple[bytes, int]] | None:
    """Return the key of each line where all traces have the same steps, a line each, in order."""
    own, *others = block.lines
    if any(len(lines) != len(own) for lines in others):
        return None
    if block.first == 1 and any(lines[0].startswith(_MARK) for lines in block.lines if lines):
        return None
    keys = _keys(traces[0], own)
    if keys is None:
        return None
    for trace, lines in zip(traces[1:], others, strict=True):
        if lines != own:
            for mine, theirs, key in zip(own, lines, keys, strict=True):
                if mine != theirs and trace.key(theirs) != key:
                    return None
    before = (scan.seed, scan.step, scan.key)
    if scan.follow(keys):
        return keys
    scan.seed, scan.step, scan.key = before
    return None


def _keys(trace: TraceFile, lines: list[bytes]) -> list[tuple[bytes, int]] | None:
    found = []
    if trace.typed:
        for line in lines:
            key = trace.key(line)
            if key is None:
                return None
            found.append(key)
        return found
    try:
        for line in lines:
            seed, step, _ = line.split(b"|", 2)
            if not step.isdigit() or len(step) > 18:
                return None
            found.append((seed, int(step)))
    except ValueError:
        return None
    return found


def _side_by_side(
    traces: Sequence[TraceFile],
    block: _Block,
    keys: list[tuple[bytes, int]],
    count: int,
    tally: Tally,
) -> Iterator[Row]:
    for number in range(len(traces)):
        tally.records[number] += count
    tally.compared += count
    own, *others = block.lines
    if all(lines == own for lines in others):
        return
    for at in range(count):
        if any(lines[at] != own[at] for lines in others):
            seed, step = keys[at][0].decode("utf-8", "surrogateescape"), keys[at][1]
            number = block.first + at
            row = tuple(
                Record(seed, step, trace.trimmed(lines[at], number), number)
                for trace, lines in zip(traces, block.lines, strict=True)
            )
            if any(record.raw != row[0].raw for record in row):
                yield row


def _rest(
    traces: Sequence[TraceFile], block: _Block, files: Sequence[IO[bytes]], tally: Tally
) -> Iterator[Row]:
    """Yield the rest record by record, from the block's first line on."""
    readers = [
        trace.records(itertools.chain(lines, file), block.first)
        for trace, lines, file in zip(traces, block.lines, files, strict=True)
    ]
    yield from _merge([_keyed(reader) for reader in readers], tally)


# ── any order ───────────────────────────────────────────────────────────────


def _sorted(traces: Sequence[TraceFile], tally: Tally) -> Iterator[Row]:
    with contextlib.ExitStack() as stack:
        readers = []
        for trace in traces:
            with trace.open() as file:
                records = trace.records(iter(file))
                runs = []
                while chunk := list(itertools.islice(records, RUN)):
                    runs.append(stack.enter_context(_spilled(chunk)))
            readers.append(heapq.merge(*(_read(run) for run in runs), key=_record_key))
        yield from _merge([_keyed(reader) for reader in readers], tally)


def _record_key(record: Record) -> tuple[SeedKey, int, int]:
    return seed_key(record.seed), record.step, record.line


def _spilled(chunk: list[Record]) -> IO[bytes]:
    """Return a temporary file that holds the records, sorted."""
    chunk.sort(key=_record_key)
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller's stack closes it
    for record in chunk:
        # NOTE: bytes, for marshal knows no lone surrogates.
        seed = record.seed.encode("utf-8", "surrogateescape")
        marshal.dump((seed, record.step, record.raw, record.line), file)
    file.seek(0)
    return file


def _read(file: IO[bytes]) -> Iterator[Record]:
    while True:
        try:
            seed, step, raw, line = marshal.load(file)  # noqa: S302 - written above
        except EOFError:
            return
        yield Record(seed.decode("utf-8", "surrogateescape"), step, raw, line)


# ── merging ─────────────────────────────────────────────────────────────────


def _keyed(records: Iterator[Record]) -> Iterator[tuple[_Key, Record]]:
    """Yield records with their keys; the second of one name has another last number."""
    before: tuple[SeedKey, int] | None = None
    nth = 0
    seed, key = "", seed_key("")
    for record in records:
        if record.seed != seed:
            seed, key = record.seed, seed_key(record.seed)
        here = (key, record.step)
        if before is not None and here < before:
            raise _Unordered
        nth = nth + 1 if here == before else 0
        before = here
        yield (*here, nth), record


def _merge(readers: Sequence[Iterator[tuple[_Key, Record]]], tally: Tally) -> Iterator[Row]:
    heads = [next(reader, None) for reader in readers]
    while True:
        live = [head[0] for head in heads if head is not None]
        if not live:
            return
        least = min(live)
        row: list[Record | None] = [None] * len(heads)
        for number, head in enumerate(heads):
            if head is not None and head[0] == least:
                row[number] = head[1]
                heads[number] = next(readers[number], None)
                tally.records[number] += 1
                if least[2]:
                    tally.duplicated += 1
                    if len(tally.duplicates) < 100:
                        tally.duplicates.append((number, head[1]))
        first = row[0]
        if None not in row:
            tally.compared += 1
        if first is None or any(one is None or one.raw != first.raw for one in row):
            yield tuple(row)
