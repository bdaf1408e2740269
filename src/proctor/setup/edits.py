"""Turns what an agent's file asks for into files before and after."""

import difflib
import json
import os
import re
from collections.abc import Callable

import msgspec

from proctor._whole import WholeFile, plain
from proctor.errors import ConfigError
from proctor.setup import jsonc
from proctor.setup.agents.base import Edit, JsonFile, Lines, Member, OwnFile

LARGEST = 4 << 20
"""Bytes of a settings file that is edited."""


class FileEdit(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the repository before and after."""

    path: str
    """Relative to the repository's root."""
    before: bytes | None
    """Null where there is none."""
    after: bytes
    executable: bool = False
    """Whether a new file is a program."""

    @property
    def empty(self) -> bool:
        """Whether nothing is to be changed."""
        return self.before == self.after

    def diff(self) -> str:
        """Return the change as a unified diff."""
        old, new = ((data or b"").decode("utf-8", "replace") for data in (self.before, self.after))
        return "".join(
            difflib.unified_diff(
                [f"{line}\n" for line in old.splitlines()],
                [f"{line}\n" for line in new.splitlines()],
                self.path if self.before is not None else "/dev/null",
                self.path,
            )
        )


def edit_file(root: str, path: str, change: Callable[[str], str]) -> FileEdit:
    """Return the edit that `change` makes of a file's text, '' where there is none.

    Raises:
        ConfigError: the file is not ours to change, or `change` says so.
    """
    before = _content(root, path)
    try:
        text = (before or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is no UTF-8; not edited") from None
    return FileEdit(path=path, before=before, after=change(text).encode())


def file_edit(root: str, edit: Edit) -> FileEdit:
    """Return what an agent's edit makes of the file it names.

    Raises:
        ConfigError: the file cannot be read, or is not ours to change.
    """
    if isinstance(edit, OwnFile):
        return edit_file(root, edit.path, lambda text: _own(edit, text))
    if isinstance(edit, JsonFile):
        return edit_file(root, edit.path, lambda text: _json(edit, text))
    return edit_file(root, edit.path, lambda text: _lines(edit, text))


def write_file(root: str, path: str, data: bytes, *, executable: bool = False) -> None:
    """Write a file whole beside its place, then rename it; a link and a mode stay.

    Raises:
        ConfigError: it cannot be written.
    """
    place = os.path.realpath(os.path.join(root, path))
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        new = 0o755 if executable else 0o644
        mode = os.stat(place).st_mode & 0o777 if os.path.exists(place) else new
        with WholeFile(place) as file:
            os.fchmod(file.fileno(), mode)
            file.write(data)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from None


def _content(root: str, path: str) -> bytes | None:
    """Return a file's bytes, none where there is none; refuse what is not ours to change."""
    place = os.path.join(root, path)
    real = os.path.realpath(place)
    base = os.path.realpath(root)
    if not real.startswith(base.rstrip("/") + "/"):
        raise ConfigError(f"{path}: leads out of the repository, to {real}; add it there by hand")
    try:
        with open(real, "rb", opener=plain) as file:
            data = file.read(LARGEST + 1)
            writable = os.fstat(file.fileno()).st_mode & 0o222
    except FileNotFoundError:
        if os.path.lexists(place):
            raise ConfigError(f"{path}: is a link to nothing; mend it, then try again") from None
        return None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise ConfigError(f"{path}: is larger than {LARGEST >> 20} MiB; not edited")
    if not writable:
        raise ConfigError(f"{path}: is read-only; make it writable, or add by hand what is missing")
    return data


def _own(edit: OwnFile, text: str) -> str:
    if text and "proctor" not in text:
        raise ConfigError(f"{edit.path}: is there already and not Proctor's; move it away first")
    return edit.text


def _json(edit: JsonFile, text: str) -> str:
    fresh = text if text.strip("\ufeff \t\r\n") else f"{text.rstrip()}{{}}\n"
    for member in edit.members:
        fresh = _with_member(fresh, edit.path, member)
    return fresh


def _with_member(text: str, path: str, member: Member) -> str:
    node = jsonc.read(text, path)
    for key in member.path:
        if not isinstance(node.value, dict) or key not in node.members:
            return jsonc.add(text, path, member.path, member.value)
        node = node.members[key]
    name = ".".join(member.path)
    if not isinstance(member.value, list):
        if node.value != member.value and name != "version":
            raise ConfigError(
                f"{path}: {name} is set to something else already; remove it, or install with "
                "--rewrite"
            )
        return text
    if not isinstance(node.value, list):
        raise ConfigError(f"{path}: {name} is no array; mend it, then try again")
    there = json.dumps(node.value, ensure_ascii=False)
    if json.dumps(member.known, ensure_ascii=False) in there:
        return text
    other = re.search(r"proctor hook \S+ \S+", member.known)
    if other is not None and other[0] in there:
        raise ConfigError(
            f"{path}: {name} holds another way of Proctor; first: proctor init --undo"
        )
    return jsonc.add(text, path, member.path, member.value[0])


def _lines(edit: Lines, text: str) -> str:
    end = "\r\n" if "\r\n" in text else "\n"
    missing = [line for line in edit.lines if not _has_key(text, line.partition(":")[0])]
    if not missing:
        return text
    gap = end if text and not text.endswith("\n") else ""
    return f"{text}{gap}{end.join(missing)}{end}"


def _has_key(text: str, key: str) -> bool:
    return re.search(rf"^{re.escape(key)}[ \t]*:", text, re.MULTILINE) is not None
