"""Where steps run: folders of their own, a made environment, and bubblewrap if there is.

With bubblewrap a step sees the system, its own build and its own folders, nothing
else: no other build, no home, no repository, no network, no process that is not its
own. Without it these are only out of the way; the report says which it was.
"""

import fcntl
import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from proctor.errors import OracleError

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt")
INSIDE = "/run/w"
"""Where the folders of a step lie within bubblewrap."""
WORK, HOME, TEMP = "work", "home", "tmp"
_PATH = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")


class Build(NamedTuple):
    """One build, as steps reach it."""

    folder: str
    """Empty where the build is a command of the system."""
    command: tuple[str, ...]
    """The program's argv; empty where each step is a whole command line."""
    path: tuple[str, ...]
    """Folders that come first on PATH."""
    env: tuple[tuple[str, str], ...] = ()
    visible: tuple[str, ...] = ()
    """Folders that it reads beside its own and the system's."""


class Axes(NamedTuple):
    """What of the environment a sequence turns."""

    tz: str | None = None
    hash_seed: int | None = None
    locale: str | None = None
    env: tuple[tuple[str, str], ...] = ()


class Box(NamedTuple):
    """A kind of sandbox, and why it is not a better one."""

    kind: str
    """`bubblewrap` or `folders`."""
    why: str = ""


def choose(wanted: str) -> Box:
    """Return the sandbox to use: `auto`, `bubblewrap` or `folders`.

    Raises:
        OracleError: bubblewrap was asked for and does not work here.
    """
    if wanted == "folders":
        return Box("folders", "it was asked for: builds are not hidden from one another")
    why = _why_not()
    if not why:
        return Box("bubblewrap")
    if wanted == "bubblewrap":
        raise OracleError(f"bubblewrap: {why}; install it, or take --sandbox folders")
    return Box("folders", f"{why}: builds and undeclared files are not hidden from steps")


