"""Finds transcripts: the paths that are named, or every known agent's folder."""

import os
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from proctor.audit.report import Unread
from proctor.errors import TranscriptError
from proctor.join.reading import claimed, event_files, known_readers

_PASSED_OVER = frozenset((".git", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache"))


class Place(msgspec.Struct, frozen=True):
    """A transcript: a file, or a folder with an event in each file."""

    path: str
    size: int
    """Bytes, those of files that are read along with it left out."""
    modified: float


class Places(msgspec.Struct):
    """What was found at some paths."""

    found: list[Place] = []
    unread: list[Unread] = []
    size: int = 0


def agent_folders(environ: Mapping[str, str]) -> list[str]:
    """Return the folders, below the home folder, in which known agents keep transcripts."""
    home = environ.get("HOME") or os.path.expanduser("~")
    every = [
        os.path.join(home, folder) for _, reader in known_readers() for folder in reader.folders
    ]
    return [path for path in dict.fromkeys(every) if os.path.exists(path)]


def find(paths: Sequence[str], *, modified_since: float = 0) -> Places:
    """Return the transcripts at `paths`; a folder is looked through.

    A file that is named is taken whatever it is, so that reading it can say what is
    wrong with it; in a folder, what is no transcript is passed over.
    """
    places = Places()
    met: set[tuple[int, int]] = set()
    for path in paths:
        for place in _below(path, places.unread):
            try:
                stat = os.stat(place)
            except OSError as error:
                places.unread.append(Unread(path=place, why=error.strerror or "cannot be read"))
                continue
            if (stat.st_dev, stat.st_ino) in met:
                continue
            met.add((stat.st_dev, stat.st_ino))
            if stat.st_mtime >= modified_since:
                size = stat.st_size
                if os.path.isdir(place):
                    size = sum(map(os.path.getsize, event_files(place)))
                places.found.append(Place(place, size, stat.st_mtime))
                places.size += size
    return places


def _below(path: str, unread: list[Unread]) -> Iterator[str]:
    if not os.path.isdir(path):
        if os.path.lexists(path):
            yield path
        else:
            unread.append(Unread(path=path, why="there is no such file or folder"))
        return

    def note(error: OSError) -> None:
        unread.append(Unread(path=str(error.filename), why=error.strerror or "cannot be read"))

    for folder, inner, files in os.walk(path, onerror=note):
        inner[:] = sorted(name for name in inner if name not in _PASSED_OVER)
        events = {os.path.basename(name) for name in event_files(folder)}
        if events:
            yield folder
        for name in sorted(set(files) - events):
            place = os.path.join(folder, name)
            if _is_transcript(place, unread):
                yield place


def _is_transcript(path: str, unread: list[Unread]) -> bool:
    if not os.path.isfile(path):
        return False
    try:
        found = claimed(path)
    except TranscriptError as error:
        if "unpack it first" not in str(error) and "database" not in str(error):
            unread.append(Unread(path=path, why=str(error).removeprefix(f"{path}: ")))
        return False
    return found is not None and found[1].part_of(path) is None
