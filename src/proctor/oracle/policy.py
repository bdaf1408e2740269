"""The policy: which deltas a person has looked at and allows, each with a reason.

An entry names a step (`seed`, `step`) or a kind of change (`command`, `path`,
`from_class`, `to_class`), and what it allows there: `field`, `from`, `to`. The plain
form, `{"allowed": [{"seed", "step", "reason"}]}`, is read as it stands. An entry that
names no `from` and `to` covers changed values only: not a field that appears or goes,
nor a step, nor the command.
"""

import fnmatch
import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import msgspec

from proctor._digest import sha256_hex
from proctor.errors import OracleError
from proctor.oracle.classes import CLASSES, class_of
from proctor.oracle.delta import Delta, Field
from proctor.oracle.limited import named_twice, read_limited
from proctor.oracle.parse import pairs_of

LARGEST = 16 << 20
_STRUCTURAL = frozenset(("step", "command", "argv", "left_running"))
"""Fields that only an entry with `from` and `to` allows."""

Number = int | str
Value = str | int | float | bool | None


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of `allowed`."""

    seed: Number | None = None
    step: Number | None = None
    command: str | None = None
    """The first word of a command line, or more of it; `*` stands for anything."""
    path: str | None = None
    """A field's path; `*` stands for anything."""
    field: str | None = None
    """The same as `path`."""
    from_: Value | msgspec.UnsetType = msgspec.field(name="from", default=msgspec.UNSET)
    to: Value | msgspec.UnsetType = msgspec.UNSET
    from_class: str | None = None
    to_class: str | None = None
    reason: str = ""
    owner: str = ""
    expires: date | None = None
    """The last day on which it counts, UTC."""
    drafted: bool = False
    """Whether a machine wrote it and nobody has looked at it yet."""
    cluster: str = ""
    """What `draft-policy` found there, for the person who fills it in."""
    intent: str = ""
    """What a model said it may be."""

    @property
    def where(self) -> str:
        """What it is about, in words."""
        parts = []
        if self.seed is not None:
            parts.append(f"seed {self.seed}")
        if self.step is not None:
            parts.append(f"step {self.step}")
        if self.command is not None:
            parts.append(f"command {self.command!r}")
        if self.field_path is not None:
            parts.append(f"field {self.field_path!r}")
        return ", ".join(parts) or "nothing"

    @property
    def field_path(self) -> str | None:
        """The field it is about, if it names one."""
        return self.path if self.path is not None else self.field

    @property
    def is_exact(self) -> bool:
        """Whether it says from what to what."""
        named = self.from_ is not msgspec.UNSET and self.to is not msgspec.UNSET
        return named or (self.from_class is not None and self.to_class is not None)


class PolicyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A policy file."""

    allowed: tuple[Entry, ...] = ()
    schema: str = "proctor.policy/1"


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with an entry."""

    kind: str
    """stale, expired, no-reason, over-broad, drafted."""
    entry: int
    """Its place in the file, from 1."""
    message: str
    counts: bool
    """Whether the entry allows anything all the same."""


class Policy:
    """The entries of a policy file, and which of them matched.

    `today` decides what has expired.
    """

    def __init__(self, entries: Sequence[Entry], path: str, sha256: str, today: date) -> None:
        self.entries = tuple(entries)
        self.path = path
        self.sha256 = sha256
        self._today = today
        self.used = [0] * len(self.entries)
        self._met = [False] * len(self.entries)
        self._remarks = {number: _remark(number, e, today) for number, e in enumerate(entries)}
        self._by_step: dict[tuple[str, int], list[int]] = {}
        self._general: list[int] = []
        for number, entry in enumerate(self.entries):
            found = self._remarks[number]
            if found is not None and not found.counts:
                continue
            if entry.seed is not None and entry.step is not None:
                self._by_step.setdefault((str(entry.seed), int(entry.step)), []).append(number)
            else:
                self._general.append(number)

    def settle(self, delta: Delta) -> Delta:
        """Return the delta, each changed field with the reason that allows it, if any."""
        numbers = (*self._by_step.get((delta.seed, delta.step), ()), *self._general)
        if not numbers:
            return delta
        fields = tuple(self._settled(field, delta, numbers) for field in delta.fields)
        settled = msgspec.structs.replace(delta, fields=fields)
        allowed = bool(settled.changed) and all(one.allowed for one in settled.changed)
        return msgspec.structs.replace(settled, allowed=allowed)

    def _settled(self, field: Field, delta: Delta, numbers: Sequence[int]) -> Field:
        if field not in delta.changed:
            return field
        reason = None
        for number in numbers:
            entry = self.entries[number]
            if _is_about(entry, delta) and _allows(entry, field):
                self.used[number] += 1
                reason = reason or entry.reason
        return msgspec.structs.replace(field, allowed=reason)

    def remarks(self, *, whole: bool = True) -> Iterator[Remark]:
        """Yield what is wrong with the entries.

        `whole`: whether all of the corpus was compared, so that an entry that
        matched nothing is stale.
        """
        for number, entry in enumerate(self.entries):
            found = self._remarks[number]
            if found is not None:
                yield found
            if whole and not self.used[number] and (found is None or found.counts):
                yield Remark(
                    kind="stale",
                    entry=number + 1,
                    message=f"entry {number + 1} ({entry.where}) allows nothing that differs here; "
                    "remove it",
                    counts=False,
                )