@functools.cache
def _why_not() -> str:
    """Return why bubblewrap does not work here; nothing if it does."""
    program = find_bubblewrap()
    if program is None:
        return "bubblewrap is not installed"
    words = [program, "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "true"]
    try:
        done = subprocess.run(words, capture_output=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start ({error})"
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        return f"bubblewrap does not work here ({said[0]})"
    return ""


def find_bubblewrap() -> str | None:
    """Return the path of bubblewrap, the system's only."""
    return shutil.which("bwrap", path=":".join(_PATH))


def temporary_root() -> str:
    """Return a folder for what lives as long as a comparison; in memory where there is one.

    NOTE: its name says nothing of what it is for, and TMPDIR is not asked: a program
    could read there that it is being compared.
    """
    import tempfile

    for above in ("/dev/shm", "/var/tmp", "/tmp"):  # noqa: S108 - made by mkdtemp
        if os.path.isdir(above) and os.access(above, os.W_OK | os.X_OK):
            sweep(above)
            return _locked(tempfile.mkdtemp(prefix=_PREFIX, dir=above))
    return tempfile.mkdtemp(prefix="w")  # pragma: other platform


_PREFIX = "w"
_LOCK = ".lock"
_locks: dict[str, int] = {}


def _locked(folder: str) -> str:
    """Lock a folder for as long as this process lives, and return it."""
    # NOTE: the file has its name only once it is locked; else a sweep could be quicker.
    path = os.path.join(folder, _LOCK)
    fd = os.open(f"{path}-", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.rename(f"{path}-", path)
    _locks[folder] = fd
    return folder


def remove_root(folder: str) -> None:
    """Remove a folder that `temporary_root` made."""
    shutil.rmtree(folder, ignore_errors=True)
    fd = _locks.pop(folder, None)
    if fd is not None:
        os.close(fd)


def sweep(above: str) -> None:
    """Remove the folders of one's own whose process was killed: nobody holds their lock."""
    for entry in os.scandir(above):
        try:
            if not entry.name.startswith(_PREFIX) or entry.stat(follow_symlinks=False).st_uid != (
                os.getuid()
            ):
                continue
            fd = os.open(os.path.join(entry.path, _LOCK), os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(entry.path, ignore_errors=True)
        except OSError:
            continue
        finally:
            os.close(fd)


def environment(build: Build, axes: Axes, root: str) -> dict[str, str]:
    """Return the whole environment of a step whose folders lie in `root`."""
    made = {
        "PATH": ":".join((*build.path, *interpreter_paths(), *_PATH)),
        "HOME": os.path.join(root, HOME),
        "TMPDIR": os.path.join(root, TEMP),
        "PWD": os.path.join(root, WORK),
        "USER": "user",
        "LOGNAME": "user",
        "SHELL": "/bin/sh",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "LC_ALL": axes.locale or "C.UTF-8",
        "TZ": axes.tz or "UTC",
        "PYTHONHASHSEED": str(axes.hash_seed or 0),
        "SOURCE_DATE_EPOCH": "1735689600",
    }
    made.update(build.env)
    made.update(axes.env)
    return made


@functools.cache
def interpreter_paths() -> tuple[str, ...]:
    """Return folders of interpreters that lie outside the system's, for PATH."""
    own = os.path.join(os.path.realpath(sys.base_prefix), "bin")
    return () if _is_system(own) else (own,)


def _is_system(path: str) -> bool:
    return any(path == one or path.startswith(f"{one}/") for one in SYSTEM)


@functools.cache
def _shared() -> tuple[str, ...]:
    """Return folders outside the system's that interpreters need."""
    found = [os.path.realpath(sys.base_prefix)]
    return tuple(one for one in found if not _is_system(one) and os.path.isdir(one))


class Wrapper:
    """Turns argv into what starts it within a sandbox, for one build and one folder."""

    def __init__(self, box: Box, build: Build, root: str, inside: str = INSIDE) -> None:
        self._front: list[str] = []
        self.root = root
        self.inner = root
        if box.kind == "bubblewrap":
            self.inner = inside
            self._front = _front(build, root, inside)

    @property
    def keeper(self) -> list[str]:
        """What starts the first process of a sandbox for many steps; none without one."""
        if not self._front:
            return []
        # NOTE: what is not emptied behind a step must not be written by it.
        shut = [word for path in ("/run", "/dev", "/") for word in ("--remount-ro", path)]
        return [*self._front, *shut, "--as-pid-1", "--"]

    def argv(self, argv: Sequence[str], env: Mapping[str, str]) -> list[str]:
        """Return the argv to start."""
        if not self._front:
            return list(argv)
        words = list(self._front)
        for name, value in env.items():
            words += ("--setenv", name, value)
        return [*words, "--", *argv]


def _front(build: Build, root: str, inside: str) -> list[str]:
    program = find_bubblewrap()
    assert program is not None  # noqa: S101 - `choose` found it
    words = [program, "--unshare-all", "--die-with-parent", "--clearenv", "--hostname", "host"]
    # NOTE: root would keep all capabilities within, and could mount again what is read-only.
    words += ("--cap-drop", "ALL")
    for path in SYSTEM:
        if os.path.islink(path):
            words += ("--symlink", os.readlink(path), path)
        elif os.path.isdir(path):
            words += ("--ro-bind", path, path)
    # NOTE: before what is bound: builds may lie in one of these folders.
    words += ("--proc", "/proc", "--dev", "/dev")
    words += ("--tmpfs", "/dev/shm", "--tmpfs", "/tmp", "--tmpfs", "/run")  # noqa: S108
    for path in dict.fromkeys((*_shared(), *build.visible, build.folder)):
        if path and not _is_system(path):
            words += ("--ro-bind", path, path)
    words += ("--bind", root, inside, "--chdir", os.path.join(inside, WORK))
    return words


def program_of(build: Build) -> str | None:
    """Return the file that a build's command starts, links resolved; none if not found."""
    if not build.command:
        return None
    name = build.command[0]
    if "/" in name:
        path = name if os.path.isabs(name) else os.path.join(build.folder, name)
        return os.path.realpath(path) if os.path.exists(path) else None
    found = shutil.which(name, path=":".join((*build.path, *interpreter_paths(), *_PATH)))
    return os.path.realpath(found) if found else None
