"""What the id of a tree does not see, as `kind` or `kind:path`.

A blind spot is said, never guessed away: a reader decides what it is worth.
"""

import os
import stat
from collections.abc import Iterable, Mapping

from proctor.records.place import Clone
from proctor.repo.git import Place, display, run_git, split_nul
from proctor.repo.index import Index
from proctor.repo.listing import Listing, list_ignored
from proctor.repo.names import decides_tests, may_change_tests

CAP = 10
"""Paths named for each kind; the rest is counted, as `kind:(+N more)`."""

_CONVERTING = (b"text", b"eol", b"crlf", b"ident", b"working-tree-encoding")
_ATTRIBUTES_LIMIT = 1 << 20
_LINK_LIMIT = 500
_SCAN_ENTRIES = 2000
_SCAN_DEPTH = 2
_NEVER_COLLECTED = frozenset({"build", "CVS", "_darcs", "dist", "node_modules", "venv", "{arch}"})
"""Folders that pytest passes over (norecursedirs), as it does those with a leading dot."""


class BlindSpots:
    """Collects blind spots in the order they are found."""

    __slots__ = ("_kinds",)

    def __init__(self) -> None:
        self._kinds: dict[str, dict[str, None]] = {}

    def add(self, kind: str, path: bytes | None = None) -> None:
        """Note one."""
        paths = self._kinds.setdefault(kind, {})
        if path is not None:
            paths[display(path)] = None

    def add_inner(self, spots: Iterable[str], folder: bytes) -> None:
        """Note those of a repository within this one."""
        for spot in spots:
            kind, _, path = spot.partition(":")
            self.add(kind, folder + b"/" + path.encode() if path else folder)

    def add_text(self, spots: Iterable[str]) -> None:
        """Note those of an earlier record."""
        for spot in spots:
            kind, _, path = spot.partition(":")
            self.add(kind, path.encode() if path else None)

    def texts(self) -> list[str]:
        """Return them as recorded."""
        found = []
        for kind, paths in self._kinds.items():
            if not paths:
                found.append(kind)
            found += [f"{kind}:{path}" for path in list(paths)[:CAP]]
            if len(paths) > CAP:
                found.append(f"{kind}:(+{len(paths) - CAP} more)")
        return found


def note_flags(spots: BlindSpots, listing: Listing, config: Mapping[str, str]) -> None:
    """Note files that git itself was told not to look at.

    Proctor looks all the same, so these are closed; they are said because git's
    own `status` and `diff` do not show such a file's change.
    """
    sparse = config.get("core.sparsecheckout") == "true"
    if sparse:
        spots.add("sparse-checkout")
    for path, entry in listing.tracked.items():
        if entry.assumed and not entry.skipped:
            spots.add("assume-unchanged", path)
        if entry.skipped and not sparse:
            spots.add("skip-worktree", path)
    if listing.damaged:
        spots.add("index-unreadable")


def note_work_tree(spots: BlindSpots, clone: Clone, config: Mapping[str, str]) -> None:
    """Note that the configuration sends git to another working tree."""
    assert clone.git_dir is not None  # noqa: S101 - callers know
    named = config.get("core.worktree")
    if named is not None and os.path.realpath(os.path.join(clone.git_dir, named)) != clone.root:
        spots.add("core.worktree")


def note_links(spots: BlindSpots, root: str, present: Mapping[bytes, os.stat_result]) -> None:
    """Note links whose target lies outside the tree: its content is not in the id."""
    base = os.fsencode(root)
    links = [path for path, s in present.items() if stat.S_ISLNK(s.st_mode)]
    for path in links[:_LINK_LIMIT]:
        target = os.path.realpath(base + b"/" + path)
        inside = target == base or target.startswith(base.rstrip(b"/") + b"/")
        if not inside and not _is_interpreter(path, present):
            spots.add("symlink", path)
    if len(links) > _LINK_LIMIT:
        spots.add("symlink", b"(more than are looked at)")


def _is_interpreter(path: bytes, present: Mapping[bytes, os.stat_result]) -> bool:
    """Return whether a link is the interpreter of a virtual environment."""
    place = path.rsplit(b"/", 2)
    made = len(place) == 3 and place[0] + b"/pyvenv.cfg" in present
    return made and place[1] == b"bin" and place[2].startswith(b"python")


def read_attributes(root: str, common_dir: str, paths: Iterable[bytes]) -> bytes:
    """Return the text of every attributes file, one after another."""
    files = [os.fsencode(os.path.join(common_dir, "info", "attributes"))]
    base = os.fsencode(root)
    files += [base + b"/" + path for path in paths if path.endswith(b".gitattributes")]
    texts = []
    for path in files:
        try:
            with open(path, "rb") as file:
                texts.append(file.read(_ATTRIBUTES_LIMIT))
        except OSError:
            continue
    return b"\n".join(texts)