def _remark(number: int, entry: Entry, today: date) -> Remark | None:
    """Return what is wrong with an entry by itself."""

    def said(kind: str, what: str, *, counts: bool = False) -> Remark:
        message = f"entry {number + 1} ({entry.where}) {what}"
        return Remark(kind=kind, entry=number + 1, message=message, counts=counts)

    if entry.drafted:
        return said("drafted", "is a draft that nobody has looked at; remove `drafted` to take it")
    if not entry.reason.strip():
        return said("no-reason", "has no reason, so it allows nothing; say why")
    if entry.expires is not None and entry.expires < today:
        return said("expired", f"ended on {entry.expires}; look again, or remove it")
    by_step = entry.seed is not None and entry.step is not None
    by_command = bool(entry.command and entry.command.strip("*? "))
    if not by_step and not (by_command and entry.field_path and entry.is_exact):
        return said(
            "over-broad",
            "is over-broad, so it allows nothing; name seed and step, or command, path, from, to",
        )
    if not entry.is_exact:
        return said(
            "over-broad", "names no from and to: any changed value of it passes", counts=True
        )
    return None


def _is_about(entry: Entry, delta: Delta) -> bool:
    if entry.seed is not None and str(entry.seed) != delta.seed:
        return False
    if entry.step is not None and int(entry.step) != delta.step:
        return False
    return entry.command is None or _fits_command(entry.command, delta.command)


def _fits_command(pattern: str, command: str) -> bool:
    return command == pattern or command.startswith(f"{pattern} ") or _glob(pattern, command)


def _glob(pattern: str, text: str) -> bool:
    return "*" in pattern and fnmatch.fnmatchcase(text, pattern.replace("[", "[[]"))


def _allows(entry: Entry, field: Field) -> bool:
    path = entry.field_path
    if path is not None and path != field.path and not _glob(path, field.path):
        return False
    if entry.from_class is not None and class_of(field.old) != entry.from_class:
        return False
    if entry.to_class is not None and class_of(field.new) != entry.to_class:
        return False
    if not entry.is_exact and (field.path in _STRUCTURAL or field.old is None or field.new is None):
        return False
    return _fits(entry.from_, entry, field, old=True) and _fits(entry.to, entry, field, old=False)


def _fits(said: Value | msgspec.UnsetType, entry: Entry, field: Field, *, old: bool) -> bool:
    """Return whether a `from` or `to` says what the field's old or new value is."""
    if said is msgspec.UNSET:
        return True
    value = field.old if old else field.new
    if said is None:
        return value is None
    text = _text(said)
    if text == value or (value is not None and value == f'"{text}"'):
        return True
    if entry.field_path is not None:
        return False
    # Without a field it is a piece of the payload, `status=1|error=missing`.
    pairs = pairs_of(text)
    name = field.path.rpartition(".")[2]
    if pairs is None:
        return False
    return pairs.get(name) == value


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def parse_policy(data: bytes, path: str, today: date) -> Policy:
    """Return the policy in `data`; `path` is for messages.

    Raises:
        OracleError: one line that names the file, the entry and the cure.
    """
    if not data.strip():
        raise OracleError(f'{path}: empty; write {{"allowed": []}}')
    try:
        document = msgspec.json.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise OracleError(f"{path}:{_line(data, str(error))}: not JSON: {error}") from None
    twice = named_twice(data)
    if twice is not None:
        raise OracleError(f"{path}: an object names {twice!r} twice; which is meant?")
    try:
        file = msgspec.convert(document, PolicyFile)
    except msgspec.ValidationError as error:
        raise OracleError(f"{path}: {_explained(error, document)}") from None
    if not file.schema.startswith("proctor.policy/1"):
        raise OracleError(f"{path}: a policy of schema {file.schema!r}; this is proctor.policy/1")
    for number, entry in enumerate(file.allowed, 1):
        if entry.step is not None and not _is_count(str(entry.step).strip()):
            raise OracleError(f"{path}: entry {number}: `step` is a number, not {entry.step!r}")
        for said in (entry.from_class, entry.to_class):
            if said is not None and said not in CLASSES:
                known = ", ".join(CLASSES)
                raise OracleError(f"{path}: entry {number}: no class {said!r}; there are {known}")
    return Policy(file.allowed, path, sha256_hex(data), today)


def read_policy(path: str, today: date) -> Policy:
    """Return the policy in a file; raises as `parse_policy`."""
    return parse_policy(read_limited(path, LARGEST, "that is no policy"), path, today)


def _line(data: bytes, message: str) -> int:
    at = re.search(r"byte (\d+)", message)
    return data[: int(at[1])].count(b"\n") + 1 if at else 1


def _explained(error: msgspec.ValidationError, document: Any) -> str:
    """Return msgspec's message with the entry's number, counted from 1."""
    text = str(error)
    found = re.search(r"\$\.allowed\[(\d+)\]|\$\.allowed\[\.\.\.\]", text)
    place = ""
    if found:
        number = int(found[1]) + 1 if found[1] else _first_odd(document)
        place = f"entry {number}: "
    said = text.partition(" - at ")[0]
    known = ", ".join(field.encode_name for field in msgspec.structs.fields(Entry))
    cure = f"; an entry has {known}" if "unknown field" in said else ""
    return f"{place}{said[:1].lower()}{said[1:]}{cure}"


def _first_odd(document: Any) -> int:
    for number, entry in enumerate(document["allowed"], 1):
        try:
            msgspec.convert(entry, Entry)
        except msgspec.ValidationError:
            return number
    return 1


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 18
