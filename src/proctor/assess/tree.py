"""The working tree now, and how it differs from the trees that runs saw."""

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from proctor.errors import RepositoryError
from proctor.gate.evidence import Difference, Known, Run, TreeFacts
from proctor.records.span import Git
from proctor.repo.history import FileChange, changed_files, changes_between, tree_files
from proctor.repo.snapshot import current
from proctor.requirements import patterns

MOST_TREES = 2000
"""Trees that are compared, the newest first; a run on an older one is unknown."""
_Pair = tuple[str, str]
PROJECT_FILES = frozenset(
    (
        "Cargo.toml",
        "build.gradle",
        "build.gradle.kts",
        "composer.json",
        "deno.json",
        "go.mod",
        "package.json",
        "pom.xml",
        "pyproject.toml",
        "pytest.ini",
        "setup.cfg",
        "setup.py",
        "tox.ini",
    )
)
"""Files that mark the folder of a project of its own."""


class WorkingTree:
    """The working tree of a repository, identified once.

    `state_folder` holds the objects of the trees that runs saw, where it may be
    written to. `told` says what runs elsewhere changed, whose objects are not here.
    """

    def __init__(
        self,
        root: str,
        state_folder: str,
        told: Mapping[_Pair, Sequence[FileChange]] = MappingProxyType({}),
    ) -> None:
        facts = current(root, state_folder)
        self._told = told
        self._facts = facts
        self._root = root
        self.objects = str(facts["objects"]) if facts and facts["objects"] else None
        self.tree = str(facts["tree"]) if facts and facts["tree"] else None
        self.files: tuple[str, ...] = ()
        if self.tree is not None:
            self.files = tuple(path for path, _ in self._listed(self.tree))

    def facts(self, runs: Iterable[Run]) -> TreeFacts | None:
        """Return the facts that the gate compares runs with; none outside git."""
        facts = self._facts
        if facts is None or self.tree is None:
            return None
        gits = _newest(runs)
        head = str(facts["head"]) if facts["head"] else None
        commit = self._uncommitted(head, self.tree) if head else None
        if commit is None:
            commit = tuple(Difference(path=path, before=None, after="") for path in self.files)
        repository = facts["repository"]
        assert isinstance(repository, list)  # noqa: S101 - as `repo.snapshot` writes it
        first, clone = repository
        return TreeFacts(
            root=str(facts["root"]),
            repository=(first, str(clone)),
            head=head,
            tree=self.tree,
            untracked=frozenset(change.path for change in commit if change.before is None),
            changed=tuple(change.path for change in commit),
            since=self._since(gits),
            during=self._during(gits),
        )

    def projects(self) -> frozenset[str]:
        """Return the folders that hold a project file; '' is the root."""
        return frozenset(
            os.path.dirname(path) for path in self.files if os.path.basename(path) in PROJECT_FILES
        )

    def links(self) -> dict[str, str]:
        """Return the links to folders within the tree, and what they lead to."""
        found = {}
        for path in self.files:
            place = os.path.join(self._root, path)
            # NOTE: a look at every file would cost a large tree too much.
            if not os.path.splitext(path)[1] and os.path.islink(place) and os.path.isdir(place):
                target = os.path.relpath(os.path.realpath(place), os.path.realpath(self._root))
                if not target.startswith(".."):
                    found[path] = target
        return found

    def known(
        self, test_files: dict[str, tuple[str, ...]], runs: Iterable[Run]
    ) -> dict[str, Known]:
        """Return what is known of the tests of each command class.

        `test_files` are gitignore patterns of the files each class takes tests
        from.
        """
        counts: dict[str, int] = {}
        for run in runs:
            for seen in run.seen:
                if seen.what is not None and seen.span.report is not None:
                    name = seen.what.command_class
                    counts[name] = max(counts.get(name, 0), seen.span.report.executed)
        return {
            name: Known(
                files=tuple(patterns(lines).match_files(self.files)), tests=counts.get(name)
            )
            for name, lines in test_files.items()
        }

    def _since(self, gits: list[Git]) -> dict[str, tuple[Difference, ...]]:
        now = self.tree or ""
        pairs: dict[_Pair, str | None] = {}
        for git in gits:
            if git.tree is not None:
                pairs.setdefault((git.tree, now), git.objects)
        return {before: changes for (before, _), changes in self._compared(pairs).items()}

    def _during(self, gits: list[Git]) -> dict[_Pair, tuple[Difference, ...]]:
        pairs: dict[_Pair, str | None] = {}
        for git in gits:
            if git.tree is not None and git.tree_after not in (None, git.tree):
                pairs.setdefault((git.tree, str(git.tree_after)), git.objects)
        told = {pair: _as_changes(self._told[pair]) for pair in pairs if pair in self._told}
        return told | self._compared(pairs)

    def _compared(self, pairs: dict[_Pair, str | None]) -> dict[_Pair, tuple[Difference, ...]]:
        """Return what differs between the first `MOST_TREES` of these pairs of trees.

        `pairs` names the folder that holds their objects; those that are not there
        are looked for among our own. A pair of which one is missing is left out.
        """
        left = dict(islice(pairs.items(), MOST_TREES))
        found: dict[_Pair, tuple[Difference, ...]] = {}
        for folder in (*dict.fromkeys(filter(None, left.values())), None):
            asked = [
                pair
                for pair, own in left.items()
                if pair not in found and (folder is None or folder == own)
            ]
            answers = changes_between(folder or self.objects, self._root, asked)
            found |= {pair: _as_changes(answer) for pair, answer in answers.items()}
        return found

    def _uncommitted(self, head: str, tree: str) -> tuple[Difference, ...] | None:
        """Return what differs between a commit and a tree; none where one is not here."""
        try:
            return _as_changes(changed_files(self.objects, self._root, head, tree))
        except RepositoryError:
            return None

    def _listed(self, tree: str) -> list[tuple[str, str]]:
        try:
            return tree_files(self.objects, self._root, tree)
        except RepositoryError:
            return []


def _as_changes(found: Iterable[FileChange]) -> tuple[Difference, ...]:
    return tuple(Difference(path=path, before=old, after=new) for path, old, new in found)


def state_of(runs: Iterable[Run], default: str) -> str:
    """Return the folder that holds the objects of what runs saw, if it may be used."""
    for git in _newest(runs):
        folder = os.path.dirname(git.objects or "")
        if folder and os.access(folder, os.W_OK):
            return folder
    return default


def _newest(runs: Iterable[Run]) -> list[Git]:
    spans = [seen.span for run in runs for seen in run.seen if seen.span.git is not None]
    spans.sort(key=lambda span: span.started_at, reverse=True)
    return [span.git for span in spans if span.git is not None]
