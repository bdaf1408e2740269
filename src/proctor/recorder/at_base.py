"""Runs a command on the files of the base revision, checked out for the time.

The checkout is a working tree of the same clone, so what is recorded goes to the
same log, with the base's tree. It is not registered in the clone: nothing below
`.git` is written. Hooks and filters do not run. Steps: 1. resolve the revision and
take the commit where the patch began, 2. make the folders, 3. check out, 4. run,
5. remove all of it. Where Proctor is killed the folder stays, in the folder for
temporary files.

What git does not have is not there: `node_modules`, an ignored `.venv`. A program
named by a relative path is taken from the user's own working tree.
"""

import os
import shutil
import tempfile
from collections.abc import Callable

from proctor.errors import RecorderError, RepositoryError
from proctor.recorder.options import Options
from proctor.records.place import Clone, chosen_log, find_clone
from proctor.repo.clone import place_of, read_config
from proctor.repo.git import run_git
from proctor.repo.main_branch import default_base
from proctor.repo.revision import Revision, resolve_base
from proctor.repo.store import Store
from proctor.settings import light_settings


def at_base(options: Options, start: Callable[[Options], int], warn: Callable[[str], None]) -> int:
    """Return what `start` does, called in the folder that stands for the current one.

    Raises:
        RecorderError: the base cannot be told or checked out; nothing was started.
    """
    here = os.getcwd()
    clone = find_clone(here)
    if clone.common_dir is None or place_of(clone) is None:
        raise RecorderError("run: --at-base needs a git repository with a working tree")
    configured = light_settings(clone, dict(os.environ)).log
    options.log = chosen_log(options.log, configured, clone, os.environ)
    folder = tempfile.mkdtemp(prefix="proctor-base-")
    try:
        base = _base(clone, options.at_base or "")
        tree = _check_out(clone, base, folder)
        warn(f"running at {base.merge_base[:12]}, where the patch began ({base.name}: {base.how})")
        where = os.path.normpath(
            os.path.join(tree, os.path.relpath(os.path.realpath(here), clone.root))
        )
        options.argv = [program_from(options.argv[0], where, here), *options.argv[1:]]
        _move(where)
        return start(options)
    except RepositoryError as error:
        raise RecorderError(f"run: --at-base: {error}") from None
    finally:
        os.chdir(here)
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.exists(folder):
            warn(f"{folder}: could not be removed")


def _base(clone: Clone, name: str) -> Revision:
    return resolve_base(clone.root, name) if name else default_base(clone.root)


def _check_out(clone: Clone, base: Revision, folder: str) -> str:
    """Return the folder that holds the files of the commit where the patch began."""
    assert clone.common_dir is not None  # noqa: S101 - asked by the caller
    git_dir = os.path.join(folder, "git")
    tree = os.path.join(folder, "tree", os.path.basename(clone.root) or "root")
    os.makedirs(git_dir)
    os.makedirs(tree)
    _write(os.path.join(git_dir, "HEAD"), base.merge_base)
    _write(os.path.join(git_dir, "commondir"), clone.common_dir)
    _write(os.path.join(git_dir, "gitdir"), os.path.join(tree, ".git"))
    # NOTE: git takes a folder for its own only if it has these two.
    for name in ("objects", "refs"):
        os.makedirs(os.path.join(git_dir, name))
    _write(os.path.join(tree, ".git"), f"gitdir: {git_dir}")
    made = Clone(tree, git_dir, clone.common_dir)
    place = place_of(made)
    assert place is not None  # noqa: S101 - it has just been made
    store = Store(made, os.path.join(folder, "store"), read_config(place))
    checkout = store.place_with(os.path.join(git_dir, "index"))
    run_git(checkout, ["read-tree", "--reset", "-u", base.merge_base])
    return tree


def program_from(name: str, where: str, here: str) -> str:
    """Return the program to start in `where`.

    Of a relative path it is the one that exists there, else the user's own in `here`.
    """
    if os.path.isabs(name) or "/" not in name or os.path.exists(os.path.join(where, name)):
        return name
    own = os.path.join(here, name)
    return own if os.path.exists(own) else name


def _move(where: str) -> None:
    try:
        os.chdir(where)
    except OSError:
        raise RecorderError(
            "run: --at-base: the base has no such folder; start it from the repository's root"
        ) from None
    os.environ["PWD"] = where  # shells and programs believe it


def _write(path: str, line: str) -> None:
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(line + "\n")
