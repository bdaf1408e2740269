"""Deltas: what differs between the builds at one step, field by field."""

import enum
from typing import NamedTuple

import msgspec


class Change(enum.StrEnum):
    """What a field that is not the same is."""

    CHANGED = "changed"
    """The builds differ."""
    UNSTABLE = "unstable"
    """The old build differs from itself in just this, so nothing can be said."""


class Hunk(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of a text that differs."""

    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a step that is not the same in both builds."""

    path: str
    """`exit_code`, `stdout.status`, `stderr`, `files.a.txt.mode`, …; of a plain trace
    the key itself."""
    old: str | None
    """Null where the old build has no such field."""
    new: str | None
    change: Change = Change.CHANGED
    hunks: tuple[Hunk, ...] = ()
    """Of texts of several lines: what differs, the rest left out."""
    note: str = ""
    """What is to be known beside the values."""
    allowed: str | None = None
    """The reason of the policy entry that allows it; null where none does."""


class Hit(NamedTuple):
    """A token that was not compared, and the mask that says why."""

    mask: str
    path: str
    old: str
    new: str


class Delta(msgspec.Struct, frozen=True, kw_only=True):
    """One step at which the builds differ."""

    seed: str
    step: int
    command: str
    """The command line, as a shell would read it back."""
    fields: tuple[Field, ...]
    shared: tuple[str, ...] = ()
    """Arguments that both builds got: what a later step may have in common with it."""
    context: str = ""
    """What both builds said was wrong: by it steps of different commands that fail alike
    are known."""
    allowed: bool = False
    """Whether the policy allows every field that changed."""
    clusters: tuple[int, ...] = ()
    """The changes that it shows, by their numbers in the report."""

    @property
    def changed(self) -> tuple[Field, ...]:
        """The fields in which the builds differ."""
        return tuple(field for field in self.fields if field.change is Change.CHANGED)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is allowed, each reason once."""
        return tuple(dict.fromkeys(field.allowed for field in self.changed if field.allowed))
