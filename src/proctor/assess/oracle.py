"""Runs a check of the oracle: gathers the two sides and the rules, replays, approves."""

import os
import shutil

import msgspec

from proctor.assess.changes import base_of
from proctor.assess.trusted import approvals_of, config_in
from proctor.config import OracleTable, find, load
from proctor.errors import UsageError
from proctor.findings import Outcome
from proctor.oracle.atoms import atoms_of
from proctor.oracle.builds import Workshop, given
from proctor.oracle.check import Progress, Work, check
from proctor.oracle.cluster import say
from proctor.oracle.corpus import Sequence, read_corpus, totals_of
from proctor.oracle.coverage import described
from proctor.oracle.difference import today_utc
from proctor.oracle.engine import Cluster, Engine, Threads
from proctor.oracle.lock import Lock, Varied, fixture_digests, lock_of
from proctor.oracle.masks import Masks
from proctor.oracle.policy import read_policy
from proctor.oracle.replay import Player, Playing
from proctor.oracle.result import Report
from proctor.oracle.sandbox import Box, choose
from proctor.oracle.shrink import Shrinker
from proctor.oracle.sides import Repository, Rules, Sides, given_sides, own_rules
from proctor.oracle.varying import vary as vary_fields
from proctor.records.place import find_clone, is_inside, log_path
from proctor.repo.files import Files
from proctor.repo.snapshot import current


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be checked."""

    folder: str
    environ: "os._Environ[str] | dict[str, str]"
    base: str | None = None
    old: str | None = None
    new: str | None = None
    policy: str | None = None
    corpus: str | None = None
    only: tuple[str, ...] = ()
    jobs: int = 0
    sandbox: str | None = None
    scheduler: str | None = None
    fork_server: bool = False
    holdout: int = 0
    traces: str | None = None


def _say_nothing(what: str, done: int, total: int) -> None:
    del what, done, total


def checked(request: Request, progress: Progress = _say_nothing) -> Report:
    """Return the report on what the new build does differently; `progress` is told the way.

    Raises:
        UsageError: what was asked for does not go together.
        OracleError, ConfigError, RepositoryError: something cannot be read or built.
    """
    root = project_root(request.folder, with_base=request.base is not None)
    table = load(root).oracle
    engine: Engine = (
        Cluster(request.scheduler) if request.scheduler else Threads(request.jobs or table.jobs)
    )
    workshop = Workshop(request.environ)
    try:
        rules, sides = _sides(request, root, table, workshop)
        if request.fork_server and not rules.table.fork_server:
            raise UsageError('--fork-server needs [oracle] fork_server = ["module", …]')
        scratch = os.path.join(workshop.root, "scratch")
        os.mkdir(scratch)
        report = check(
            Work(
                root=root,
                rules=rules,
                sides=sides,
                engine=engine,
                state=os.path.dirname(log_path(find_clone(root), request.environ)),
                scratch=scratch,
                progress=progress,
                sandbox=request.sandbox,
                only=request.only,
                traces=request.traces,
                holdout=request.holdout,
                serve=rules.table.fork_server if request.fork_server else (),
            )
        )
        return report if request.base is None else _approved(report, root, request)
    finally:
        engine.close()
        workshop.close()


def _approved(report: Report, root: str, request: Request) -> Report:
    """Return the report, passed where a counting approval names just these deltas."""
    if report.outcome is not Outcome.FAIL or not report.counts.flagged or report.drift:
        return report
    base = base_of(root, request.base or "")
    trusted, here = Files(root, base.tree), Files(root, base.tree)
    state = os.path.dirname(log_path(find_clone(root), request.environ))
    taken = current(root, state)
    if taken is not None and isinstance(taken.get("tree"), str):
        objects = taken.get("objects")
        here = Files(root, str(taken["tree"]), objects if isinstance(objects, str) else None)
    today = today_utc().isoformat()
    for entry in approvals_of(base, trusted, here, config_in(trusted, f"{base.name}:")):
        if entry.digest == report.delta_set and not entry.doubt and entry.expires >= today:
            said = f"{report.sentence}, approved by {entry.owner} until {entry.expires}"
            return msgspec.structs.replace(
                report, outcome=Outcome.PASS, sentence=f"{said}: {entry.reason}"
            )
    return report


def project_root(folder: str, *, with_base: bool = False) -> str:
    """Return the folder whose configuration counts.

    With a base it is the repository's root; else the nearest one above `folder` with
    a configuration, up to that.
    """
    clone = find_clone(folder)
    here = os.path.realpath(folder)
    while not with_base and is_inside(here, clone.root):
        if find(here) is not None:
            return here
        here = os.path.dirname(here)
    return clone.root


def _sides(
    request: Request, root: str, here: OracleTable, workshop: Workshop
) -> tuple[Rules, Sides]:
    clone = find_clone(request.folder)
    if request.base is not None:
        repository = Repository(clone, request.base, request.environ)
        rules = _with_corpus(repository.rules(here), request)
        if not rules.table.command and not rules.table.build:
            raise UsageError(
                'check --base needs to know the program: [oracle] command = ["./program"] in '
                "proctor.toml"
            )
        return rules, repository.sides(rules.table, workshop)
    rules = _with_corpus(own_rules(root, here, request.policy), request)
    return rules, given_sides(request.old or "", request.new or "", rules.table)


def _with_corpus(rules: Rules, request: Request) -> Rules:
    if request.corpus is None:
        return rules
    path = os.path.abspath(request.corpus)
    table = msgspec.structs.replace(rules.table, corpus=path)
    return rules._replace(table=table, lock=None)


def shrunk(request: Request, step: int | None) -> list[str] | None:
    """Return the shortest form of one sequence that shows its change; none if there is none.

    The lines can be pasted; what differs stands behind them.

    Raises:
        UsageError: the corpus has no such sequence, or it does not differ at that step.
        OracleError, ConfigError, RepositoryError: something cannot be read or built.
    """
    root = project_root(request.folder, with_base=request.base is not None)
    workshop = Workshop(request.environ)
    try:
        rules, sides = _sides(request, root, load(root).oracle, workshop)
        table = rules.table
        (name,) = request.only
        path = os.path.join(root, table.corpus)
        sequence = next((one for one in read_corpus(path) if one.seed == name), None)
        if sequence is None:
            raise UsageError(f"{table.corpus} has no seed {name!r}")
        plain = Playing(
            build=sides.old.build,
            box=choose(request.sandbox or table.sandbox),
            timeout_s=table.timeout_s,
            mode=table.mode,
            fixtures=os.path.join(root, table.fixtures),
            ignore=table.ignore,
        )
        shrinker = Shrinker(
            old=Player(plain, os.path.join(workshop.root, "old-steps")),
            new=Player(
                plain._replace(build=sides.new.build), os.path.join(workshop.root, "new-steps")
            ),
            masks=Masks(table.masks),
            command=table.command,
        )
        try:
            return _shortest(shrinker, sequence, step)
        finally:
            shrinker.close()
    finally:
        workshop.close()


def _shortest(shrinker: Shrinker, sequence: Sequence, step: int | None) -> list[str] | None:
    deltas = shrinker.deltas(sequence)
    if not deltas:
        return None
    wanted = next((one for one in deltas if step in (None, one.step)), None)
    if wanted is None:
        steps = ", ".join(str(one.step) for one in deltas)
        raise UsageError(f"{sequence.seed} does not differ at step {step}; it does at {steps}")
    atoms = frozenset(atoms_of(wanted))
    found = shrinker.shrink(sequence, lambda delta: not atoms.isdisjoint(atoms_of(delta)))
    assert found is not None  # noqa: S101 - it differed a moment ago
    said = [f"# {line}" for delta in found.deltas for field in delta.changed for line in say(field)]
    return [*shrinker.lines(found.sequence), *said]


class Pinned(msgspec.Struct, frozen=True, kw_only=True):
    """A lock, where it belongs, and what its corpus reaches."""

    path: str
    lock: Lock
    described: list[str]


def pinned(
    root: str,
    environ: "os._Environ[str] | dict[str, str]",
    old: str | None,
    sandbox: str | None,
    *,
    vary: bool,
) -> Pinned:
    """Return the lock of the corpus at `root`, with what varies by itself.

    Raises:
        OracleError, ConfigError: corpus, fixtures or policy cannot be read.
    """
    table = load(root).oracle
    Masks(table.masks)
    path = os.path.join(root, table.corpus)
    totals = totals_of(path)
    policy = os.path.join(root, table.policy)
    digest = read_policy(policy, today_utc()).sha256 if os.path.lexists(policy) else None
    fixtures = os.path.join(root, table.fixtures)
    lock = lock_of(table, totals, fixture_digests(fixtures, totals.fixtures), digest)
    if vary and (old is not None or table.command):
        varies = _varying(root, table, environ, old, choose(sandbox or table.sandbox))
        lock = msgspec.structs.replace(lock, varies=tuple(varies))
    return Pinned(path=table.lock, lock=lock, described=described(table, read_corpus(path)))


def _varying(
    root: str,
    table: OracleTable,
    environ: "os._Environ[str] | dict[str, str]",
    old: str | None,
    box: Box,
) -> list[Varied]:
    workshop = Workshop(environ)
    try:
        if old is not None:
            made = given(old, table)
        else:
            folder = workshop.folder()
            shutil.copytree(root, folder, symlinks=True, dirs_exist_ok=True, ignore=_NOT_SOURCES)
            made = workshop.make(table, folder)
        playing = Playing(
            build=made.build,
            box=box,
            timeout_s=table.timeout_s,
            mode=table.mode,
            fixtures=os.path.join(root, table.fixtures),
            ignore=table.ignore,
        )
        sequences = read_corpus(os.path.join(root, table.corpus))
        return vary_fields(playing, sequences, os.path.join(workshop.root, "scratch"))
    finally:
        workshop.close()


_NOT_SOURCES = shutil.ignore_patterns(".git", ".venv", "node_modules", "__pycache__")
