"""Resolves the revision that a patch is compared with, once, to a full id.

A name in a clone is only a file that whoever works in the clone can rewrite;
the answer therefore says what kind of name it was, and why it may be wrong.
Replace refs, grafts, `GIT_DIR` and the commit-graph file are not looked at.
"""

import os
import re
import shlex
from datetime import UTC, datetime
from typing import NamedTuple

from proctor.errors import RepositoryError
from proctor.records.place import Clone, find_clone
from proctor.repo.git import Place, display, run_git
from proctor.repo.objects import read_object

_FULL_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_PART_OF_ID = re.compile(r"[0-9a-f]{4,63}\Z")
_MERGE_REF = re.compile(
    r"(?:refs/)?(?:remotes/)?(?:[^/]+/)?pull/\d+/merge\Z|.*/merge-requests/\d+/merge\Z"
)
_KINDS = (
    ("refs/heads/", "branch"),
    ("refs/remotes/", "remote branch"),
    ("refs/tags/", "tag"),
)
_SETTINGS = (("core.commitGraph", "false"),)


class Revision(NamedTuple):
    """A base revision: what it names, how, and where the patch begins."""

    name: str
    commit: str
    tree: str
    how: str
    doubt: str
    """Why the name may have been moved in this clone; empty where it cannot."""
    merge_base: str
    merge_tree: str
    merged_at: str
    """The committer's date of the merge base, RFC 3339, UTC."""


def resolve_base(folder: str, name: str) -> Revision:
    """Return the revision that `name` is in the clone that holds `folder`.

    Raises:
        RepositoryError: it names no commit here, or more than one, or shares no
            history with HEAD; the message holds the command that fetches it.
    """
    clone = find_clone(folder)
    if clone.git_dir is None:
        raise RepositoryError(f"{folder}: not in a git repository; --base needs one")
    place = Place(git_dir=clone.git_dir, work_tree=clone.root, settings=_SETTINGS)
    if _MERGE_REF.match(name):
        raise RepositoryError(
            f"--base {name} holds the patch itself; fetch the branch it goes to: "
            f"{_fetch(place, clone, 'main')}, then --base {_remote(place) or 'origin'}/main"
        )
    commit, how, doubt = _resolve(place, clone, name)
    merge_base = _merge_base(place, clone, name, commit)
    tree, _ = _commit(place, commit)
    merge_tree, merged_at = _commit(place, merge_base)
    return Revision(name, commit, tree, how, doubt, merge_base, merge_tree, merged_at)


def _resolve(place: Place, clone: Clone, name: str) -> tuple[str, str, str]:
    """Return the commit that a name is, what kind of name it is, and what speaks against it."""
    refs = {} if _FULL_ID.match(name) else _refs(place, name)
    if len(set(refs.values())) > 1:
        raise RepositoryError(
            f"--base {name} could be {' or '.join(refs)}; give one of these names whole"
        )
    if refs:
        ref, commit = next(iter(refs.items()))
        how, doubt = _kind(place, clone, ref, commit)
        return commit, how, doubt
    found = _parse(place, name)
    if found is None and _parse(place, "HEAD") is None:
        raise RepositoryError(
            f"--base {name}: nothing is committed here yet; commit what the patch is held against"
        )
    if found is None:
        raise RepositoryError(
            f"--base {name} names no commit here; fetch it: {_fetch(place, clone, name)}"
        )
    if _FULL_ID.match(name):
        return found, "id", ""
    if _PART_OF_ID.match(name) and found.startswith(name):
        return found, "id", ""
    return found, f"expression {name}", "it is counted from names that can be moved in this clone"


def _refs(place: Place, name: str) -> dict[str, str]:
    """Return every ref that git would read `name` as, in its order, with its commit."""
    if not re.fullmatch(r"[^\s~^:?*\[\\\x00-\x1f]+", name) or "@{" in name or name.startswith("-"):
        return {}
    forms = [name] if name.startswith("refs/") else []
    forms += [f"refs/{name}", f"refs/tags/{name}", f"refs/heads/{name}", f"refs/remotes/{name}"]
    forms.append(f"refs/remotes/{name}/HEAD")
    found = {}
    for form in forms:
        if _exists(place, form):
            commit = _parse(place, form)
            if commit is not None:
                found[form] = commit
    return found


def _exists(place: Place, ref: str) -> bool:
    try:
        run_git(place, ["show-ref", "--verify", "--quiet", ref])
    except RepositoryError:
        return False
    return True


def _parse(place: Place, name: str) -> str | None:
    if not name or name.startswith("-") or "\0" in name:
        return None
    words = ["rev-parse", "--quiet", "--verify", "--end-of-options", f"{name}^{{commit}}"]
    try:
        return run_git(place, words).decode("ascii").split()[-1]
    except RepositoryError:
        run_git(place, ["rev-parse", "--git-dir"])  # a broken repository is another error
        return None


def _kind(place: Place, clone: Clone, ref: str, commit: str) -> tuple[str, str]:
    """Return what kind of name a ref is, and why it may have been moved here."""
    for prefix, kind in _KINDS:
        if ref.startswith(prefix):
            short = ref.removeprefix(prefix)
            if prefix == "refs/remotes/":
                return f"{kind} {short}", _moved(place, clone, ref, commit)
            if prefix == "refs/heads/" and _is_upstream(place, clone, short, commit):
                return f"{kind} {short}, as fetched", ""
            return f"{kind} {short}", f"a {kind} can be moved by anything that works in this clone"
    return f"name {ref}", "the name can be moved by anything that works in this clone"


