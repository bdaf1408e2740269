"""How two captures differ, and how much each difference weighs.

Either side may be a toolchain file alone, as taken from a CI image.
"""

import os
import re
from collections.abc import Iterator, Mapping

import msgspec

from proctor._digest import sha256_hex
from proctor.capture.manifest import read_file, read_manifest
from proctor.errors import EvidenceError

HEAVY, MEDIUM, LIGHT = "heavy", "medium", "light"
_NONE = "(none)"
WEIGHTS = (HEAVY, MEDIUM, LIGHT)
_LANGUAGES = frozenset(
    {"python", "node", "bun", "deno", "go", "rust", "ruby", "php", "java", "dotnet"}
)
_PLATFORM = re.compile(r"(?:.*_)?platform(?:_tag)?|python_implementation")
_PASSED_OVER = re.compile(r"schema|date_utc|pwd|.*_executable")
_NUMBER = re.compile(r"[0-9]{1,18}")
_LOCK = re.compile(r"lock\.copy(?:\..+)?|NO_LOCKFILE")


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two that are compared."""

    path: str
    toolchain: dict[str, str]
    locks: dict[str, str] | None
    """Name → sha256; null where only a toolchain file was given."""
    packages: dict[str, str] | None
    """Name → version; null where there is no freeze."""


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """One difference."""

    weight: str
    """`heavy`: results may well differ; `medium`: they may; `light`: hardly."""
    what: str
    a: str
    b: str


def read_side(path: str) -> Side:
    """Return what a folder, or a toolchain file, says.

    Raises:
        EvidenceError: it cannot be read, or says nothing.
    """
    folder = path if os.path.isdir(path) else None
    names = ("toolchain.json", "toolchain.txt") if folder else ("",)
    toolchain: dict[str, str] = {}
    for name in names:
        file = os.path.join(path, name) if name else path
        data = read_file(file)
        if data is not None:
            toolchain = _toolchain(file, data)
            break
    locks = packages = None
    if folder is not None:
        locks = _locks(folder)
        freeze = read_file(os.path.join(folder, "freeze.txt"))
        packages = None if freeze is None else _packages(freeze)
    if not toolchain and locks is None and packages is None:
        raise EvidenceError(
            f"{path}: neither an evidence folder nor a toolchain file; capture one: "
            "proctor evidence capture"
        )
    return Side(path=path, toolchain=toolchain, locks=locks, packages=packages)


def compare(a: Side, b: Side) -> list[Drift]:
    """Return every difference, the heaviest first."""
    drifts = [*_toolchains(a.toolchain, b.toolchain)]
    if a.locks is not None and b.locks is not None:
        drifts += [
            Drift(weight=HEAVY, what=name, a=_digest(one), b=_digest(two))
            for name, one, two in _differing(a.locks, b.locks)
        ]
    if a.packages is not None and b.packages is not None:
        drifts += [
            Drift(weight=_package_weight(one, two), what=name, a=one or _NONE, b=two or _NONE)
            for name, one, two in _differing(a.packages, b.packages)
        ]
    return sorted(drifts, key=lambda drift: WEIGHTS.index(drift.weight))


def is_comparable(a: Side, b: Side) -> bool:
    """Return whether both sides say something about the same thing."""
    shared = {n for n in a.toolchain.keys() & b.toolchain.keys() if not _PASSED_OVER.fullmatch(n)}
    locks = a.locks is not None and b.locks is not None
    return bool(shared) or locks or (a.packages is not None and b.packages is not None)


def _locks(folder: str) -> dict[str, str] | None:
    """Return the digests of the lock files by the project's own names; none: unknown."""
    manifest = read_manifest(folder)
    if manifest is not None:
        copies = [one for one in manifest.files if one.source is not None]
        return {one.source or "": one.source_sha256 or one.sha256 for one in copies}
    names = [name for name in sorted(os.listdir(folder)) if _LOCK.fullmatch(name)]
    copies_only = {
        name: sha256_hex(read_file(os.path.join(folder, name)) or b"")
        for name in names
        if name != "NO_LOCKFILE"
    }
    return copies_only if names else None


