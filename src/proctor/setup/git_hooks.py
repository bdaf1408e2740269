"""The git hooks that `proctor init --hook` writes, and where git looks for them."""

import os

from proctor.errors import ConfigError, RepositoryError
from proctor.records.place import Clone
from proctor.repo.clone import place_of
from proctor.repo.git import run_git, split_nul
from proctor.setup.edits import FileEdit, edit_file

_PRE_PUSH = """\
#!/bin/sh
# Proctor: judges what is pushed by what was recorded on this machine. Written by
# `proctor init --hook pre-push`; `proctor init --undo` takes it back, and
# `git push --no-verify` passes it by: it is advice for who pushes, no gate.
command -v proctor > /dev/null || {
    echo "proctor is not installed: what is pushed was not judged" >&2
    exit 0
}
head=$(git rev-parse HEAD)
judged=
while read -r ref commit _ known; do
    case $commit in *[!0]*) ;; *) continue ;; esac # a branch that is deleted
    if [ "$commit" != "$head" ]; then
        echo "proctor: $ref is not what is checked out: it was not judged" >&2
        continue
    fi
    case $known in *[!0]*) ;; *) known= ;; esac # a branch that is new there
    [ "$judged" != "x$known" ] || continue
    judged=x$known
    proctor gate ${known:+--base "$known"} < /dev/null || exit
done
"""
HOOKS = {"pre-push": _PRE_PUSH}
"""Name of the hook → its file."""


def hook_edit(clone: Clone, name: str) -> FileEdit:
    """Return the edit that adds a hook where this clone's git looks for it.

    Raises:
        ConfigError: there is another hook, or its place is not in this working tree.
    """
    path = _place(clone, name)

    def change(before: str) -> str:
        if before and "proctor" not in before:
            raise ConfigError(
                f"{path}: is there already; add to it by hand: proctor gate < /dev/null || exit"
            )
        return before or HOOKS[name]

    edit = edit_file(clone.root, path, change)
    return FileEdit(path=edit.path, before=edit.before, after=edit.after, executable=True)


def _place(clone: Clone, name: str) -> str:
    """Return a hook's file relative to the root."""
    place = place_of(clone)
    if place is None or clone.common_dir is None:
        raise ConfigError(f"{clone.root}: no git working tree; --hook needs one: git init")
    folder = os.path.join(clone.common_dir, "hooks")
    try:
        # NOTE: the last one is our own, which keeps hooks from running when we ask.
        words = ["config", "-z", "--type=path", "--get-all", "core.hooksPath"]
        own = list(split_nul(run_git(place, words)))[:-1]
    except RepositoryError:
        own = []
    if own:
        folder = os.path.join(clone.root, os.fsdecode(own[-1]))
    return os.path.relpath(os.path.join(folder, name), clone.root)
