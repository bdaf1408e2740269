"""Commits, and what differs between two trees.

Answers about names and ids only; whether a difference matters is for the gate.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from proctor.errors import RepositoryError
from proctor.records.place import find_clone
from proctor.repo.clone import place_of
from proctor.repo.git import Place, display, run_git, split_nul
from proctor.repo.names import is_receipt

_DIFF = ("diff-tree", "-r", "-z", "--no-renames")
_is_id = re.compile("[0-9a-f]{40}([0-9a-f]{24})?").fullmatch

FileChange = tuple[str, str | None, str | None]
"""Path, blob before and blob after."""


def resolve(cwd: str, revision: str) -> str | None:
    """Return the commit that a revision names; none if there is none here.

    Raises:
        RepositoryError: `cwd` is in no repository, or git gives no answer.
    """
    if not revision or revision.startswith("-") or "\0" in revision:
        return None
    words = ["rev-parse", "--quiet", "--verify", "--end-of-options", revision + "^{commit}"]
    place = object_place(cwd)
    try:
        return run_git(place, words).decode("ascii").split()[-1]
    except RepositoryError:
        run_git(place, ["rev-parse", "--git-dir"])
        return None


def merge_base(cwd: str, commit: str, other: str) -> str | None:
    """Return the best common ancestor of two commits; none if they share no history.

    Raises:
        RepositoryError: as `resolve`.
    """
    place = object_place(cwd)
    if resolve(cwd, commit) is None or resolve(cwd, other) is None:
        return None
    try:
        return run_git(place, ["merge-base", commit, other]).decode("ascii").strip() or None
    except RepositoryError:
        return None


def reached_trees(cwd: str, commit: str, others: Iterable[str]) -> dict[str, str]:
    """Return the trees of those of `others` that `commit` has in its history.

    Raises:
        RepositoryError: as `resolve`.
    """
    place = object_place(cwd)
    asked = "".join(f"{one}^{{tree}}\n" for one in sorted(others))
    if not asked:
        return {}
    answer = run_git(place, ["cat-file", "--batch-check"], stdin=asked.encode("ascii"))
    lines = [line.decode("ascii", "replace").split() for line in answer.splitlines()]
    trees = {
        one: words[0]
        for one, words in zip(sorted(others), lines, strict=True)
        if words[1:2] == ["tree"]
    }
    if not trees:
        return {}
    beyond = set(run_git(place, ["rev-list", *trees, f"^{commit}", "--"]).decode("ascii").split())
    return {one: tree for one, tree in trees.items() if one not in beyond}


def changed_files(
    objects: str | None, repo_root: str, tree_a: str, tree_b: str
) -> list[FileChange]:
    """Return path, blob in `tree_a`, blob in `tree_b` of every file that differs.

    Null where one side has no such file: a renamed file is two differences. A
    file of which only the mode differs is there with the same blob twice.
    `tree_a` and `tree_b` may be commits. `objects` is the folder that a snapshot
    wrote its objects to. Receipts and evidence that Proctor writes are left out.

    Raises:
        RepositoryError: an object is missing, or as `resolve`.
    """
    if tree_a == tree_b:
        return []
    named = [plain_name(tree_a), plain_name(tree_b)]
    return _file_changes(run_git(object_place(repo_root, objects), [*_DIFF, *named]))


def plain_name(name: str) -> str:
    """Return a name of an object that git cannot take for an option.

    Raises:
        RepositoryError: it would: a record or receipt from elsewhere may say anything.
    """
    if name.startswith("-"):
        raise RepositoryError(f"{name[:40]!r} names no tree")
    return name


def changes_between(
    objects: str | None, repo_root: str, pairs: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], list[FileChange]]:
    """Return what `changed_files` does for each pair of trees, by one git process.

    A pair of which an object is missing, or that names no two trees, is left out.

    Raises:
        RepositoryError: `repo_root` is in no repository.
    """
    place = object_place(repo_root, objects)
    asked = dict.fromkeys(pairs)
    found: dict[tuple[str, str], list[FileChange]] = {(a, b): [] for a, b in asked if a == b}
    trees = [pair for pair in asked if pair not in found and all(map(_is_id, pair))]
    _compare_all(place, trees, found)
    return found


def _compare_all(
    place: Place,
    pairs: Sequence[tuple[str, str]],
    found: dict[tuple[str, str], list[FileChange]],
) -> None:
    """Add the changes of each pair; where git gives up over one, the others still count."""
    if not pairs:
        return
    lines = "".join(f"{a} {b}\n" for a, b in pairs).encode("ascii")
    try:
        answer = run_git(place, [*_DIFF, "--stdin"], stdin=lines)
        found.update(parse_comparisons(answer))
    except (RepositoryError, ValueError):
        if len(pairs) > 1:
            half = len(pairs) // 2
            _compare_all(place, pairs[:half], found)
            _compare_all(place, pairs[half:], found)


def parse_comparisons(answer: bytes) -> dict[tuple[str, str], list[FileChange]]:
    """Return the changes by pair of trees from git's answer about many of them.

    A line names the pair; records as of one comparison follow it.

    Raises:
        ValueError: a line names something else than two trees.
    """
    found: dict[tuple[str, str], list[FileChange]] = {}
    place = 0
    while place < len(answer):
        end = answer.index(b"\n", place)
        before, after = answer[place:end].decode("ascii").split(" ")
        changes = found[before, after] = []
        place = end + 1
        while answer[place : place + 1] == b":":
            end = answer.index(b"\0", answer.index(b"\0", place) + 1)
            changes += _file_changes(answer[place:end])
            place = end + 1
    return found


def renamed_files(objects: str | None, repo_root: str, tree_a: str, tree_b: str) -> dict[str, str]:
    """Return new path → old path of every file that moved, its content half alike or more.

    git compares contents; neither attributes nor diff text have a part in it.

    Raises:
        RepositoryError: as `changed_files`.
    """
    words = ["diff-tree", "-r", "-z", "-M50%", "-l2000", "--diff-filter=R", tree_a, tree_b]
    records = split_nul(run_git(object_place(repo_root, objects), words))
    return {display(new): display(old) for _, old, new in zip(*[records] * 3, strict=True)}


def tree_files(objects: str | None, repo_root: str, tree: str) -> list[tuple[str, str]]:
    """Return path and blob of every file in a tree or commit.

    Raises:
        RepositoryError: as `changed_files`.
    """
    answer = run_git(
        object_place(repo_root, objects), ["ls-tree", "-r", "-z", "--full-tree", plain_name(tree)]
    )
    found = []
    for record in split_nul(answer):
        head, _, path = record.partition(b"\t")
        found.append((display(path), head.split(b" ")[2].decode("ascii")))
    return found


def _file_changes(answer: bytes) -> list[FileChange]:
    return [
        (display(path), old, new)
        for path, old, new in parse_changes(answer)
        if not is_receipt(path)
    ]


def parse_changes(answer: bytes) -> Iterator[tuple[bytes, str | None, str | None]]:
    """Yield path, old and new blob from git's raw difference of two trees."""
    records = split_nul(answer)
    for head in records:
        _, _, old, new, _ = head.decode("ascii").split(" ")
        yield next(records), _or_none(old), _or_none(new)


def _or_none(object_id: str) -> str | None:
    return object_id if object_id.strip("0") else None


def object_place(cwd: str, objects: str | None = None) -> Place:
    """Return where git reads objects: the clone's, and those that a snapshot wrote.

    Raises:
        RepositoryError: `cwd` is in no repository.
    """
    clone = find_clone(cwd)
    if clone.git_dir is None:
        raise RepositoryError(f"{cwd}: not in a git repository; run this inside one")
    if objects is None or not os.path.isdir(objects):
        own = place_of(clone)
        return own or Place(git_dir=clone.git_dir, work_tree=clone.root)
    return Place(git_dir=clone.git_dir, work_tree=clone.root, alternates=(objects,))