def find_filtered(
    place: Place, config: Mapping[str, str], attributes: bytes, paths: Iterable[bytes]
) -> dict[bytes, str]:
    """Return the files that a filter of the configuration applies to, with its name.

    Raises:
        RepositoryError: git gives no answer.
    """
    drivers = {
        name[len("filter.") :].rpartition(".")[0]
        for name, value in config.items()
        if name.startswith("filter.") and name.endswith((".clean", ".process")) and value
    }
    if not drivers or b"filter" not in attributes:
        return {}
    stdin = b"".join(path + b"\0" for path in paths)
    records = list(
        split_nul(run_git(place, ["check-attr", "-z", "--stdin", "filter"], stdin=stdin))
    )
    answers = zip(records[::3], records[2::3], strict=True)
    return {path: os.fsdecode(name) for path, name in answers if os.fsdecode(name) in drivers}


def note_conversions(
    spots: BlindSpots,
    place: Place,
    index: Index,
    present: Mapping[bytes, os.stat_result],
) -> None:
    """Note files whose stored form differs from the bytes on disk in more than line ends.

    Raises:
        RepositoryError: git gives no answer.
    """
    ids = {path: blob for path, blob in index.ids().items() if path in present}
    stdin = "".join(f"{blob}\n" for blob in ids.values()).encode("ascii")
    sizes = run_git(place, ["cat-file", "--batch-check=%(objectsize)"], stdin=stdin).split(b"\n")
    for path, size in zip(ids, sizes, strict=False):
        s = present[path]
        if not size.isdigit() or not stat.S_ISREG(s.st_mode) or int(size) == s.st_size:
            continue
        if s.st_size - int(size) != _count_line_ends(place.work_tree, path):
            spots.add("attributes", path)


def converts(config: Mapping[str, str], attributes: bytes) -> bool:
    """Return whether git may store other bytes than those on disk."""
    if config.get("core.autocrlf", "false") != "false":
        return True
    return any(word in attributes for word in _CONVERTING)


def note_ignored(spots: BlindSpots, place: Place, clone: Clone, config: Mapping[str, str]) -> None:
    """Note ignored files that can change tests.

    Ignored by whichever rule: files that runners and interpreters read unasked.
    Ignored by a rule that is no file of the tree (`info/exclude`,
    `core.excludesFile`): code, tests and configuration.

    Raises:
        RepositoryError: git gives no answer.
    """
    ignored = list_ignored(place)
    base = os.fsencode(place.work_tree)
    for path in ignored:
        for file in _within(base, path):
            if decides_tests(file):
                spots.add("ignored", file)
    if not ignored or not _has_outside_rules(clone, config):
        return
    # NOTE: without `./` a name that starts with a colon would be read as a pattern.
    stdin = b"".join(b"./" + path + b"\0" for path in ignored)
    records = list(split_nul(run_git(place, ["check-ignore", "-z", "-v", "--stdin"], stdin=stdin)))
    for source, named in zip(records[::4], records[3::4], strict=True):
        path = named.removeprefix(b"./")
        if os.path.basename(source) == b".gitignore":
            continue
        kind = "info/exclude" if source.endswith(b"info/exclude") else "core.excludesFile"
        if any(may_change_tests(file) for file in _within(base, path)):
            spots.add(kind, path)


def _has_outside_rules(clone: Clone, config: Mapping[str, str]) -> bool:
    assert clone.common_dir is not None  # noqa: S101 - callers know
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    named = config.get("core.excludesfile", os.path.join(home, "git", "ignore"))
    for path in (os.path.join(clone.common_dir, "info", "exclude"), os.path.expanduser(named)):
        try:
            with open(path, "rb") as file:
                lines = file.read(_ATTRIBUTES_LIMIT).splitlines()
        except OSError:
            continue
        if any(line.strip() and not line.startswith(b"#") for line in lines):
            return True
    return False


def _within(base: bytes, path: bytes) -> list[bytes]:
    """Return an ignored file, or the files of an ignored folder that may matter.

    Folders that runners pass over and virtual environments are left out; the
    walk is two folders deep and ends after 2,000 entries.
    """
    if not path.endswith(b"/"):
        return [path]
    found: list[bytes] = []
    left = _SCAN_ENTRIES
    waiting = [(path[:-1], 0)]
    while waiting and left > 0:
        folder, depth = waiting.pop()
        name = os.fsdecode(os.path.basename(folder))
        if name in _NEVER_COLLECTED or name.startswith((".", "__pycache__")):
            continue
        try:
            entries = sorted(os.scandir(base + b"/" + folder), key=lambda entry: entry.name)
        except OSError:
            continue
        if any(entry.name == b"pyvenv.cfg" for entry in entries):
            continue
        left -= len(entries)
        for entry in entries:
            inner = folder + b"/" + entry.name
            if not entry.is_dir(follow_symlinks=False):
                found.append(inner)
            elif depth < _SCAN_DEPTH:
                waiting.append((inner, depth + 1))
    return found


def _count_line_ends(root: str, path: bytes) -> int:
    """Return how many CR LF line ends a file has, or -1 if it cannot be read."""
    try:
        with open(os.fsencode(root) + b"/" + path, "rb") as file:
            return file.read().count(b"\r\n")
    except OSError:
        return -1
