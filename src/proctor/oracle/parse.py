"""Reads what a program printed as fields: JSON, JSON lines, `key=value`, or lines.

Both sides of a comparison are read in the same form, the first of these that fits
both; what fits none is compared as text.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from proctor.oracle.trace import is_pair

LARGEST = 4 << 20
"""Characters; a longer text is compared as text only."""
DEEPEST = 100

Fields = dict[str, str]
"""Path below the stream → value; a JSON value as JSON, so that `"1"` is not `1`."""


def fields_of(old: str, new: str) -> tuple[Fields, Fields] | None:
    """Return both texts as fields; none where no form fits both."""
    if not old.strip() or not new.strip() or max(len(old), len(new)) > LARGEST:
        return None
    for read in _FORMS:
        first = read(old)
        if first is not None:
            second = read(new)
            if second is not None:
                return first, second
    return None


def pairs_of(payload: str) -> Fields | None:
    """Return the `key=value|key=value` of a payload; none where it is something else.

    A part without a key belongs to the value before it. The second value of a key
    is a field of its own, `key#2`.
    """
    fields: list[tuple[str, str]] = []
    for part in payload.split("|"):
        if is_pair(part):
            key, _, value = part.partition("=")
            fields.append((key, value))
        elif not fields:
            return None
        else:
            key, value = fields[-1]
            fields[-1] = (key, f"{value}|{part}")
    return _numbered(fields)


def _numbered(fields: Sequence[tuple[str, str]]) -> Fields:
    found: Fields = {}
    for key, value in fields:
        name, nth = key, 1
        while name in found:
            nth += 1
            name = f"{key}#{nth}"
        found[name] = value
    return found


class _Number(str):
    """A number as it was written: `1.0` is not `1`."""

    __slots__ = ()


class _Members(list[tuple[str, Any]]):
    """The members of an object, duplicates kept."""

    __slots__ = ()


_DECODER = json.JSONDecoder(
    parse_int=_Number,
    parse_float=_Number,
    parse_constant=_Number,
    object_pairs_hook=_Members,
    strict=False,
)


def _json(text: str) -> Fields | None:
    if text.lstrip()[:1] not in "{[":
        return None
    try:
        value = _DECODER.decode(text)
        return _numbered(list(_flat("", value, 0)))
    except (ValueError, RecursionError):
        return None


def _json_lines(text: str) -> Fields | None:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        return None
    fields: list[tuple[str, str]] = []
    try:
        for number, line in enumerate(lines):
            if line.lstrip()[:1] not in "{[":
                return None
            fields += _flat(f"[{number}]", _DECODER.decode(line), 0)
    except (ValueError, RecursionError):
        return None
    return _numbered(fields)


def _flat(path: str, value: Any, depth: int) -> Iterator[tuple[str, str]]:
    if depth > DEEPEST:
        raise RecursionError
    if isinstance(value, _Members):
        if not value:
            yield path, "{}"
        for name, member in value:
            yield from _flat(f"{path}.{name}", member, depth + 1)
    elif isinstance(value, list):
        if not value:
            yield path, "[]"
        for number, member in enumerate(value):
            yield from _flat(f"{path}[{number}]", member, depth + 1)
    elif isinstance(value, _Number):
        yield path, str(value)
    else:
        yield path, json.dumps(value, ensure_ascii=False)


_SPLIT = re.compile(r"[|\t ]+").split
_ONE_PAIR = re.compile(r"[A-Za-z_][\w.-]{0,99}=[^|\t ]*\Z").match


def _key_values(text: str) -> Fields | None:
    """Read lines of `key=value`, several on a line parted by `|`, tabs or spaces."""
    lines = [line for line in text.splitlines() if line.strip()]
    rows = [_row(line) for line in lines]
    if not rows or any(row is None for row in rows):
        return None
    if len(rows) == 1 or (all(len(row or ()) == 1 for row in rows) and _distinct(rows)):
        return _numbered([(f".{key}", value) for row in rows for key, value in row or ()])
    return _numbered(
        [(f"[{n}].{key}", value) for n, row in enumerate(rows) for key, value in row or ()]
    )


def _row(line: str) -> list[tuple[str, str]] | None:
    parts = [part for part in _SPLIT(line.strip()) if part]
    if parts and all(map(_ONE_PAIR, parts)):
        return [(key, value) for key, _, value in (part.partition("=") for part in parts)]
    if "|" in line:
        found = pairs_of(line.strip())
        return list(found.items()) if found else None
    return [_pair(line.strip())] if is_pair(line.strip()) else None


def _pair(part: str) -> tuple[str, str]:
    key, _, value = part.partition("=")
    return key, value


def _distinct(rows: Sequence[list[tuple[str, str]] | None]) -> bool:
    names = [key for row in rows for key, _ in row or ()]
    return len(set(names)) == len(names)


_FORMS: tuple[Callable[[str], Fields | None], ...] = (_json, _json_lines, _key_values)
