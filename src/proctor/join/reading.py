"""Opens a transcript, says whose it is by its content, and reads it in flat memory."""

import glob
import os
from collections.abc import Callable, Iterator
from typing import cast

import msgspec

from proctor import _family
from proctor.errors import TranscriptError
from proctor.join.base import Objects as Pairs
from proctor.join.base import Reader, Source
from proctor.join.guess import Trial
from proctor.join.objects import Objects
from proctor.join.opening import HEAD, Text
from proctor.join.toolcall import Entry, Skipped

FAMILY = "proctor.join.readers"
_EVENTS = "event-*.json"


class Transcript(msgspec.Struct, kw_only=True):
    """An opened transcript. `entries` may be taken once."""

    path: str
    reader: str
    """The reader's identifier, as `claude_code`."""
    agent: str
    """The agent's name, for people."""
    entries: Iterator[Entry]


def read_transcript(path: str, progress: Callable[[int], None] | None = None) -> Transcript:
    """Open the transcript at `path`: a file, a pipe, or a folder with an event in each file.

    `progress` is told the bytes of every block that is read.

    Raises:
        TranscriptError: it cannot be read, or is in no known format.
    """
    if os.path.isdir(path):
        return _of_events(path, progress)
    text = Text(path, progress)
    if not text.head.strip():
        raise TranscriptError(f"{path}: the file is empty")
    name, reader = _reader_of(path, text.head, regular=os.path.isfile(path))
    skipped: list[Skipped] = []
    trial = Trial()
    source = Source(
        path=path,
        objects=Objects(text.read, skipped, trial).each(reader.lists),
        lines=_lines(text.read),
        skipped=skipped,
        trial=trial,
        beside=lambda other: _beside(other, reader, skipped, progress),
    )
    return Transcript(path=path, reader=name, agent=reader.name, entries=_drained(reader, source))


def known_readers() -> Iterator[tuple[str, Reader]]:
    """Yield each reader's identifier and the reader."""
    return cast("Iterator[tuple[str, Reader]]", _family.members(FAMILY, "READER"))


def claimed(path: str) -> tuple[str, Reader] | None:
    """Return the reader of the file at `path`, none where no format fits or it is empty.

    Raises:
        TranscriptError: the file cannot be read.
    """
    head = Text(path).head
    return _known(path, head, regular=True) if head.strip() else None


def _reader_of(path: str, head: bytes, *, regular: bool) -> tuple[str, Reader]:
    found = _known(path, head, regular=regular)
    if found is not None:
        return found
    if b'"proctor.span/' in head:
        raise TranscriptError(f"{path}: a span log, not a transcript; give it with --log")
    names = ", ".join(reader.name for _, reader in known_readers())
    raise TranscriptError(f"{path}: in no known transcript format (known: {names})")


def _known(path: str, head: bytes, *, regular: bool) -> tuple[str, Reader] | None:
    """Return the first reader that claims the head; else the one that claims the end."""
    for name, reader in known_readers():
        if reader.claims(head):
            return name, reader
    if not regular or len(head) < HEAD:
        return None
    with open(path, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - HEAD))
        end = file.read(HEAD)
    for name, reader in known_readers():
        if reader.claims(end):
            return name, reader
    return None


def _drained(reader: Reader, source: Source) -> Iterator[Entry]:
    """Yield a reader's entries, and what was skipped since the one before."""
    for entry in reader.read(source):
        if source.skipped:
            yield from source.skipped
            source.skipped.clear()
        yield entry
    yield from source.skipped


def _beside(
    path: str, reader: Reader, skipped: list[Skipped], progress: Callable[[int], None] | None
) -> Pairs:
    try:
        text = Text(path, progress)
    except TranscriptError as error:
        skipped.append(Skipped(line=0, why=str(error)))
        return ()
    return Objects(text.read, skipped).each(reader.lists)


def _of_events(path: str, progress: Callable[[int], None] | None) -> Transcript:
    files = event_files(path)
    if not files:
        raise TranscriptError(
            f"{path}: a folder without {_EVENTS}; name a transcript in it, "
            f"or look through all of it with: proctor audit {path}"
        )
    name, reader = _reader_of(files[0], Text(files[0]).head, regular=True)
    skipped: list[Skipped] = []
    parts = (_beside(file, reader, skipped, progress) for file in files)
    pairs = ((place, text) for place, part in enumerate(parts, 1) for _, text in part)
    source = Source(path=path, objects=pairs, skipped=skipped)
    return Transcript(path=path, reader=name, agent=reader.name, entries=_drained(reader, source))


def event_files(folder: str) -> list[str]:
    """Return a folder's files that hold one event each, in their order."""
    return sorted(glob.glob(os.path.join(glob.escape(folder), _EVENTS)))


def _lines(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield the lines of a text; one longer than a mebibyte in pieces."""
    rest = b""
    while block := read(1 << 16):
        *lines, rest = (rest + block).split(b"\n")
        yield from lines
        if len(rest) > 1 << 20:
            yield rest
            rest = b""
    if rest:
        yield rest
