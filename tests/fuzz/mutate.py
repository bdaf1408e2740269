"""Changes bytes as an attacker, a crash or another version would."""

import copy
import json
import random
from typing import Any

LARGEST = 1 << 19
"""Bytes of one input; what is larger is cut."""

VALUES: list[Any] = [
    None, True, False, 0, -1, 2**63, 2**64, -(2**200), 1e308, "", "x", "\0", "\ud800", "\x1b]0;x\x07",
    "../../etc/passwd", "/etc/passwd", "9" * 5000, "a" * 70_000, [], [[]], {}, {"a": {}}, ["x"] * 3000,
    "2026-13-45T99:99:99Z", "9999-12-31", "0001-01-01T00:00:00+14:00", "sha256:" + "0" * 64,
]  # fmt: skip
"""What stands in the place of a member."""

TOKENS = [
    b"null", b"-1", b"1e999", b"NaN", b"Infinity", b'"\\ud800"', b"[" * 20_000, b'{"a":' * 20_000,
    b"9" * 5000, b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b[2J", b"\r\n", b"\n\n", b'"', b"'", b"\\",
    b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"&a;", b"<![CDATA[", b"]]>", b"<x>" * 20_000, b"</x>",
    b"[[x]]\n", b"a.b.c = 1\n", b"'''", b"2026-02-30", b"%s" * 50, b"a" * 100_000, b" " * 100_000,
    b"\xf0\x9f\x92\xa9", b"\xed\xa0\x80", b"../" * 40, b"{}", b"[]", b"# " + b"-" * 5000, b"ok 1 - \n",
]  # fmt: skip
"""What is put between bytes."""


def mutated(rng: random.Random, seeds: list[bytes]) -> bytes:
    """Return one of `seeds`, changed in one place or a few."""
    data = rng.choice(seeds)
    if rng.random() < 0.6:
        data = _with_other_member(rng, data)
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        data = _with_other_bytes(rng, data, seeds)
    return data[:LARGEST]


def _with_other_bytes(rng: random.Random, data: bytes, seeds: list[bytes]) -> bytes:
    at, length = rng.randint(0, len(data)), rng.choice((1, 1, 2, 8, 64, 1000))
    match rng.randrange(7):
        case 0:
            return data[:at] + rng.randbytes(length) + data[at + length :]
        case 1:
            return data[:at] + data[at + length :]
        case 2:
            return data[:at]
        case 3:
            return data[:at] + data[at : at + length] * rng.choice((2, 50)) + data[at + length :]
        case 4:
            return data[:at] + rng.choice(TOKENS) + data[at:]
        case 5:
            other = rng.choice(seeds)
            return data[:at] + other[rng.randint(0, len(other)) :]
        case _:
            lines = data.splitlines(keepends=True) or [b""]
            rng.shuffle(lines)
            return b"".join(lines)


def _with_other_member(rng: random.Random, data: bytes) -> bytes:
    """Change one member of a JSON document, or of one line that is one."""
    try:
        return _dumped(_changed(rng, json.loads(data)))
    except (ValueError, RecursionError):
        pass
    lines = data.split(b"\n")
    number = rng.randrange(len(lines))
    try:
        lines[number] = _dumped(_changed(rng, json.loads(lines[number])))
    except (ValueError, RecursionError):
        return data
    return b"\n".join(lines)


def _dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _changed(rng: random.Random, value: Any) -> Any:
    made = copy.deepcopy(value)
    places = _places(made)
    if not places:
        return rng.choice(VALUES)
    holder, key = rng.choice(places)
    match rng.randrange(4):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[rng.choice(["", "\0", "__proto__", "type", "a" * 5000])] = rng.choice(VALUES)
        case 2:
            holder[key] = [holder[key]] if rng.random() < 0.5 else {"a": holder[key]}
        case _:
            holder[key] = rng.choice(VALUES)
    return made


def _places(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    todo = [value]
    while todo:
        holder = todo.pop()
        items = (
            holder.items()
            if isinstance(holder, dict)
            else enumerate(holder)
            if isinstance(holder, list)
            else ()
        )
        for key, inner in items:
            found.append((holder, key))
            todo.append(inner)
    return found