def _is_upstream(place: Place, clone: Clone, branch: str, commit: str) -> bool:
    """Return whether a local branch is where its upstream was when last fetched."""
    try:
        words = [
            "rev-parse",
            "--symbolic-full-name",
            "--verify",
            "--quiet",
            f"{branch}@{{upstream}}",
        ]
        upstream = display(run_git(place, words)).strip()
    except RepositoryError:
        return False
    return (
        upstream.startswith("refs/remotes/")
        and _parse(place, upstream) == commit
        and not _moved(place, clone, upstream, commit)
    )


def _moved(place: Place, clone: Clone, ref: str, commit: str) -> str:
    """Return why a remote-tracking name may not be what was fetched, or nothing.

    git notes in a reflog what it fetches; a clone notes nothing and packs the
    name. Anything else has moved it since. Who forges the notes too goes unseen.
    """
    common = clone.common_dir or ""
    remote = ref.removeprefix("refs/remotes/").partition("/")[0]
    if remote not in _remotes(place):
        return f"there is no remote {remote!r} that it could have been fetched from"
    if ref.endswith("/HEAD"):
        ref = (
            display(run_git(place, ["symbolic-ref", ref])).strip() if _is_link(place, ref) else ref
        )
    try:
        with open(os.path.join(common, "logs", ref), encoding="utf-8", errors="replace") as file:
            last = (file.read().splitlines() or [""])[-1]
    except OSError:
        packed = not os.path.lexists(os.path.join(common, ref))
        return "" if packed or _was_fetched(common, commit) else "no fetch has written it"
    entry, _, why = last.partition("\t")
    if entry.split(" ")[1:2] != [commit] or not why.startswith(_FETCHES):
        return "it was moved after the last fetch"
    return ""


_FETCHES = ("fetch", "pull", "clone", "update by push", "remote set-head")


def _is_link(place: Place, ref: str) -> bool:
    try:
        run_git(place, ["symbolic-ref", "--quiet", ref])
    except RepositoryError:
        return False
    return True


def _was_fetched(common_dir: str, commit: str) -> bool:
    try:
        with open(os.path.join(common_dir, "FETCH_HEAD"), encoding="utf-8", errors="replace") as f:
            return any(line.startswith(commit) for line in f)
    except OSError:
        return False


def _merge_base(place: Place, clone: Clone, name: str, commit: str) -> str:
    head = _parse(place, "HEAD")
    if head is None:
        raise RepositoryError("no commit has been made here; --base needs one to compare with")
    try:
        return run_git(place, ["merge-base", commit, head]).decode("ascii").split()[0]
    except RepositoryError:
        if _is_shallow(clone):
            raise RepositoryError(
                f"--base {name}: this clone is shallow and lacks the commits between; "
                f"fetch them: {_fetch(place, clone, name)}"
            ) from None
        raise RepositoryError(
            f"--base {name} shares no history with HEAD; give the branch that the patch goes to"
        ) from None


def _commit(place: Place, commit: str) -> tuple[str, str]:
    """Return a commit's tree and the committer's date."""
    _, data = read_object(place, commit)
    head = data.partition(b"\n\n")[0]
    tree = re.search(rb"^tree ([0-9a-f]+)$", head, re.MULTILINE)
    when = re.search(rb"^committer .* (\d+) [+-]\d+$", head, re.MULTILINE)
    assert tree is not None  # noqa: S101 - git has read the commit already
    seconds = min(int(when[1]), _LATEST) if when else 0
    moment = datetime.fromtimestamp(seconds, UTC)
    return tree[1].decode("ascii"), moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


_LATEST = 253402300799
"""The last second of the year 9999."""


def _fetch(place: Place, clone: Clone, name: str) -> str:
    """Return the command that brings what `name` stands for."""
    remote = _remote(place)
    deeper = " --unshallow" if _is_shallow(clone) else ""
    if remote is None:
        return f"git remote add origin URL && git fetch{deeper} origin"
    if _FULL_ID.match(name):
        return f"git fetch{deeper} {shlex.quote(remote)} {name}"
    branch = re.split(r"[~^@:]", name)[0].removeprefix("refs/heads/").removeprefix("refs/remotes/")
    branch = branch.removeprefix(f"{remote}/")
    if not branch or branch == "HEAD" or _PART_OF_ID.match(branch):
        return f"git fetch{deeper} {shlex.quote(remote)}"
    refs = f"+refs/heads/{branch}:refs/remotes/{remote}/{branch}"
    return f"git fetch{deeper} {shlex.quote(remote)} {shlex.quote(refs)}"


def _remotes(place: Place) -> list[str]:
    return display(run_git(place, ["remote"])).split()


def _remote(place: Place) -> str | None:
    remotes = _remotes(place)
    return "origin" if "origin" in remotes else next(iter(remotes), None)


def _is_shallow(clone: Clone) -> bool:
    return os.path.exists(os.path.join(clone.common_dir or "", "shallow"))
