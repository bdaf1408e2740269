"""Remembers what `proctor init` wrote, and takes it back.

The memory lies in the state folder, not in the repository. A file that nobody has
touched since gets its old bytes back; from one that was edited since, what was
inserted is removed where it still stands as it was.
"""

import base64
import difflib
import os
from collections.abc import Sequence

import msgspec

from proctor._digest import sha256_hex
from proctor._whole import write_whole
from proctor.errors import ConfigError
from proctor.records.place import make_private
from proctor.setup.edits import FileEdit, write_file

NAME = "init.json"


class _Step(msgspec.Struct, kw_only=True):
    path: str
    before: str | None
    """base64; null where there was no file."""
    after_sha256: str
    inserted: tuple[str, ...]
    folders: tuple[str, ...]
    """Folders that were made for it, the innermost first."""


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What an undo did."""

    restored: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    """What could not be taken back, and why, a line each."""


def remember(folder: str, root: str, edits: Sequence[FileEdit]) -> None:
    """Note what is about to be written, before it is.

    Raises:
        ConfigError: that cannot be noted; nothing should be written then.
    """
    steps = _steps(folder)
    steps += [_step(root, edit) for edit in edits]
    path = os.path.join(folder, NAME)
    try:
        make_private(folder)
        _write(path, steps)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}; nothing changed") from None


def take_back(folder: str, root: str) -> Taken:
    """Take back what `init` wrote, the last first.

    Raises:
        ConfigError: the memory is damaged, or a file cannot be written.
    """
    restored: list[str] = []
    left: list[str] = []
    steps = _steps(folder)
    remaining: list[_Step] = []
    for step in reversed(steps):
        why = _undone(root, step)
        if why is None:
            restored.append(step.path)
        elif why:
            left.append(f"{step.path}: {why}")
            remaining.insert(0, step)
    if remaining:
        _write(os.path.join(folder, NAME), remaining)
    elif steps:
        os.unlink(os.path.join(folder, NAME))
    return Taken(restored=tuple(dict.fromkeys(restored)), left=tuple(left))


def _steps(folder: str) -> list[_Step]:
    path = os.path.join(folder, NAME)
    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(), type=list[_Step])
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}; remove it to begin anew") from None


def _write(path: str, steps: Sequence[_Step]) -> None:
    write_whole(path, msgspec.json.encode(list(steps)))


def _step(root: str, edit: FileEdit) -> _Step:
    before = None if edit.before is None else base64.b64encode(edit.before).decode("ascii")
    made = []
    above = os.path.dirname(edit.path)
    while above and not os.path.isdir(os.path.join(root, above)):
        made.append(above)
        above = os.path.dirname(above)
    return _Step(
        path=edit.path,
        before=before,
        after_sha256=sha256_hex(edit.after),
        inserted=tuple(_inserted(edit)),
        folders=tuple(made),
    )


def _inserted(edit: FileEdit) -> list[str]:
    """Return what the edit inserted, piece by piece; nothing where it replaced a thing."""
    old, new = (edit.before or b"").decode(), edit.after.decode()
    pieces = []
    for kind, from_old, to_old, start, stop in difflib.SequenceMatcher(
        None, old.splitlines(keepends=True), new.splitlines(keepends=True), autojunk=False
    ).get_opcodes():
        del from_old, to_old
        if kind == "insert":
            pieces.append("".join(new.splitlines(keepends=True)[start:stop]))
        elif kind != "equal":
            return []
    return pieces


def _undone(root: str, step: _Step) -> str | None:
    """Take one step back; return none, or why not ('' where nothing was to be done)."""
    place = os.path.join(root, step.path)
    try:
        with open(place, "rb") as file:
            now = file.read()
    except FileNotFoundError:
        return ""
    except OSError as error:
        return error.strerror or "cannot be read"
    before = None if step.before is None else base64.b64decode(step.before)
    if now == before:
        return ""
    if sha256_hex(now) == step.after_sha256:
        _restore(root, step, before)
        return None
    text = now.decode("utf-8", "surrogateescape")
    if not step.inserted or any(text.count(piece) != 1 for piece in step.inserted):
        return "was edited since; remove Proctor's part by hand"
    for piece in step.inserted:
        text = text.replace(piece, "")
    write_file(root, step.path, text.encode("utf-8", "surrogateescape"))
    return None


def _restore(root: str, step: _Step, before: bytes | None) -> None:
    if before is not None:
        write_file(root, step.path, before)
        return
    os.unlink(os.path.join(root, step.path))
    for folder in step.folders:
        try:
            os.rmdir(os.path.join(root, folder))
        except OSError:
            return
