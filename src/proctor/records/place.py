"""Where records are kept: the state folder, the log of a repository.

On the light path: standard library, no process started, git's files read only
as far as finding the clone needs.
"""

import errno
import os

from proctor._digest import decode, encode, sha256_hex
from proctor.errors import RecorderError

LOG_NAME = "spans.jsonl"
_OTHER_LOGS = "logs"
_NOTE = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class Clone:
    """The clone that a folder belongs to, or the folder itself outside git."""

    __slots__ = ("common_dir", "git_dir", "root")

    def __init__(self, root: str, git_dir: str | None, common_dir: str | None) -> None:
        self.root = root
        self.git_dir = git_dir
        self.common_dir = common_dir

    @property
    def repository_id(self) -> str:
        """16 hex digits, the same in every worktree of one clone.

        The digest of the real path of git's common folder (outside git: of the
        folder). A copy of the clone elsewhere has another id.
        """
        return sha256_hex(os.fsencode(self.common_dir or self.root))[:16]

    @property
    def name(self) -> str:
        """The clone's name for people: its main folder's."""
        if self.common_dir is None:
            base = os.path.basename(self.root)
        else:
            base = os.path.basename(self.common_dir)
            if base == ".git":
                base = os.path.basename(os.path.dirname(self.common_dir))
        kept = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in base)
        return kept.strip(".") or "root"


def find_clone(folder: str) -> Clone:
    """Return the clone that holds `folder`, walking up to the first `.git`.

    `GIT_DIR` and its relatives are not looked at: they are the command's, not
    the recorder's.
    """
    start = os.path.realpath(folder)
    here = start
    while True:
        git = os.path.join(here, ".git")
        # NOTE: git passes over an empty `.git` folder; one must not cut a tree in two.
        if os.path.isdir(git) and _is_git_dir(git):
            return Clone(here, git, _common_dir(git))
        if os.path.isfile(git):
            target = _gitfile(git)
            if target is not None:
                return Clone(here, target, _common_dir(target))
        if _is_git_dir(here):
            return Clone(here, here, _common_dir(here))
        parent = os.path.dirname(here)
        if parent == here:
            return Clone(start, None, None)
        here = parent


def state_folder(environ: "os._Environ[str] | dict[str, str]") -> str:
    """Return Proctor's state folder, which need not exist yet.

    `PROCTOR_STATE_DIR`, else the platform's (`$XDG_STATE_HOME/proctor`, by
    default `~/.local/state/proctor`).

    Raises:
        RecorderError: neither the environment nor the user database names a
            home folder.
    """
    chosen = environ.get("PROCTOR_STATE_DIR")
    if chosen:
        return os.path.abspath(chosen)
    if os.name != "posix" or os.uname().sysname == "Darwin":  # pragma: other platform
        import platformdirs

        return platformdirs.user_state_dir("proctor", appauthor=False)
    base = environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(_home(environ), ".local", "state")
    return os.path.join(base, "proctor")


def log_path(clone: Clone, environ: "os._Environ[str] | dict[str, str]") -> str:
    """Return the log of `clone` in the state folder."""
    folder = f"{clone.name}-{clone.repository_id}"
    return os.path.join(state_folder(environ), folder, LOG_NAME)


def chosen_log(
    flag: str | None,
    configured: str | None,
    clone: Clone,
    environ: "os._Environ[str] | dict[str, str]",
) -> str:
    """Return the log to use: flag, `PROCTOR_LOG`, `PROCESS_TRACE`, file, default.

    A configured path is relative to the repository's root, the others to the
    current folder.
    """
    chosen = flag or environ.get("PROCTOR_LOG") or environ.get("PROCESS_TRACE")
    if chosen:
        return os.path.abspath(chosen)
    if configured:
        return os.path.join(clone.root, os.path.expanduser(configured))
    return log_path(clone, environ)


def note_log(folder: str, log: str) -> None:
    """Note that spans in `log` refer to what is kept in a clone's state folder.

    Failing to is no reason not to record.
    """
    line = encode(log) + b"\n"
    path = os.path.join(folder, _OTHER_LOGS)
    try:
        make_private(folder)
        fd = os.open(path, _NOTE, 0o600)
    except OSError:
        return
    try:
        if line not in os.pread(fd, os.fstat(fd).st_size, 0).splitlines(keepends=True):
            os.write(fd, line)
    except OSError:
        return
    finally:
        os.close(fd)


def noted_logs(folder: str) -> list[str]:
    """Return the logs that refer to a clone's state folder: its own and those noted."""
    found = [os.path.join(folder, LOG_NAME)]
    try:
        with open(os.path.join(folder, _OTHER_LOGS), "rb") as file:
            found += [str(decode(line)) for line in file]
    except FileNotFoundError:
        pass
    return list(dict.fromkeys(found))


def make_private(folder: str) -> None:
    """Create a folder and what is missing above it, each for its owner alone.

    Raises:
        OSError: one of them cannot be created.
    """
    if os.path.isdir(folder):
        return
    above = os.path.dirname(folder)
    if above != folder:
        make_private(above)
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), folder) from None


def is_inside(path: str, folder: str) -> bool:
    """Return whether `path`, links resolved, lies in `folder`."""
    real, base = os.path.realpath(path), os.path.realpath(folder)
    return real == base or real.startswith(base.rstrip("/") + "/")


def _home(environ: "os._Environ[str] | dict[str, str]") -> str:
    home = environ.get("HOME", "")
    if os.path.isabs(home):
        return home
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        raise RecorderError(
            "no home folder is known for this user; set PROCTOR_STATE_DIR to a folder of your own"
        ) from None


def _common_dir(git_dir: str) -> str:
    try:
        with open(
            os.path.join(git_dir, "commondir"), encoding="utf-8", errors="surrogateescape"
        ) as f:
            relative = f.read().strip()
    except OSError:
        return os.path.realpath(git_dir)
    return os.path.realpath(os.path.join(git_dir, relative))


def _gitfile(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            text = f.read(4096)
    except OSError:
        return None
    if not text.startswith("gitdir:"):
        return None
    target = text[len("gitdir:") :].strip()
    return os.path.realpath(os.path.join(os.path.dirname(path), target))


def _is_git_dir(folder: str) -> bool:
    return all(os.path.exists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs"))