def _toolchain(path: str, data: bytes) -> dict[str, str]:
    text = data.decode("utf-8", "replace")
    if text.lstrip().startswith("{"):
        try:
            return msgspec.json.decode(data, type=dict[str, str])
        except msgspec.MsgspecError as error:
            raise EvidenceError(f"{path}: no toolchain file: {error}") from None
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        name, equals, value = line.partition("=")
        if line.strip() and not equals:
            raise EvidenceError(f"{path}:{number}: a line of a toolchain file is NAME=VALUE")
        if equals:
            found[name.strip()] = value.strip()
    return found


def _packages(data: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    section = ""
    for line in data.decode("utf-8", "replace").splitlines():
        if line.startswith("# "):
            section = line[2:]
            continue
        text = line.removeprefix("-e ")
        name, version = text, ""
        for mark in (" @ ", "==", " "):
            if mark in text:
                name, _, version = text.partition(mark)
                break
        else:
            head, at, tail = text.rpartition("@")
            if at and head:
                name, version = head, tail
        if name:
            key = f"{section}: {name.lower()}"
            found[key] = f"{found[key]}, {version}" if key in found else version
    return found


def _toolchains(a: Mapping[str, str], b: Mapping[str, str]) -> Iterator[Drift]:
    for name in dict.fromkeys((*a, *b)):
        if _PASSED_OVER.fullmatch(name) or not a or not b:
            continue
        one, two = a.get(name, ""), b.get(name, "")
        if name == "uname":
            yield from _unames(one, two)
        elif one != two and one and two:
            yield Drift(weight=_weight(name, one, two), what=name, a=one, b=two)
        elif one != two and name in _LANGUAGES:
            yield Drift(weight=MEDIUM, what=name, a=one or _NONE, b=two or _NONE)


def _unames(one: str, two: str) -> Iterator[Drift]:
    a, b = one.split(), two.split()
    for at, what in ((0, "system"), (2, "kernel"), (-1, "machine")):
        x, y = (words[at] if len(words) > 2 else "" for words in (a, b))
        if x != y and x and y:
            yield Drift(weight=LIGHT if what == "kernel" else HEAVY, what=what, a=x, b=y)


def _weight(name: str, one: str, two: str) -> str:
    if name in _LANGUAGES:
        return LIGHT if _numbers(one)[:2] == _numbers(two)[:2] else HEAVY
    if name == "python_wheel_tag":
        return HEAVY if one.split("-")[:2] != two.split("-")[:2] or _is_other(one, two) else MEDIUM
    if "libc" in name:
        return HEAVY if one.split()[:1] != two.split()[:1] else MEDIUM
    if _PLATFORM.fullmatch(name):
        return HEAVY
    if name == "venue":
        return LIGHT
    return MEDIUM if _numbers(one)[:1] != _numbers(two)[:1] else LIGHT


def _is_other(one: str, two: str) -> bool:
    """Return whether two wheel tags name different machines or C libraries."""
    plain = [_NUMBER.sub("", tag.rpartition("-")[2].partition("_x86")[0]) for tag in (one, two)]
    machines = [tag.endswith(("x86_64", "amd64")) for tag in (one, two)]
    return plain[0] != plain[1] or machines[0] != machines[1]


def _package_weight(one: str, two: str) -> str:
    if not one or not two or _numbers(one)[:1] != _numbers(two)[:1]:
        return MEDIUM
    return LIGHT


def _differing(a: Mapping[str, str], b: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name in sorted(a.keys() | b.keys()):
        one, two = a.get(name, ""), b.get(name, "")
        if one != two:
            yield name, one, two


def _digest(sha256: str) -> str:
    return f"sha256 {sha256[:12]}" if sha256 else _NONE


def _numbers(text: str) -> list[int]:
    return [int(number) for number in _NUMBER.findall(text)]
