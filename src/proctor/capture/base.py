"""What an ecosystem's file says, and how its tools are asked.

A tool is asked for its version in a process of its own, with a time limit. What it
answers is what this machine says of itself: it is no proof.
"""

import fnmatch
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence

TIMEOUT_S = 30
DEPTH = 4
"""Levels of folders, the root's being the first, in which lock files are looked for."""
FOLDERS = 5000
_PASSED_OVER = frozenset(
    {"node_modules", "vendor", "target", "site-packages", "dist", "build", "evidence"}
)


class Toolbox:
    """The project's folder and the programs that a command there would find.

    `python` is the interpreter that the tests ran on, where a run has told it.
    """

    def __init__(self, root: str, environ: Mapping[str, str], *, python: str | None = None) -> None:
        self.root = root
        self.environ = dict(environ)
        self.python = python
        self.files = tuple(_files(root))
        """Paths relative to the root, nearest first."""

    def find(self, program: str) -> str | None:
        """Return the path of a program, none where there is none."""
        return shutil.which(program, path=self.environ.get("PATH"))

    def ask(
        self, argv: Sequence[str], *, cwd: str | None = None, without: Sequence[str] = ()
    ) -> str | None:
        """Return what a program prints on both streams; none where it fails or is slow."""
        environ = {name: v for name, v in self.environ.items() if name not in without}
        try:
            done = subprocess.run(
                list(argv),
                cwd=cwd or self.root,
                env={**environ, "LC_ALL": "C", "NO_COLOR": "1"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        if done.returncode != 0:
            return None
        return (done.stdout + b"\n" + done.stderr).decode("utf-8", "replace")

    def has(self, *patterns: str) -> bool:
        """Return whether the project has a file of one of these names."""
        return any(True for _ in self.named(*patterns))

    def named(self, *patterns: str) -> Iterator[str]:
        """Yield the project's files of these names, by pattern, then nearest first."""
        for pattern in patterns:
            for path in self.files:
                if fnmatch.fnmatchcase(path.rpartition("/")[2], pattern):
                    yield path


class Probe:
    """Asks one tool for its version.

    `words` are the program and its arguments; each `pattern` names a member of the
    toolchain and where its value stands in what the tool prints. `where` are files
    without which it is not asked: a shim may fetch what it is asked for.
    """

    def __init__(self, words: Sequence[str], where: Sequence[str] = (), **patterns: str) -> None:
        self.words = tuple(words)
        self.where = tuple(where)
        self.patterns = {name: re.compile(p, re.MULTILINE) for name, p in patterns.items()}

    def ask(self, tools: Toolbox) -> dict[str, str]:
        """Return what the tool says; nothing where it is not installed."""
        if self.where and not tools.has(*self.where):
            return {}
        path = tools.find(self.words[0])
        said = tools.ask((path, *self.words[1:])) if path is not None else None
        if said is None:
            return {}
        found = {name: pattern.search(said) for name, pattern in self.patterns.items()}
        told = {name: match[1].strip() for name, match in found.items() if match is not None}
        first = next(iter(self.patterns))
        return {**told, f"{first}_executable": path or ""} if told else {}


class Ecosystem:
    """What an ecosystem's file binds to `ECOSYSTEM`; the file's name is its own.

    `order` decides which lock file is the first. `markers` are files that say the
    ecosystem is in use, beside its lock files. `describe` returns more of the
    toolchain, `installed` one line a package, none where that cannot be told.
    """

    def __init__(
        self,
        *,
        order: int,
        markers: Sequence[str],
        locks: Sequence[str],
        probes: Sequence[Probe] = (),
        describe: Callable[[Toolbox], Mapping[str, str]] | None = None,
        installed: Callable[[Toolbox], Sequence[str] | None] | None = None,
    ) -> None:
        self.order = order
        self.markers = tuple(markers)
        self.locks = tuple(locks)
        self.probes = tuple(probes)
        self._describe = describe
        self._installed = installed

    def is_used(self, tools: Toolbox) -> bool:
        """Return whether the project has a file of this ecosystem."""
        return tools.has(*self.locks, *self.markers)

    def toolchain(self, tools: Toolbox) -> dict[str, str]:
        """Return versions and platform, as far as the tools are here and answer."""
        found = dict(self._describe(tools)) if self._describe is not None else {}
        for probe in self.probes:
            found |= probe.ask(tools)
        return found

    def packages(self, tools: Toolbox) -> list[str] | None:
        """Return what is installed, a line each; none where that cannot be told."""
        found = self._installed(tools) if self._installed is not None else None
        return None if found is None else sorted(found)


def _files(root: str) -> Iterator[str]:
    level, seen = [""], 0
    for _ in range(DEPTH):
        below: list[str] = []
        for folder in level:
            seen += 1
            if seen > FOLDERS:
                return
            try:
                entries = sorted(os.scandir(os.path.join(root, folder)), key=lambda e: e.name)
            except OSError:
                continue
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_file(follow_symlinks=False):
                    yield path
                elif entry.is_dir(follow_symlinks=False) and _is_own(entry):
                    below.append(path)
        level = below


def _is_own(entry: "os.DirEntry[str]") -> bool:
    """Return whether a folder is the project's own, and not one of packages."""
    if entry.name.startswith(".") or entry.name in _PASSED_OVER:
        return False
    return not os.path.isfile(os.path.join(entry.path, "pyvenv.cfg"))
