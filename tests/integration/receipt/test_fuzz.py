"""Thousands of changed receipts and bundles: none is accepted, none makes a traceback."""

import copy
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from proctor.errors import EvidenceError
from proctor.receipt.bundle import pack, read_bundle
from proctor.receipt.fields import digest_of
from tests.integration.receipt.conftest import RECEIPT, Issued

SEED = 20261129
TIMES = pytest.mark.parametrize(
    "times",
    [pytest.param(1_000, marks=pytest.mark.heavy), pytest.param(5_000, marks=pytest.mark.large)],
)
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2**53,
    1e308,
    "",
    "x",
    "\0",
    "\ud800",
    [],
    [None],
    {},
    {"a": 1},
]


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        for name, inner in value.items():
            found += _places(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            found += _places(inner, (*path, number))
    return found


def _mutated(rng: random.Random, members: dict[str, Any]) -> dict[str, Any]:
    """Change one thing of a receipt: remove, replace, add, or turn a character."""
    made = copy.deepcopy(members)
    path = rng.choice(_places(made))
    holder: Any = made
    for step in path[:-1]:
        holder = holder[step]
    old = holder[path[-1]]
    how = rng.randrange(4)
    if how == 0:
        del holder[path[-1]]
    elif how == 1 and isinstance(old, str) and old:
        at = rng.randrange(len(old))
        holder[path[-1]] = old[:at] + chr(rng.randrange(32, 0x250)) + old[at + 1 :]
    elif how == 2 and isinstance(holder, dict):
        holder[rng.choice(["a", "exit_code", "\0", "log", "toString"])] = rng.choice(VALUES)
    else:
        holder[path[-1]] = rng.choice(VALUES)
    return made


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether nothing that a receipt says has changed; optional nulls may be left out."""
    full = {"junit": None, "executed": None}
    return repr({**full, **one}) == repr({**full, **other})


@TIMES
@pytest.mark.timeout(300)
def test_no_mutated_receipt_is_accepted(issued: Issued, tmp_path: Path, times: int) -> None:
    """Each with a digest made to fit, where that can be."""
    rng = random.Random(SEED)
    members = issued.members
    path = tmp_path / "m.json"
    began = time.monotonic()
    refused = unreadable = 0
    accepted: list[str] = []
    lines: set[str] = set()
    check = issued.checker()
    while refused + unreadable < times:
        made = _mutated(rng, members)
        if _is_same(made, members):
            continue
        if rng.random() < 0.8:
            made["digest"] = digest_of({k: v for k, v in made.items() if k != "digest"})
            if _is_same(made, members):
                continue
        text = json.dumps(made).encode("utf-8", "surrogatepass")
        if rng.random() < 0.1:
            at = rng.randrange(len(text))
            text = text[:at] + bytes([rng.randrange(256)]) + text[at + 1 :]
        path.write_bytes(text)
        try:
            if json.loads(text) == members:
                continue
        except ValueError:
            pass
        try:
            code = check(path)
        except EvidenceError as error:
            lines.update(str(error).splitlines()[1:])
            unreadable += 1
            continue
        accepted += [path.read_text()] if code == 0 else []
        refused += 1
    print(f"{refused} refused, {unreadable} unreadable, {time.monotonic() - began:.1f} s")
    assert accepted == []
    assert lines == set()
    assert refused > times / 2


@TIMES
@pytest.mark.timeout(300)
def test_no_mutated_bundle_is_read(issued: Issued, tmp_path: Path, times: int) -> None:
    """Bytes turned, cut, doubled, moved: the file is what was made, or it is refused."""
    rng = random.Random(SEED)
    whole = tmp_path / "b.zip"
    pack(str(whole), {RECEIPT: issued.path.read_bytes(), "evidence/pytest.exit": b"0\n"})
    data = whole.read_bytes()
    path = tmp_path / "m.zip"
    for _ in range(times):
        at, length = rng.randrange(len(data)), rng.randrange(1, 9)
        how = rng.randrange(4)
        if how == 0:
            made = data[:at] + rng.randbytes(length) + data[at + length :]
        elif how == 1:
            made = data[:at] + data[at + length :]
        elif how == 2:
            made = data[:at] + rng.randbytes(length) + data[at:]
        else:
            made = data[:at]
        if made == data:
            continue
        path.write_bytes(made)
        with pytest.raises(EvidenceError) as error:
            read_bundle(str(path))
        assert "\n" not in str(error.value)


def test_a_handful_of_mutations_is_refused_every_time(issued: Issued, tmp_path: Path) -> None:
    rng = random.Random(SEED)
    check = issued.checker()
    for _ in range(60):
        made = _mutated(rng, issued.members)
        if _is_same(made, issued.members):
            continue
        made["digest"] = digest_of({k: v for k, v in made.items() if k != "digest"})
        path = tmp_path / "m.json"
        path.write_bytes(json.dumps(made).encode("utf-8", "surrogatepass"))
        if _is_same(made, issued.members):
            continue
        try:
            assert check(path) != 0, made
        except EvidenceError:
            continue
