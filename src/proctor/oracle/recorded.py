"""Turns command lines that really ran into sequences of the corpus."""

import os
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from proctor._digest import sha256_hex
from proctor.errors import OracleError
from proctor.oracle import corpus
from proctor.oracle.corpus import Command, Given, line_of
from proctor.oracle.limited import read_limited
from proctor.records.span import Span

LARGEST = 1 << 20
"""Bytes of a file, or of standard input, that a sequence brings along."""


def named(sequence: corpus.Sequence) -> corpus.Sequence:
    """Return the sequence, its name made from its content: the same again is the same."""
    bare = line_of(msgspec.structs.replace(sequence, seed="-"))
    return msgspec.structs.replace(sequence, seed=f"r{sha256_hex(bare)[:10]}")


def arguments_of(argv: Sequence[str], command: Sequence[str]) -> tuple[str, ...] | None:
    """Return what `argv` gives the program that `command` starts; none if it is another.

    Without a command every argv is whole. Programs are told by their file's name, an
    interpreter before them passed over.
    """
    if not command:
        return tuple(argv)
    own = os.path.basename(command[-1] if len(command) > 1 else command[0])
    for at, word in enumerate(argv[: len(command) + 1]):
        if os.path.basename(word) == own:
            return tuple(argv[at + 1 :])
    return None


def sequences_of(
    spans: Iterable[Span], command: Sequence[str], known: Iterable[str] = ()
) -> Iterator[corpus.Sequence]:
    """Yield one sequence for each different command line of the program in a span log.

    What was redacted cannot be played and is left out, as is what the corpus has.
    """
    seen = set(known)
    for span in spans:
        words = arguments_of(span.argv, command)
        if words is None or not span.argv or any("***" in word for word in words):
            continue
        if not command and (span.parent_span_id is not None or not words):
            continue
        one = named(corpus.Sequence(seed="-", steps=(words,)))
        if one.seed not in seen:
            seen.add(one.seed)
            yield one


def recorded(
    argv: Sequence[str],
    command: Sequence[str],
    stdin: bytes | None,
    files: Iterable[str],
    seed: str | None,
) -> corpus.Sequence:
    """Return the sequence of one command line, with the files that it reads.

    Raises:
        OracleError: it is not the program's, or a file cannot be brought along.
    """
    words = arguments_of(argv, command)
    if words is None:
        raise OracleError(
            f"{argv[0]} is not the program of [oracle] command ({' '.join(command)}); record that"
        )
    text = None if stdin is None else stdin.decode("utf-8", "replace")
    step = Command(argv=words, stdin=text)
    one = corpus.Sequence(seed=seed or "-", steps=(step,), files=dict(map(_file, files)))
    return one if seed else named(one)


def _file(path: str) -> tuple[str, str | Given]:
    if os.path.isabs(path) or ".." in path.split("/"):
        raise OracleError(f"{path}: give files by their path below the current folder")
    data = read_limited(path, LARGEST, "make it a fixture")
    try:
        return path, data.decode("utf-8")
    except UnicodeDecodeError:
        import base64

        return path, Given(b64=base64.b64encode(data).decode("ascii"))


def append(path: str, one: corpus.Sequence) -> bool:
    """Add a sequence to a corpus file; return whether it was not there yet.

    Raises:
        OracleError: the file cannot be read or written, or the name is taken.
    """
    line = line_of(one)
    if os.path.lexists(path):
        for other in corpus.read_corpus(path):
            if other.seed == one.seed:
                if line_of(other) == line:
                    return False
                raise OracleError(f"{path}: the seed {one.seed!r} is there already; name another")
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                line = line if file.read(1) == b"\n" else b"\n" + line
            file.write(line)
    except OSError as error:
        raise OracleError(f"{path}: cannot be written: {error.strerror}") from None
    return True
