"""Makes the two builds: exports a tree, runs the build's commands, takes its digest.

The digest is over what is run: the program's own file and what the build made beside
the sources, or the sources where it makes nothing. Paths of the build's own folder
within it do not count, nor do compiled caches.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from proctor.config import OracleTable
from proctor.errors import OracleError
from proctor.oracle.files import CACHES
from proctor.oracle.sandbox import Build, program_of, remove_root, temporary_root

_LARGEST = 256 << 20
PLACE = "{build}"


class Made(NamedTuple):
    """A build, and what identifies it."""

    build: Build
    sha256: str


class Workshop:
    """A folder in which builds are made; removed at the end."""

    def __init__(self, environ: "os._Environ[str] | dict[str, str]") -> None:
        self._environ = environ
        self.root = temporary_root()

    def folder(self) -> str:
        """Return a new folder; all have names of one length."""
        return tempfile.mkdtemp(prefix="b", dir=self.root)

    def make(self, table: OracleTable, folder: str) -> Made:
        """Return the build that the commands of `table` make of the files in `folder`.

        Raises:
            OracleError: a command fails; with the last lines of what it said.
        """
        sources = frozenset(_files(folder)) if table.build else frozenset()
        for words in table.build:
            self._run([word.replace(PLACE, folder) for word in words], folder, table)
        build = Build(
            folder=folder,
            command=tuple(word.replace(PLACE, folder) for word in _absolute(table.command, folder)),
            path=tuple(os.path.join(folder, name) for name in table.paths),
            env=tuple(
                (name, value.replace(PLACE, folder)) for name, value in sorted(table.env.items())
            ),
            visible=(*table.visible, *_interpreters(folder)),
        )
        return Made(build, _digest(build, sources, folder, _depends(table)))

    def _run(self, words: Sequence[str], folder: str, table: OracleTable) -> None:
        try:
            done = subprocess.run(
                words,
                cwd=folder,
                env={k: v for k, v in self._environ.items() if not k.startswith("PROCTOR")},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=table.build_timeout_s,
            )
        except subprocess.TimeoutExpired:
            raise OracleError(
                f"the build: {shlex.join(words)}: no end in {table.build_timeout_s:g} s"
            ) from None
        except OSError as error:
            raise OracleError(f"the build: {words[0]}: {error.strerror}") from None
        if done.returncode:
            said = done.stdout.decode("utf-8", "replace").strip().splitlines()[-3:]
            raise OracleError(
                f"the build: {shlex.join(words)} ended with {done.returncode}: {' | '.join(said)}"
            )

    def close(self) -> None:
        """Remove the folder."""
        remove_root(self.root)


def given(command: str, table: OracleTable) -> Made:
    """Return the build that a command line names, as `--old` and `--new` do.

    Raises:
        OracleError: it names no program.
    """
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise OracleError(f"{command!r}: {error}") from None
    if not words:
        raise OracleError("--old and --new name a program, or a folder that holds one")
    folder = os.path.abspath(words[0]) if len(words) == 1 else ""
    if folder and os.path.isdir(folder):
        return _in_folder(folder, table)
    build = Build(folder="", command=words, path=(), env=tuple(sorted(table.env.items())))
    program = program_of(build)
    if program is None:
        raise OracleError(f"{words[0]}: no such program; give its path, or what is on PATH")
    start = shutil.which(words[0]) if "/" not in words[0] else words[0]
    home = _home_of(os.path.abspath(start or program))
    build = build._replace(
        folder=home,
        command=(os.path.abspath(start or program), *words[1:]),
        visible=(*table.visible, *_interpreters(home), *_folders_of(words[1:])),
    )
    return Made(build, _digest(build, frozenset(), home, True))


def _in_folder(folder: str, table: OracleTable) -> Made:
    """Return the build that lies in a folder: an installation, or a checkout."""
    build = Build(
        folder=folder,
        command=tuple(word.replace(PLACE, folder) for word in _absolute(table.command, folder)),
        path=tuple(os.path.join(folder, name) for name in (*table.paths, "")),
        env=tuple((n, v.replace(PLACE, folder)) for n, v in sorted(table.env.items())),
        visible=(*table.visible, *_interpreters(folder)),
    )
    return Made(build, _digest(build, frozenset(), folder, True))


def _interpreters(folder: str) -> Iterator[str]:
    """Yield where the Python lies on which a virtual environment of a build rests."""
    for name in ("", ".venv", "venv"):
        try:
            with open(os.path.join(folder, name, "pyvenv.cfg"), encoding="utf-8") as file:
                lines = dict(line.split("=", 1) for line in file.read().splitlines() if "=" in line)
        except (OSError, ValueError):
            continue
        home = {key.strip(): value.strip() for key, value in lines.items()}.get("home", "")
        if os.path.isabs(home):
            yield os.path.dirname(os.path.realpath(home))


def _home_of(program: str) -> str:
    """Return the folder that holds all of a program: that of its `bin`, or its own."""
    above = os.path.dirname(program)
    return os.path.dirname(above) if os.path.basename(above) in ("bin", ".bin") else above


def _folders_of(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        if os.path.isabs(word) and os.path.exists(word):
            yield os.path.dirname(word)


def _absolute(command: Sequence[str], folder: str) -> list[str]:
    """Return a command whose relative program is one of the build's."""
    words = list(command)
    if words and "/" in words[0] and not words[0].startswith(("/", PLACE)):
        words[0] = os.path.join(folder, words[0])
    return words


def _depends(table: OracleTable) -> bool:
    """Return whether what is started has anything to do with the build's folder."""
    texts = (*table.command, *table.env.values())
    if not table.command or any(PLACE in text for text in texts):
        return True
    name = table.command[0]
    return "/" in name and not os.path.isabs(name)


def _digest(build: Build, sources: frozenset[str], folder: str, depends: bool) -> str:
    """Return the digest over what a build runs."""
    program = program_of(build)
    found = hashlib.sha256()
    inside = program is not None and program.startswith(os.path.realpath(folder) + os.sep)
    if program is not None and not inside:
        _take(found, program, folder, "program")
    if not depends and not inside:
        return found.hexdigest()
    names = list(_files(folder))
    made = [name for name in names if name not in sources]
    for name in (made or names) if sources else names:
        _take(found, os.path.join(folder, name), folder, name)
    return found.hexdigest()


def _files(folder: str) -> Iterator[str]:
    """Yield the files below a folder, sorted, caches left out."""
    for above, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in CACHES and name != ".git")
        for name in sorted(names):
            if not name.endswith((".pyc", ".pyo")):
                yield os.path.relpath(os.path.join(above, name), folder)


def _take(found: "hashlib._Hash", path: str, folder: str, name: str) -> None:
    found.update(os.fsencode(name) + b"\0")
    try:
        if os.path.islink(path):
            found.update(b"link " + os.fsencode(os.readlink(path)).replace(
                os.fsencode(folder), b"<build>"))  # fmt: skip
            return
        with open(path, "rb") as file:
            data = file.read(_LARGEST)
    except OSError:
        return
    found.update(hashlib.sha256(data.replace(os.fsencode(folder), b"<build>")).digest())
