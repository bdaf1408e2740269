"""The two sides of a check, and the rules that it goes by.

With a base revision the old side is the commit where the patch began, the new one the
working tree as it is; configuration, policy and lock are the base's. With two given
commands or folders they are the working tree's own.
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

from proctor import config
from proctor.config import Config, OracleTable
from proctor.errors import OracleError, RepositoryError
from proctor.oracle.builds import Made, Workshop, given
from proctor.oracle.corpus import drifted
from proctor.oracle.difference import today_utc
from proctor.oracle.lock import Lock, parse_lock
from proctor.oracle.policy import Policy, parse_policy, read_policy
from proctor.oracle.result import Build
from proctor.oracle.texts import regions
from proctor.records.place import Clone, log_path
from proctor.repo.export import export_tree
from proctor.repo.history import changed_files, object_place
from proctor.repo.objects import read_blobs, read_path
from proctor.repo.revision import Revision, resolve_base
from proctor.repo.snapshot import current

MOST_LINES = 20_000
"""Changed lines of a patch in which causes are looked for."""
_DEPENDENCIES = (
    "requirements", "uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "pylock", "package.json",
    "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "go.mod", "go.sum",
    "Cargo.toml", "Cargo.lock", "Gemfile.lock", "composer.lock", "constraints",
)  # fmt: skip


class Line(NamedTuple):
    """A line that the patch changes."""

    path: str
    number: int
    added: bool
    text: str


class Rules(NamedTuple):
    """What a check goes by."""

    table: OracleTable
    policy: Policy | None
    where: str
    """`file`, or the commit that it was read at."""
    lock: Lock | None
    base_corpus: bytes | None
    """The corpus of the base; none where there is no base, or it has none."""
    problems: tuple[str, ...] = ()


class Sides(NamedTuple):
    """Both builds, made."""

    old: Made
    new: Made
    old_build: Build
    new_build: Build
    patch: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    dependencies: tuple[str, ...] = ()


class Repository:
    """A clone with a base revision: where both sides and the rules come from.

    Raises:
        RepositoryError: the base names no commit here, or git gives no answer.
    """

    def __init__(
        self, clone: Clone, base: str, environ: "os._Environ[str] | dict[str, str]"
    ) -> None:
        self.clone = clone
        self.base: Revision = resolve_base(clone.root, base)
        self.state = os.path.dirname(log_path(clone, environ))
        taken = current(clone.root, self.state)
        tree = taken.get("tree") if taken is not None else None
        if not isinstance(tree, str):
            raise RepositoryError(f"{clone.root}: the working tree cannot be identified")
        self.tree = tree
        objects = taken.get("objects") if taken is not None else None
        self.objects = objects if isinstance(objects, str) else None
        self._place = object_place(clone.root, self.objects)

    def at_base(self, path: str) -> bytes | None:
        """Return the content of a file at the base."""
        return read_path(self._place, self.base.tree, path)

    def rules(self, here: OracleTable) -> Rules:
        """Return the rules as the base has them.

        Raises:
            OracleError, ConfigError: those cannot be understood.
        """
        name, problems = self.base.name, []
        found: Config = config.load_from(
            self.at_base(config.FILE), self.at_base("pyproject.toml"), f"{name}:"
        )
        table = found.oracle
        if table == OracleTable() and here != OracleTable():
            table = here
            problems.append(f"{name} has no [oracle] settings: those of the patch were used")
        policy = self.at_base(table.policy)
        lock = self.at_base(table.lock)
        corpus = self.at_base(table.corpus)
        if table != here:
            problems.append(f"[oracle] differs from {name}: its settings count, not the patch's")
        if policy is not None and policy != _content(os.path.join(self.clone.root, table.policy)):
            problems.append(
                f"{table.policy} differs from {name}: its entries count, not the patch's"
            )
        if corpus is None:
            problems.append(f"{name} has no {table.corpus}: that of the patch was used, unreviewed")
        return Rules(
            table=table,
            policy=None
            if policy is None
            else parse_policy(policy, f"{name}:{table.policy}", today_utc()),
            where=self.base.commit,
            lock=None if lock is None else parse_lock(lock, f"{name}:{table.lock}"),
            base_corpus=corpus,
            problems=tuple(problems),
        )

    def sides(self, table: OracleTable, workshop: Workshop) -> Sides:
        """Return both builds.

        Raises:
            OracleError: a build fails.
        """
        made = []
        for tree in (self.base.merge_tree, self.tree):
            folder = workshop.folder()
            export_tree(self.clone, tree, folder, self.state)
            made.append(workshop.make(table, folder))
        files = changed_files(self.objects, self.clone.root, self.base.merge_tree, self.tree)
        lines = tuple(self._lines(files))
        return Sides(
            old=made[0],
            new=made[1],
            old_build=Build(
                name=self.base.name,
                sha256=made[0].sha256,
                tree=self.base.merge_tree,
                commit=self.base.merge_base,
            ),
            new_build=Build(name="working tree", sha256=made[1].sha256, tree=self.tree),
            patch=tuple(sorted({path for path, _, _ in files})),
            lines=lines,
            dependencies=tuple(_dependencies(lines)),
        )

    def _lines(self, files: list[tuple[str, str | None, str | None]]) -> Iterator[Line]:
        """Yield the lines that the patch removes and adds, up to a limit."""
        blobs = {blob for _, old, new in files for blob in (old, new) if blob is not None}
        texts = read_blobs(self._place, sorted(blobs))
        left = MOST_LINES
        for path, old, new in files:
            before, after = (_text_lines(texts.get(blob or "")) for blob in (old, new))
            for one in regions(before, after):
                for number in range(one.old_start, one.old_end):
                    yield Line(path, number + 1, added=False, text=before[number])
                for number in range(one.new_start, one.new_end):
                    yield Line(path, number + 1, added=True, text=after[number])
                left -= one.old_end - one.old_start + one.new_end - one.new_start
                if left <= 0:
                    return


def _text_lines(data: bytes | None) -> list[str]:
    if not data or b"\0" in data[:8000]:
        return []
    return data.decode("utf-8", "replace").split("\n")


def _dependencies(lines: tuple[Line, ...]) -> Iterator[str]:
    """Yield what changed in files that name dependencies, in words."""
    for path in dict.fromkeys(line.path for line in lines):
        name = os.path.basename(path)
        if not name.startswith(_DEPENDENCIES):
            continue
        here = [line for line in lines if line.path == path and line.text.strip()]
        shown = "; ".join(f"{'+' if line.added else '-'}{line.text.strip()}" for line in here[:4])
        yield f"{path}: {shown}" + (" …" if len(here) > 4 else "")


def own_rules(root: str, table: OracleTable, policy: str | None) -> Rules:
    """Return the rules as the working tree has them; `policy` is a file that was named.

    Raises:
        OracleError: they cannot be read.
    """
    found = os.path.join(root, table.policy)
    lock = _content(os.path.join(root, table.lock))
    if policy is not None or os.path.lexists(found):
        chosen = read_policy(policy or found, today_utc())
    else:
        chosen = None
    return Rules(
        table=table,
        policy=chosen,
        where="file",
        lock=None if lock is None else parse_lock(lock, table.lock),
        base_corpus=None,
    )


def given_sides(old: str, new: str, table: OracleTable) -> Sides:
    """Return two builds that are already there.

    Raises:
        OracleError: one names no program.
    """
    a, b = given(old, table), given(new, table)
    return Sides(
        old=a,
        new=b,
        old_build=Build(name=old, sha256=a.sha256),
        new_build=Build(name=new, sha256=b.sha256),
    )


def corpus_drift(rules: Rules, path: str, sha256: str) -> tuple[str, ...]:
    """Return what the corpus lacks of the one that was reviewed, in words."""
    if rules.base_corpus is not None:
        gone = drifted(rules.base_corpus, path)
        said = [f"the seed {name!r} of the base is gone or changed" for name in gone[:20]]
        return (*said, *([f"and {len(gone) - 20} more"] if len(gone) > 20 else []))
    if rules.where == "file" and rules.lock is not None and rules.lock.corpus_sha256 != sha256:
        return (f"{path} is not what {rules.table.lock} pins; look, then `proctor oracle pin`",)
    return ()


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise OracleError(f"{path}: cannot be read: {error.strerror}") from None
