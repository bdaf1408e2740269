"""Reads the pending markers of a log: runs that started and have no end yet."""

import os

import msgspec

from proctor.records.pending import folder_of, is_locked

LARGEST = 4 << 20
"""Bytes of a marker that are read."""


class PendingLeaf(msgspec.Struct, frozen=True, kw_only=True):
    """A test leaf that the recorder saw begin."""

    leaf: tuple[str, ...]
    """Its argv, redacted."""
    command_class: str | None = None
    span_id: str | None = None


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """A run that has been started and whose end has not been recorded.

    A locked one runs. An unlocked one lost its recorder: nothing is known of
    how it ended, which is **not** a sign that it failed.
    """

    run_id: str
    argv: tuple[str, ...] = ()
    cwd: str | None = None
    started_at: str = ""
    boot_id: str | None = None
    pid: int | None = None
    witness: str | None = None
    locked: bool = False
    """Whether its recorder lives."""
    leaves: tuple[PendingLeaf, ...] = ()
    path: str = ""
    """The marker's file."""


def read_pending(log: str) -> list[Pending]:
    """Return the pending runs of a log, in the order in which they started.

    A marker whose first line cannot be read still counts as a start: its name
    is the run's id.
    """
    folder = folder_of(log)
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = (_read_marker(os.path.join(folder, name)) for name in names if name.endswith(".jsonl"))
    return sorted(
        (pending for pending in found if pending is not None),
        key=lambda pending: (pending.started_at, pending.run_id),
    )


def _read_marker(path: str) -> Pending | None:
    try:
        # NOTE: in this order: a recorder removes its marker before it lets go of
        # the lock, so what is free and can still be opened has no recorder.
        locked = is_locked(path)
        with open(path, "rb") as file:
            lines = file.read(LARGEST).split(b"\n")
    except OSError:
        return None
    run_id = os.path.basename(path).removesuffix(".jsonl")
    try:
        start = msgspec.json.decode(lines[0], type=Pending)
    except ValueError:
        start = Pending(run_id=run_id)
    leaves = tuple(leaf for leaf in map(_read_leaf, lines[1:]) if leaf is not None)
    return msgspec.structs.replace(start, locked=locked, leaves=leaves, path=path)


def _read_leaf(line: bytes) -> PendingLeaf | None:
    try:
        return msgspec.json.decode(line, type=PendingLeaf)
    except ValueError:
        return None
