"""Writes a working tree's content as git objects, outside the user's repository.

Each working tree has a small git folder of Proctor's own beside the log
(`index-<16 hex>/`), with its own index, configuration and attributes. New
objects go to `objects/` beside the log; the repository's are only read. Filters
(`clean`, `process`, LFS) are switched off by attribute there, so no program of
the repository's choosing runs and the bytes on disk are what is identified.
Conversions that git does itself (line ends, `ident`, encodings) are kept, so
that a tree equals that of a commit of the same files.
"""

import os
import secrets
from collections.abc import Mapping

from proctor._digest import sha256_hex
from proctor.errors import RepositoryError
from proctor.records.place import Clone, make_private
from proctor.repo.git import Place, run_git
from proctor.repo.index import Index

_NO_FILTER = b"\n* -filter\n"
_KEPT_SETTINGS = ("core.autocrlf", "core.eol", "core.symlinks", "core.ignorecase")
_NULL = "0"


class Store:
    """Proctor's own index and objects for one working tree.

    `id_bytes` is the length of the repository's object ids. `objects` is the
    folder that new objects go to.

    Raises:
        RepositoryError: the state folder cannot be written.
    """

    __slots__ = ("folder", "id_bytes", "objects", "place")

    def __init__(self, clone: Clone, state_folder: str, config: Mapping[str, str]) -> None:
        assert clone.git_dir is not None  # noqa: S101 - callers know
        assert clone.common_dir is not None  # noqa: S101 - as above
        sha256 = config.get("extensions.objectformat") == "sha256"
        self.id_bytes = 32 if sha256 else 20
        self.folder = os.path.join(
            state_folder, f"index-{sha256_hex(os.fsencode(clone.root))[:16]}"
        )
        self.objects = os.path.join(state_folder, "objects")
        try:
            for part in ("refs", "info"):
                make_private(os.path.join(self.folder, part))
            if not os.path.isdir(self.objects):
                make_private(self.objects)
                self.forget()  # the objects that an index stands for have gone
            self._write("HEAD", b"ref: refs/heads/none\n")
            kept = {name: config[name] for name in _KEPT_SETTINGS if name in config}
            rules = self._write("info/attributes", _attributes(clone.common_dir) + _NO_FILTER)
            if self._write("config", _config(kept, sha256=sha256)) or rules:
                self.forget()
        except OSError as error:
            raise RepositoryError(f"{state_folder}: {error.strerror}") from None
        self.place = Place(
            git_dir=self.folder,
            work_tree=clone.root,
            objects=self.objects,
            alternates=(os.path.join(clone.common_dir, "objects"),),
            sealed=True,
        )

    def forget(self) -> None:
        """Forget what earlier snapshots knew: the rules of conversion have changed."""
        for name in ("index", "tree"):
            if os.path.exists(self._path(name)):
                os.unlink(self._path(name))

    def load(self) -> Index | None:
        """Return what the last snapshot knew, or none."""
        try:
            with open(self._path("index"), "rb") as file:
                return Index(file.read(), self.id_bytes)
        except (OSError, RepositoryError):
            return None

    def known_tree(self, index: Index) -> str | None:
        """Return the tree that was written from just this index, if it is noted."""
        checksum, _, tree = self.noted("tree").partition(" ")
        return tree if checksum == index.checksum() else None

    def write(self, index: Index, update: "Update") -> tuple[str, Index]:
        """Return the tree's id after an update, and the index that holds it.

        Raises:
            RepositoryError: git gives no answer.
        """
        scratch = self.scratch()
        place = self.place_with(scratch)
        files = b"".join(path + b"\0" for path in update.files)
        index.distrust(update.files)
        try:
            _put(scratch, index.sealed())
            if update.lines:
                run_git(place, [*_UPDATE, "--index-info"], stdin=b"".join(update.lines))
            if files:
                run_git(place, [*_UPDATE, "--stdin"], stdin=files)
            tree = run_git(place, ["write-tree", "--missing-ok"]).decode("ascii").strip()
            with open(scratch, "rb") as file:
                return tree, Index(file.read(), self.id_bytes)
        except OSError as error:
            raise RepositoryError(f"{scratch}: {error.strerror}") from None
        finally:
            for path in (scratch, f"{scratch}.lock"):
                if os.path.exists(path):
                    os.unlink(path)

    def keep(self, index: Index, tree: str) -> None:
        """Keep an index for the next snapshot; failing to only costs time."""
        if tree == self.known_tree(index):
            return
        fresh = self.scratch()
        try:
            _put(fresh, index.sealed())
            os.replace(fresh, self._path("index"))
        except OSError:
            return
        self.note("tree", f"{index.checksum()} {tree}")

    def note(self, name: str, line: str) -> None:
        """Keep a line under a name; failing to only costs time."""
        try:
            self._write(name, line.encode("ascii"))
        except OSError:
            return

    def noted(self, name: str) -> str:
        """Return the line kept under a name, or nothing."""
        try:
            with open(self._path(name), encoding="ascii", errors="replace") as file:
                return file.read()
        except OSError:
            return ""

    def place_with(self, index: str) -> Place:
        """Return the place with an index of one's own."""
        own = self.place
        return Place(
            git_dir=own.git_dir,
            work_tree=own.work_tree,
            objects=own.objects,
            alternates=own.alternates,
            index=index,
            sealed=True,
        )

    def scratch(self) -> str:
        """Return a path in the store that nobody else uses."""
        return self._path(f"scratch-{os.getpid()}-{secrets.token_hex(4)}")

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def _write(self, name: str, content: bytes) -> bool:
        """Make a file's content be `content`; return whether it was not before."""
        path = self._path(name)
        try:
            with open(path, "rb") as file:
                if file.read() == content:
                    return False
        except FileNotFoundError:
            pass
        fresh = self.scratch()
        _put(fresh, content)
        os.replace(fresh, path)
        return True


class Update:
    """What to change in the index.

    `files` are read by git from disk, and dropped where they are gone. `lines`
    set or remove entries by id.
    """

    __slots__ = ("files", "lines")

    def __init__(self) -> None:
        self.files: list[bytes] = []
        self.lines: list[bytes] = []

    def set(self, path: bytes, mode: str, blob: str) -> None:
        """Make an entry hold an id, whatever is on disk."""
        self.lines.append(f"{mode} {blob}\t".encode("ascii") + path + b"\0")

    def drop(self, path: bytes, id_bytes: int) -> None:
        """Remove an entry, which may be absent."""
        self.set(path, _NULL, _NULL * (2 * id_bytes))

    def __bool__(self) -> bool:
        return bool(self.files or self.lines)


_UPDATE = ("update-index", "-z", "--add", "--remove", "--replace")


def _config(kept: Mapping[str, str], *, sha256: bool) -> bytes:
    lines = ["[core]", f"\trepositoryformatversion = {int(sha256)}", "\tbare = false"]
    for name, value in kept.items():
        plain = "".join(c for c in value if c.isalnum())
        lines.append(f"\t{name.removeprefix('core.')} = {plain}")
    if sha256:
        lines += ["[extensions]", "\tobjectformat = sha256"]
    return ("\n".join(lines) + "\n").encode("ascii", "replace")


def _attributes(common_dir: str) -> bytes:
    try:
        with open(os.path.join(common_dir, "info", "attributes"), "rb") as file:
            return file.read(1 << 20)
    except OSError:
        return b""


def _put(path: str, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(path, flags, 0o600), "wb") as file:
        file.write(content)
