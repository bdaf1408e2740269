"""Runs git. This is the one place that does.

git is a program that starts other programs: hooks, filters, a file watcher, an
external diff, a pager. The repository under test may name any of them, so git
is started by its absolute path, with an environment made here, and with every
such door shut. `GIT_*` variables of the caller are not passed on: they are the
command's business, not the recorder's.

Naming the git folder outright also means that git does not ask who owns it
(`safe.directory`); nothing that ownership protects against is left to run.
"""

import functools
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence

from proctor.errors import RepositoryError

TIMEOUT_S = 120.0
"""How long one git process may take, in seconds."""

_SYSTEM_PATH = ("/usr/bin", "/usr/local/bin", "/bin", "/opt/homebrew/bin")
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.quotePath=off",
    "core.attributesFile=/dev/null",
    "core.compression=0",
    "core.looseCompression=0",
    "core.bigFileThreshold=4g",
    "core.pager=cat",
    "core.sshCommand=false",
    "credential.helper=",
    "diff.external=",
    "gc.auto=0",
    "maintenance.auto=false",
    "index.version=2",
    "index.threads=1",
    "protocol.allow=never",
)


class Place:
    """Where a git process works: folders, index and object stores.

    `git_dir` and `work_tree` are always given to git, so nothing is looked up
    and no configuration may redirect them. `objects` is where new objects go;
    `alternates` are further places to read objects from. A `sealed` place is a
    git folder of Proctor's own: neither the repository's configuration nor the
    user's is read there. `settings` are further `name, value` pairs.
    """

    __slots__ = (
        "alternates",
        "git_dir",
        "index",
        "objects",
        "sealed",
        "settings",
        "work_tree",
    )

    def __init__(  # noqa: PLR0913 - a record of seven members
        self,
        *,
        git_dir: str,
        work_tree: str,
        objects: str | None = None,
        alternates: Sequence[str] = (),
        index: str | None = None,
        sealed: bool = False,
        settings: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.git_dir = git_dir
        self.work_tree = work_tree
        self.objects = objects
        self.alternates = tuple(alternates)
        self.index = index
        self.sealed = sealed
        self.settings = tuple(settings)


def run_git(
    place: Place, words: Sequence[str | bytes], *, stdin: bytes = b"", timeout_s: float = TIMEOUT_S
) -> bytes:
    """Return what `git words…` prints.

    Raises:
        RepositoryError: git is not installed, fails, or takes too long; the
            message holds the first line of what git said.
    """
    program = find_git()
    if program is None:
        raise RepositoryError("git is not installed; install it to know which files were tested")
    argv: list[str | bytes] = [program, "--no-replace-objects", "--no-optional-locks"]
    for setting in _SETTINGS:
        argv += ["-c", setting]
    _watch_children()
    try:
        done = subprocess.run(
            [*argv, *words],
            cwd=place.work_tree,
            env=_environment(place, os.environ),
            input=stdin,
            capture_output=True,
            check=False,
            timeout=timeout_s,
            umask=0o077,
        )
    except subprocess.TimeoutExpired:
        raise RepositoryError(f"git {_text(words[0])}: no answer in {timeout_s:g} s") from None
    except (OSError, ValueError) as error:
        raise RepositoryError(f"git {_text(words[0])}: {error}") from None
    if done.returncode != 0:
        raise RepositoryError(f"git {_text(words[0])}: {_reason(done.stderr, done.returncode)}")
    return done.stdout


def transfer(place: Place, words: Sequence[str]) -> None:
    """Have git talk to a remote, as its user would start it.

    Access to a remote is the user's business: their environment, keys and helpers are
    used. Hooks, the file watcher and housekeeping stay off.

    Raises:
        RepositoryError: as `run_git`.
    """
    program = find_git()
    if program is None:
        raise RepositoryError("git is not installed; install it to reach a remote")
    off = ("core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0", "maintenance.auto=0")
    argv = [program, *(word for setting in off for word in ("-c", setting))]
    _watch_children()
    try:
        done = subprocess.run(
            [*argv, *words],
            cwd=place.work_tree,
            env={
                **{n: v for n, v in os.environ.items() if n not in _MISLEADING},
                "GIT_DIR": place.git_dir,
                "GIT_WORK_TREE": place.work_tree,
                "GIT_TERMINAL_PROMPT": "0",
                "LC_ALL": "C",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        raise RepositoryError(f"git {words[0]}: no answer in {TIMEOUT_S:g} s") from None
    except (OSError, ValueError) as error:
        raise RepositoryError(f"git {words[0]}: {error}") from None
    if done.returncode != 0:
        raise RepositoryError(f"git {words[0]}: {_reason(done.stderr, done.returncode)}")


_MISLEADING = frozenset(
    ("GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE")
)


@functools.cache
def find_git() -> str | None:
    """Return the absolute path of git, the system's own before any on `PATH`.

    A `git` in a folder that a repository or an agent put first on `PATH` is
    used only where the system has none.
    """
    chosen = [folder for folder in os.environ.get("PATH", "").split(":") if os.path.isabs(folder)]
    for folder in (*_SYSTEM_PATH, *chosen):
        path = os.path.join(folder, "git")
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def split_nul(data: bytes) -> Iterator[bytes]:
    """Yield the records of NUL-terminated output."""
    if data:
        yield from data.removesuffix(b"\0").split(b"\0")


def display(path: bytes) -> str:
    r"""Return a path as text for people and records: bytes that are not UTF-8 as `\xNN`."""
    return path.decode("utf-8", "backslashreplace")


def _environment(place: Place, environ: Mapping[str, str]) -> dict[str, str]:
    made = {
        "PATH": ":".join(_SYSTEM_PATH),
        "LC_ALL": "C",
        "GIT_DIR": place.git_dir,
        "GIT_WORK_TREE": place.work_tree,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_GRAFT_FILE": os.devnull,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_COUNT": str(len(place.settings)),
    }
    for number, (name, value) in enumerate(place.settings):
        made[f"GIT_CONFIG_KEY_{number}"] = name
        made[f"GIT_CONFIG_VALUE_{number}"] = value
    if place.sealed:
        made |= {
            "HOME": place.git_dir,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }
    else:
        made |= {name: environ[name] for name in ("HOME", "XDG_CONFIG_HOME") if name in environ}
    if place.index is not None:
        made["GIT_INDEX_FILE"] = place.index
    if place.objects is not None:
        made["GIT_OBJECT_DIRECTORY"] = place.objects
    if place.alternates:
        made["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = ":".join(map(_quoted, place.alternates))
    return made


def _quoted(path: str) -> str:
    """Return a path as git reads it in a colon-separated list."""
    if ":" not in path and not path.startswith('"'):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _watch_children() -> None:
    """Make sure that exit codes of children can be read.

    NOTE: where the parent left SIGCHLD ignored the kernel throws exit codes away
    and `subprocess` then says 0 for every child.
    """
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _reason(stderr: bytes, code: int) -> str:
    lines = display(stderr).strip().splitlines()
    fatal = [line for line in lines if line.startswith(("fatal: ", "error: "))]
    return (fatal or lines or [f"exit code {code}"])[0][:300]


def _text(word: str | bytes) -> str:
    return word if isinstance(word, str) else display(word)
