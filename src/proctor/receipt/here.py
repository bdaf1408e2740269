"""The clone in which a receipt is read: its tree, its log, its configuration.

Each fact is gathered when it is first asked for, once.
"""

import functools
import os
from collections.abc import Mapping
from datetime import datetime

from proctor.config import Config
from proctor.errors import RepositoryError
from proctor.receipt.fields import Receipt
from proctor.records.place import Clone, chosen_log, find_clone, log_path
from proctor.repo.history import FileChange, changed_files
from proctor.repo.rebuild import Told, made_here
from proctor.repo.snapshot import current


class Here:
    """The clone that holds `folder`; `config` is the one that counts.

    Raises:
        RecorderError: no state folder can be found.
    """

    def __init__(
        self,
        folder: str,
        environ: "os._Environ[str] | dict[str, str]",
        now: datetime,
        config: Config,
        log: str | None = None,
    ) -> None:
        self.clone: Clone = find_clone(folder)
        self.now = now
        self.config = config
        self.state_folder = os.path.dirname(log_path(self.clone, environ))
        self.log = chosen_log(log, config.log.path, self.clone, environ)
        self._rebuilt: dict[str, bool] = {}

    @property
    def root(self) -> str:
        """The folder of the working tree."""
        return self.clone.root

    @functools.cached_property
    def facts(self) -> Mapping[str, object]:
        """What a snapshot says of the working tree now; empty outside git."""
        return current(self.root, self.state_folder) or {}

    @property
    def tree(self) -> str | None:
        """The id of the working tree's content."""
        found = self.facts.get("tree")
        return found if isinstance(found, str) else None

    @property
    def head(self) -> str | None:
        """The commit that is checked out."""
        found = self.facts.get("head")
        return found if isinstance(found, str) else None

    @property
    def objects(self) -> str | None:
        """The folder with the objects of snapshots."""
        found = self.facts.get("objects")
        return found if isinstance(found, str) else None

    @functools.cached_property
    def untracked(self) -> frozenset[str]:
        """Files now present that the commit lacks."""
        if self.head is None or self.tree is None:
            return frozenset()
        changes = self.differences(self.head, self.tree) or []
        return frozenset(path for path, before, _ in changes if before is None)

    def differences(self, before: str, after: str) -> list[FileChange] | None:
        """Return what differs between two trees; none where one cannot be read."""
        try:
            return changed_files(self.objects, self.root, before, after)
        except RepositoryError:
            return None

    def has_tree_of(self, receipt: Receipt) -> bool:
        """Return whether the tree of a receipt can be read here, or made of what is here."""
        wanted = receipt.git_tree
        if wanted is None or self.tree is None:
            return False
        if wanted not in self._rebuilt:
            self._rebuilt[wanted] = self._finds(wanted, receipt)
        return self._rebuilt[wanted]

    def _finds(self, wanted: str, receipt: Receipt) -> bool:
        told = Told(wanted, receipt.git_head, receipt.untracked, receipt.untracked_count)
        try:
            return made_here(self.clone, self.state_folder, self.objects, told, [self.tree or ""])
        except RepositoryError:
            return False
