"""What a transcript reader's file says."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from proctor.join.toolcall import Entry


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """An opened transcript, its JSON objects already told apart.

    `objects` yields the line on which each object begins, from 1, and its bytes; a
    document that holds one object yields one. `path` is for messages and for what a
    format keeps in a file's name or beside the file.
    """

    path: str
    objects: Iterable[tuple[int, bytes]]


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """What a transcript format's file binds to `READER`; its name is the format's.

    `claims` says, from the first 64 KiB of a file, whether it is in this format: by
    content, never by name. `read` yields what the transcript says, in flat memory.
    `folders` are patterns, below the home folder, of the places where the agent
    keeps its transcripts.
    """

    name: str
    """The agent's name, for people."""
    claims: Callable[[bytes], bool]
    read: Callable[[Source], Iterator[Entry]]
    folders: tuple[str, ...] = ()
