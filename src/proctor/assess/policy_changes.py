"""What the patch does to the policy: `proctor.toml` by its effect, other files by content."""

import os
from collections.abc import Iterator, Sequence

from proctor import config
from proctor.assess.effective import differences
from proctor.assess.policy_files import changed_policy_files, policy_kind
from proctor.assess.trusted import config_in
from proctor.config import Config
from proctor.errors import ConfigError
from proctor.gate.evidence import Base, Change, PolicyChange
from proctor.repo.files import Files


def policy_changes(root: str, base: Base, changes: Sequence[Change]) -> tuple[PolicyChange, ...]:
    """Return each change of the policy between the merge base and the working tree.

    `proctor.toml` is read as it lies in `root`, so that no ignore rule hides it.

    Raises:
        RepositoryError: an object of the merge base is missing or not what its id says.
    """
    return (
        *_settings(root, base, changes),
        *changed_policy_files(changes),
        *_oracle_files(root, base, changes),
    )


def _oracle_files(root: str, base: Base, changes: Sequence[Change]) -> Iterator[PolicyChange]:
    """Yield the oracle's own files that the patch changes, where settings place them elsewhere."""
    try:
        table = config_in(Files(root, base.merge_tree), "").oracle
    except ConfigError:
        return
    for change in changes:
        for path in {table.policy, table.lock} & set(change.paths):
            if policy_kind(path) is None:
                yield PolicyChange(path=path, what="the oracle's policy was changed")


def _settings(root: str, base: Base, changes: Sequence[Change]) -> Iterator[PolicyChange]:
    try:
        old = config_in(Files(root, base.merge_tree), f"{base.merge_base}:")
    except ConfigError:
        old = Config()  # nothing was asked where nothing could be read
    try:
        new = config.load(root)
    except ConfigError as error:
        said = str(error).removeprefix(root.rstrip("/") + "/")
        yield PolicyChange(path=_file(root, changes), what=f"cannot be read now: {said}")
        return
    for what, tightens in differences(old, new):
        yield PolicyChange(path=_file(root, changes), what=what, tightens=tightens)


def _file(root: str, changes: Sequence[Change]) -> str:
    """Return the name of the file that a difference of settings comes from."""
    touched = {path for change in changes for path in change.paths}
    for name in (config.FILE, "pyproject.toml"):
        if name in touched and (name == config.FILE or not _exists(root)):
            return name
    return config.FILE


def _exists(root: str) -> bool:
    return os.path.lexists(os.path.join(root, config.FILE))
