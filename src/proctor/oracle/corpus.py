"""The corpus: sequences of command lines, frozen as a file with a digest.

JSONL, a sequence a line: `{"seed": "A", "steps": [["set", "a", "1"], …]}`. A step is
argv, or an object with `argv` or `shell`, and `stdin`. A sequence may bring `files`
along, name `fixtures` of the project, and turn an axis of the environment: `tz`,
`hash_seed`, `tty`, `locale`, `env`.
"""

import base64
import binascii
import hashlib
import os
import shlex
from collections.abc import Iterator, Mapping

import msgspec

from proctor._whole import WholeFile, file_sha256, plain
from proctor.errors import OracleError
from proctor.oracle.order import SeedKey, seed_key

LONGEST = 16 << 20
"""Bytes of a line."""


class Given(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file that a sequence brings along, where text alone does not say it."""

    text: str | None = None
    b64: str | None = None
    target: str | None = None
    """Of a link."""
    mode: str | None = None
    """Permission bits, octal."""


class Command(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One step."""

    argv: tuple[str, ...] = ()
    shell: str | None = None
    """A line for `sh -c` instead, with the build first on PATH."""
    stdin: str | None = None

    @property
    def shown(self) -> tuple[str, ...]:
        """What the step is called in a trace."""
        return ("sh", "-c", self.shell) if self.shell is not None else self.argv


class Sequence(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One line of the corpus."""

    seed: str
    steps: tuple[tuple[str, ...] | Command, ...]
    files: dict[str, str | Given] = {}
    fixtures: tuple[str, ...] = ()
    """Files or folders below the project's fixtures that are copied in."""
    env: dict[str, str] = {}
    tz: str | None = None
    hash_seed: int | None = None
    tty: bool = False
    locale: str | None = None

    @property
    def commands(self) -> tuple[Command, ...]:
        """The steps, each as an object."""
        return tuple(
            step if isinstance(step, Command) else Command(argv=step) for step in self.steps
        )


_LINES = msgspec.json.Decoder(Sequence)


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """How much a corpus holds, and its digest."""

    sha256: str
    seeds: int
    steps: int
    fixtures: frozenset[str] = frozenset()


def read_corpus(path: str) -> Iterator[Sequence]:
    """Yield the sequences of a corpus file, in its order.

    Raises:
        OracleError: a line is none, or its name is taken; names file and line.
    """
    names = _Names(path)
    try:
        with open(path, "rb", opener=plain) as file:
            number = 0
            while line := file.readline(LONGEST):
                number += 1
                if line.strip():
                    yield _sequence(line, f"{path}:{number}", names)
    except OSError as error:
        raise OracleError(
            f"{path}: cannot be read: {error.strerror}; `proctor oracle init` writes a first one"
        ) from None


class _Names:
    """Refuses a second sequence of one name, in little memory where names rise."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._last: SeedKey | None = None
        self._seen: set[str] | None = None

    def take(self, name: str, where: str) -> None:
        key = seed_key(name)
        if self._seen is None and (self._last is None or key > self._last):
            self._last = key
            return
        if self._seen is None:
            self._seen = set(_names_before(self.path, where))
        if name in self._seen:
            raise OracleError(f"{where}: the seed {name!r} is there twice; give each its own name")
        self._seen.add(name)


def _names_before(path: str, where: str) -> Iterator[str]:
    last = int(where.rpartition(":")[2])
    with open(path, "rb", opener=plain) as file:
        for number, line in enumerate(file, 1):
            if number >= last:
                return
            if line.strip():
                yield _LINES.decode(line).seed


def _sequence(line: bytes, where: str, names: _Names) -> Sequence:
    try:
        found = _LINES.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise OracleError(
            f'{where}: not a sequence: {error}; a line is {{"seed": "A", "steps": [["set", "a"]]}}'
        ) from None
    for word in _words(found):
        if "\0" in word:
            raise OracleError(f"{where}: a NUL character can stand in no argument or name")
    if not found.seed or "\n" in found.seed:
        raise OracleError(f"{where}: `seed` is a name of one line")
    if any(command.shell is not None and command.argv for command in found.commands):
        raise OracleError(f"{where}: a step has `argv` or `shell`, not both")
    if not found.steps:
        raise OracleError(f"{where}: the seed {found.seed!r} has no steps")
    for name, given in found.files.items():
        _check_file(name, given, where)
    for name in found.fixtures:
        _check_name(name, where)
    names.take(found.seed, where)
    return found


def _words(found: Sequence) -> Iterator[str]:
    for command in found.commands:
        yield from command.argv
        yield command.shell or ""
    for name, value in found.env.items():
        yield from (name, value)
    yield from (found.tz or "", found.locale or "")


def _check_name(name: str, where: str) -> None:
    parts = name.split("/")
    if not name or os.path.isabs(name) or ".." in parts or "" in parts or "\0" in name:
        raise OracleError(f"{where}: the file {name!r} is not below the step's folder")


def _check_file(name: str, given: str | Given, where: str) -> None:
    _check_name(name, where)
    if isinstance(given, str):
        return
    if sum(part is not None for part in (given.text, given.b64, given.target)) != 1:
        raise OracleError(f"{where}: the file {name!r} has one of `text`, `b64`, `target`")
    try:
        int(given.mode or "0", 8)
        base64.b64decode(given.b64 or "", validate=True)
    except (ValueError, binascii.Error):
        raise OracleError(f"{where}: the file {name!r}: `mode` is octal, `b64` is base64") from None


def content_of(given: str | Given) -> bytes:
    """Return the content of a file that is no link."""
    if isinstance(given, str):
        return given.encode("utf-8", "surrogateescape")
    if given.b64 is not None:
        return base64.b64decode(given.b64)
    return (given.text or "").encode("utf-8", "surrogateescape")


def totals_of(path: str) -> Totals:
    """Return how much a corpus holds; every line of it is checked.

    Raises:
        OracleError: as `read_corpus`.
    """
    seeds = steps = 0
    fixtures: set[str] = set()
    for sequence in read_corpus(path):
        seeds += 1
        steps += len(sequence.steps)
        fixtures.update(sequence.fixtures)
    return Totals(sha256=sha256_of(path), seeds=seeds, steps=steps, fixtures=frozenset(fixtures))


def sha256_of(path: str) -> str:
    """Return the SHA-256 of a file's bytes.

    Raises:
        OracleError: it cannot be read.
    """
    try:
        return file_sha256(path)
    except OSError as error:
        raise OracleError(f"{path}: cannot be read: {error.strerror}") from None


def line_of(sequence: Sequence) -> bytes:
    """Return a sequence as a line of the file; the same sequence gives the same bytes."""
    plain = msgspec.structs.replace(
        sequence, steps=tuple(_plain(command) for command in sequence.commands)
    )
    return msgspec.json.encode(plain, order="deterministic") + b"\n"


def nameless(sequence: Sequence) -> bytes:
    """Return what a sequence does, whatever its name: equal ones give the same bytes."""
    return line_of(msgspec.structs.replace(sequence, seed="-"))


def _plain(command: Command) -> tuple[str, ...] | Command:
    return command.argv if command.shell is None and command.stdin is None else command


def write_corpus(path: str, sequences: Iterator[Sequence]) -> int:
    """Write a corpus file, whole, and return how many sequences it has."""
    count = 0
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with WholeFile(path) as file:
            for sequence in sequences:
                file.write(line_of(sequence))
                count += 1
    except OSError as error:
        raise OracleError(f"{path}: cannot be written: {error.strerror}") from None
    return count


def drifted(base: bytes, path: str) -> list[str]:
    """Return the names of the sequences in `base` that the file lacks or has otherwise.

    A superset is no drift: more sequences than the base has are welcome.
    """
    with open(path, "rb", opener=plain) as file:
        here = {_canonical(line) for line in file if line.strip()}
    lines = (line for line in base.splitlines() if line.strip())
    return [_name_in(line) for line in lines if _canonical(line) not in here]


def _canonical(line: bytes) -> bytes:
    try:
        digest = hashlib.sha256(line_of(_LINES.decode(line)))
    except (msgspec.DecodeError, ValueError, RecursionError):
        digest = hashlib.sha256(line)
    return digest.digest()


def _name_in(line: bytes) -> str:
    try:
        return _LINES.decode(line).seed
    except (msgspec.DecodeError, ValueError, RecursionError):
        return line[:40].decode("utf-8", "replace")


def shell_line(command: Command, prefix: tuple[str, ...], env: Mapping[str, str]) -> str:
    """Return a step as a line that a person can paste."""
    named = " ".join(f"{name}={shlex.quote(value)}" for name, value in env.items())
    own = command.shell
    body = own if own is not None else shlex.join((*prefix, *command.argv))
    if command.stdin is not None:
        body = f"printf %s {shlex.quote(command.stdin)} | {body}"
    return f"{named} {body}" if named else body
