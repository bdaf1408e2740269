"""What a transcript reader's file says."""

import os
from collections.abc import Callable, Iterable, Iterator

import msgspec

from proctor.join.guess import Trial
from proctor.join.toolcall import Entry, Skipped

Objects = Iterable[tuple[int, bytes]]
"""Each JSON object: where it begins, and its bytes. Where is a line, from 1, or the
place in the list that was taken apart."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """An opened transcript, its JSON objects already told apart.

    `path` is for messages and for what a format keeps in a file's name.
    """

    path: str
    objects: Objects
    skipped: list[Skipped] = []
    """Takes what cannot be read; what is put here reaches whoever reads the entries."""
    lines: Iterable[bytes] = ()
    """The lines instead, for a format that is no JSON; take one or the other."""
    trial: Trial = msgspec.field(default_factory=Trial)
    """Tried with what is only guessed to be an object; what decodes them tells it how."""
    beside: Callable[[str], Objects] | None = None
    """Opens another file of the same transcript, by its path."""

    @property
    def stem(self) -> str:
        """The file's name without what follows its first dot: for want of a session's id."""
        name = os.path.basename(os.path.abspath(self.path))
        return name.lstrip(".").partition(".")[0]


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """What a transcript format's file binds to `READER`.

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
    lists: tuple[tuple[str, ...], ...] = ()
    """Where a whole document keeps its records, as `("messages",)`: the names of lists,
    each inside the elements of the one before. Such a list is taken apart: what stands
    before it comes as one object, then each element, then the rest. A list at the top
    always is."""
    part_of: Callable[[str], str | None] = lambda path: None  # noqa: ARG005
    """The path of the transcript that tells what this file does, if there is one."""
