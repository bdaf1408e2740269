"""Changes a `proctor.toml` as a person would: comments and order stay.

Every edit is checked: the new text must parse, and hold exactly what the old
one held plus what was to be added. Otherwise nothing is written and the person
is told what to add.
"""

import difflib
import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from proctor import config
from proctor._whole import WholeFile, plain
from proctor.errors import ConfigError


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A file before and after."""

    path: str
    before: str
    after: str

    @property
    def empty(self) -> bool:
        """Whether nothing is to be changed."""
        return self.before == self.after

    def diff(self) -> str:
        """Return the change as a unified diff."""
        name = os.path.basename(self.path)
        old = name if self.before else "/dev/null"
        return "".join(
            difflib.unified_diff(
                self.before.splitlines(keepends=True),
                self.after.splitlines(keepends=True),
                old,
                name,
            )
        )

    def write(self) -> None:
        """Write the file whole beside its place, then rename it.

        Raises:
            ConfigError: the file cannot be written.
        """
        path = os.path.realpath(self.path)
        try:
            mode = os.stat(path).st_mode & 0o777 if self.before else 0o644
            with WholeFile(path) as file:
                os.fchmod(file.fileno(), mode)
                file.write(self.after.encode())
        except OSError as error:
            raise ConfigError(f"{path}: cannot be written: {error.strerror}") from None


def read_own(root: str, addition: str) -> tuple[str, str]:
    """Return the path and text of the repository's `proctor.toml`, '' if there is none.

    Raises:
        ConfigError: the settings are in `pyproject.toml`, which belongs to other
            tools too and is left to its owner (`addition` is what to add there);
            or they cannot be understood.
    """
    config.load(root)
    found = config.find(root)
    if found is not None and os.path.basename(found) != config.FILE:
        raise ConfigError(
            f"{found}: the settings are in [tool.proctor], which is not edited; add there: "
            f"{addition}"
        )
    path = os.path.join(root, config.FILE)
    if found is None:
        return path, ""
    with open(path, encoding="utf-8", newline="", opener=plain) as file:
        return path, file.read()


def append_blocks(path: str, before: str, key: str, items: Sequence[Mapping[str, Any]]) -> Change:
    """Return the change that appends `[[key]]` tables at the end of a file.

    Raises:
        ConfigError: the file is such that this would change what it says.
    """
    if not items:
        return Change(path=path, before=before, after=before)
    end = "\r\n" if "\r\n" in before else "\n"
    parts = [before.rstrip("\r\n") + end] if before.strip() else []
    parts += [
        end.join([f"[[{key}]]", *(f"{name} = {_toml(value)}" for name, value in item.items()), ""])
        for item in items
    ]
    after = end.join(parts)
    wanted = _data(before)
    wanted[key] = [*wanted.get(key, []), *items]
    return _checked(path, before, after, wanted, f"[[{key}]] tables")


def set_value(path: str, before: str, table: str, name: str, value: int) -> Change:
    """Return the change that sets `name` in `[table]` to a number.

    Raises:
        ConfigError: as `append_blocks`.
    """
    wanted = _data(before)
    wanted[table] = {**wanted.get(table, {}), name: value}
    key = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)
    spelling = rf"(?:{re.escape(_toml(name))}|'{re.escape(name)}'|{re.escape(name)})"
    line = f"{key} = {value}"
    header = re.search(rf"^[ \t]*\[[ \t]*{table}[ \t]*\][^\n]*\n?", before, re.MULTILINE)
    if header is None:
        gap = "" if not before.strip() else "\n" if before.endswith("\n") else "\n\n"
        after = f"{before}{gap}[{table}]\n{line}\n"
    else:
        body = before[header.end() :]
        stop = re.search(r"^[ \t]*\[", body, re.MULTILINE)
        section = body[: stop.start()] if stop else body
        fresh, hits = re.subn(
            rf"^([ \t]*{spelling}[ \t]*=[ \t]*)[0-9_]+", rf"\g<1>{value}", section,
            count=1, flags=re.MULTILINE,
        )  # fmt: skip
        if not hits:
            opening = before[: header.end()]
            opening += "" if opening.endswith("\n") else "\n"
            after = f"{opening}{line}\n{body}"
        else:
            after = before[: header.end()] + fresh + body[len(section) :]
    return _checked(path, before, after, wanted, f"`{line}` in [{table}]")


def _checked(path: str, before: str, after: str, wanted: Mapping[str, Any], what: str) -> Change:
    try:
        same = _data(after) == wanted
    except (ValueError, RecursionError):
        same = False
    if not same:
        raise ConfigError(f"{path}: is written so that it cannot be edited safely; add {what}")
    return Change(path=path, before=before, after=after)


def _data(text: str) -> dict[str, Any]:
    return tomllib.loads(text.replace("\r\n", "\n"))


def _toml(value: Any) -> str:
    """Return a string, a number or a list of them as TOML."""
    if isinstance(value, str):
        # A JSON string is a basic string of TOML; `_checked` would notice the
        # one exception, a bare DEL.
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value)
