"""Reads everything that a judgement needs, and asks for it.

Steps: 1. the base revision, 2. the configuration, from there if one is given, 3. the
logs, in one pass, 4. the pending markers, 5. the working tree, 6. what the patch
changes, 7. reports by test id, 8. the judgement.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from proctor import _family
from proctor._digest import sha256_hex
from proctor._whole import plain
from proctor.assess.bundled import Bundled, junit_written, make_trees, other_job_in
from proctor.assess.captured import read_captured
from proctor.assess.changes import base_of, changes_of, diff_of, with_uncommitted
from proctor.assess.choose import Choice, Offending
from proctor.assess.families import collected_files, harness_files
from proctor.assess.helpers import without_helpers
from proctor.assess.idle import idle_files
from proctor.assess.inputs import digests_of, inputs_of, sha256_of
from proctor.assess.joining import Joining
from proctor.assess.logs import Horizon, read_bundled, read_own
from proctor.assess.oracle_reports import Judged
from proctor.assess.policy import policy_of
from proctor.assess.policy_changes import policy_changes
from proctor.assess.quarantined import read_quarantine
from proctor.assess.reading import ArgvReader
from proctor.assess.receipts import read_receipts
from proctor.assess.reference import case_with_tests
from proctor.assess.since import horizon, runs_of_patch
from proctor.assess.tree import WorkingTree, state_of
from proctor.assess.trusted import approvals_of, config_in
from proctor.classify.base import Runner
from proctor.config import FILE, Config, find, load
from proctor.errors import ConfigError, RepositoryError
from proctor.findings import Verdict
from proctor.gate.base import rule_names
from proctor.gate.beside import Captured
from proctor.gate.case import Case
from proctor.gate.evidence import Base, Evidence, LogFacts, Pending, Policy
from proctor.gate.judge import judge
from proctor.host import boot_id, facts
from proctor.receipt import check as receipt_check
from proctor.receipt.changes import read_changes
from proctor.recorder.image import is_shell_line
from proctor.records.place import Clone, chosen_log, find_clone, log_path
from proctor.records.starts import Pending as Marker
from proctor.records.starts import read_pending
from proctor.repo.files import Files


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be judged."""

    folder: str
    """A folder of the repository."""
    environ: "os._Environ[str] | dict[str, str]"
    now: datetime
    logs: tuple[str, ...] = ()
    """Span logs; none: the repository's own, which may be missing."""
    bundle: Bundled | None = None
    """An open bundle with another job's records, which are judged in place of own ones."""
    every: bool = False
    base: str | None = None
    """The revision that the patch is compared with."""
    evidence: tuple[str, ...] = ()
    """Evidence folders that are to be held against the records."""
    receipts: tuple[str, ...] = ()
    """Receipts that are to be checked; those that a trusted key signed are evidence."""
    oracle: tuple[str, ...] = ()
    """Reports of the oracle."""
    quarantine: str | None = None
    """The quarantine that may explain failures, relative to the root."""
    transcripts: tuple[str, ...] = ()
    """Agents' transcripts, whose tool calls are joined to what was recorded."""


def assess(question: Question) -> Verdict:
    """Return the verdict on the working tree that holds `question.folder`.

    Raises:
        ConfigError: the configuration cannot be understood.
        RepositoryError: the base revision cannot be had here.
        LogError: a log that was named cannot be read.
        TranscriptError: a transcript cannot be read, or is in no known format.
        RecorderError: no state folder can be found.
    """
    evidence, policy, case = _gather(question)
    return judge(evidence, policy, case=case)


def gather(question: Question) -> tuple[Evidence, Policy]:
    """Return everything that the gate looks at, as plain values; raises as `assess`."""
    evidence, policy, _ = _gather(question)
    return evidence, policy


class _Scene(NamedTuple):
    """What a judgement is made in: the clone, and the settings that hold there."""

    question: Question
    clone: Clone
    base: Base | None
    config: Config
    source: dict[str, str]
    """The digests of the files of the settings, by name."""
    reader: ArgvReader
    policy: Policy


def _gather(question: Question) -> tuple[Evidence, Policy, Case | None]:
    """Return the evidence, the policy and the case they make; none under `--every`."""
    clone = find_clone(question.folder)
    base = base_of(clone.root, question.base) if question.base is not None else None
    config, source = _config(clone, base)
    reader = ArgvReader(config)
    policy = policy_of(config, reader, every=question.every)
    if base is not None:
        policy = _with_environment(policy, question)
    scene = _Scene(question, clone, base, config, source, reader, policy)
    evidence = _recorded(scene)
    if question.every:
        return evidence, policy, None
    case = _beside_the_tree(scene, evidence)
    return case.evidence, policy, case


def _recorded(scene: _Scene) -> Evidence:
    """Return what the logs hold, and what stands beside them."""
    question, clone, reader = scene.question, scene.clone, scene.reader
    # NOTE: the files of another job are not here; what its runs wrote there is known later.
    here = _required(scene) if question.bundle is None else ()
    junit = {name: sha256_of(os.path.join(clone.root, name)) for name in here}
    paths = _log_paths(question, scene.config, clone)
    captured = _captured(question, clone, paths)
    choice: Choice | Offending
    if question.every:
        choice = Offending(reader, scene.policy.floors)
    else:
        digests = frozenset(filter(None, junit.values()))
        digests |= {d for one in captured for run in one.runs for d in run.junit.values()}
        choice = Choice(reader, horizon(question.now, scene.base), digests)
    logs = _logs(question, paths, clone, choice, scene.base)
    return Evidence(
        logs=tuple(logs),
        runs=choice.runs(),
        root=clone.root,
        base=scene.base,
        junit=junit,
        captured=captured,
        other_job=other_job_in(question.bundle, log_path(clone, question.environ)),
        host=facts(),
        now=question.now.astimezone(UTC).isoformat(),
        boot_id=boot_id() or "",
        inputs=inputs_of(logs, scene.source, scene.base)
        | digests_of("transcript", question.transcripts)
        | digests_of("receipt", question.receipts)
        | digests_of("oracle", question.oracle)
        | digests_of("bundle", [question.bundle.path] if question.bundle is not None else [])
        | {f"evidence {one.folder}": one.digest for one in captured},
        records=sum(log.records for log in logs),
        offending=choice.count if isinstance(choice, Offending) else 0,
        pendings=tuple(
            _pending(marker, reader)
            for log in (logs if question.bundle is None else ())
            for marker in read_pending(log.path)
        ),
    )


def _required(scene: _Scene) -> list[str]:
    return [item.junit for item in scene.config.require if item.junit is not None]


def _beside_the_tree(scene: _Scene, evidence: Evidence) -> Case:
    """Return the case that the records make, laid beside the files as they are now."""
    question, clone, base = scene.question, scene.clone, scene.base
    runs = evidence.runs
    if question.bundle is not None:
        junit = junit_written(_required(scene), evidence)
        evidence = msgspec.structs.replace(evidence, junit=junit)
    if base is not None and not scene.policy.require:
        runs = runs_of_patch(runs, base, clone.root)
    evidence = msgspec.structs.replace(evidence, runs=runs)
    evidence = _with_receipts(evidence, question, scene.reader)
    if question.transcripts:
        joining = Joining(scene.config, clone, scene.reader, horizon(question.now, base))
        evidence = _with_calls(evidence, question, joining)
    state_folder = state_of(evidence.runs, os.path.dirname(log_path(clone, question.environ)))
    told = read_changes(question.bundle.folder) if question.bundle is not None else {}
    tree = WorkingTree(clone.root, state_folder, told)
    if question.bundle is not None:
        make_trees(clone, state_folder, tree.objects, evidence.runs)
    with_tree = _with_tree(evidence, scene.config, tree)
    with_tests = _with_reports(with_tree, question, scene.config, tree)
    return case_with_tests(with_tests, scene.policy, tree.objects)


def _with_receipts(evidence: Evidence, question: Question, reader: ArgvReader) -> Evidence:
    """Add the receipts, and the runs that the signed ones stand for."""
    if not question.receipts:
        return evidence
    receipts, certified = read_receipts(_about_receipts(question), reader)
    runs = (*evidence.runs, *certified)
    return msgspec.structs.replace(evidence, receipts=receipts, runs=runs)


def _with_calls(evidence: Evidence, question: Question, joining: Joining) -> Evidence:
    """Add the tool calls of the transcripts, joined to what the logs hold."""
    own = [log.path for log in evidence.logs if log.exists]
    paths = own if question.bundle is None else [question.bundle.log]
    joined = joining.join(question.transcripts, paths)
    return msgspec.structs.replace(
        evidence, transcripts=joined.transcripts, calls=joined.calls, orphans=joined.orphans
    )


def _with_reports(
    evidence: Evidence, question: Question, config: Config, tree: WorkingTree
) -> Evidence:
    """Add what the oracle's reports and the quarantine say."""
    root, base = evidence.root, evidence.base
    if question.oracle:
        judged = Judged(root, tree.tree, tree.objects, base, config.oracle)
        reports = tuple(judged.facts(path) for path in question.oracle)
        evidence = msgspec.structs.replace(evidence, oracle=reports)
    if question.quarantine is not None:
        path = question.quarantine
        if path.startswith(".."):  # from a folder below the root
            path = os.path.relpath(os.path.join(os.path.realpath(question.folder), path), root)
        held = read_quarantine(path, evidence, config.flakes.days, question.now)
        evidence = msgspec.structs.replace(evidence, quarantine=held)
    return evidence


def _about_receipts(question: Question) -> receipt_check.Question:
    return receipt_check.Question(
        folder=question.folder,
        environ=question.environ,
        now=question.now,
        paths=question.receipts,
        base=question.base,
        log=question.logs[0] if question.logs else None,
    )


def _config(clone: Clone, base: Base | None) -> tuple[Config, dict[str, str]]:
    """Return the configuration that counts, and the digests of its files by name."""
    if base is not None:
        files = Files(clone.root, base.tree)
        config = config_in(files, f"{base.name}:")
        name = FILE if files.read(FILE) is not None else "pyproject.toml"
        data, path = files.read(name), f"{base.name}:{name}"
    else:
        config = load(clone.root)
        path = find(clone.root) or ""
        data = _content(path)
    _check_levels(config, path)
    asked = data is not None and config != Config()
    return config, {f"config {path}": sha256_hex(data)} if data is not None and asked else {}


def _with_environment(policy: Policy, question: Question) -> Policy:
    """Return the policy, what the environment loosens said: it may choose another log."""
    named = [n for n in ("PROCTOR_LOG", "PROCESS_TRACE") if question.environ.get(n)]
    if question.logs or question.bundle or not named:
        return policy
    said = (*policy.loosened, f"the log is chosen by {named[0]}")
    return msgspec.structs.replace(policy, loosened=said)


def _with_tree(evidence: Evidence, config: Config, tree: WorkingTree) -> Evidence:
    classes = {seen.what.command_class for seen in evidence.every_seen() if seen.what is not None}
    evidence = msgspec.structs.replace(
        evidence,
        tree=tree.facts(evidence.runs),
        known=tree.known(_test_files(classes), evidence.runs),
        links=tree.links(),
        projects=tree.projects(),
    )
    evidence = msgspec.structs.replace(evidence, known=without_helpers(evidence))
    evidence = msgspec.structs.replace(evidence, idle=idle_files(evidence))
    if evidence.base is None:
        return with_uncommitted(evidence, tree.objects, classes)
    return _with_patch(evidence, evidence.base, config, tree)


def _with_patch(evidence: Evidence, base: Base, config: Config, tree: WorkingTree) -> Evidence:
    """Add what the patch changes since its base, and what approves it."""
    root = evidence.root
    if tree.tree is None:
        raise RepositoryError(f"{root}: the working tree cannot be identified; see `git status`")
    changes = changes_of(root, tree.objects, base.merge_tree, tree.tree)
    here = Files(root, tree.tree, tree.objects)
    return msgspec.structs.replace(
        evidence,
        changes=changes,
        collects=collected_files() if changes else {},
        harness=harness_files() if changes else {},
        diff=diff_of(changes),
        policy_changes=policy_changes(root, base, changes),
        approvals=approvals_of(base, Files(root, base.tree), here, config),
    )


def _log_paths(question: Question, config: Config, clone: Clone) -> list[str]:
    """Return the logs that are judged; the repository's own may be missing."""
    if question.bundle is not None:
        return [question.bundle.log]
    if question.logs:
        return [os.path.abspath(path) for path in dict.fromkeys(question.logs)]
    return [chosen_log(None, config.log.path, clone, question.environ)]


def _captured(question: Question, clone: Clone, logs: Sequence[str]) -> tuple[Captured, ...]:
    found = [read_captured(path, clone.root, logs) for path in question.evidence]
    bundle = question.bundle
    if bundle is not None and bundle.evidence is not None:
        own = read_captured(bundle.evidence, clone.root, logs)
        found.append(msgspec.structs.replace(own, folder=bundle.named(bundle.evidence)))
    return tuple(found)


def _logs(
    question: Question,
    paths: Sequence[str],
    clone: Clone,
    choice: Choice | Offending,
    base: Base | None,
) -> list[LogFacts]:
    if question.bundle is not None:
        return [read_bundled(question.bundle, choice, clone)]
    times = Horizon(since=horizon(question.now, base), week=horizon(question.now, None))
    return list(read_own(paths, choice, clone.root, times, must_exist=bool(question.logs)))


def _pending(marker: Marker, reader: ArgvReader) -> Pending:
    leaves = [reader.image(leaf.leaf) for leaf in marker.leaves]
    if not marker.leaves and marker.argv:
        if is_shell_line(list(marker.argv)):
            leaves = [run.what for run in reader.line(marker.argv)]
        else:
            leaves = [reader.outermost(marker.argv)]
    return Pending(
        run_id=marker.run_id,
        argv=marker.argv,
        cwd=marker.cwd or "",
        started_at=marker.started_at,
        boot_id=marker.boot_id or "",
        locked=marker.locked,
        leaves=tuple(leaf for leaf in leaves if leaf is not None and leaf.role == "test"),
    )


def _check_levels(config: Config, path: str) -> None:
    known = rule_names()
    for name in config.gate.levels:
        if name not in known:
            import difflib

            near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
            hint = f"; did you mean {near[0]!r}?" if near else "; see `proctor explain`"
            raise ConfigError(f"{path}: [gate] levels: there is no rule {name!r}{hint}")


def _test_files(classes: set[str]) -> dict[str, tuple[str, ...]]:
    """Return the patterns of the files that each of these classes takes tests from."""
    found = {}
    for _, runner in _family.members("proctor.classify.runners", "RUNNER"):
        assert isinstance(runner, Runner)  # noqa: S101 - what the family's files bind
        if runner.command_class in classes and runner.test_files:
            found[runner.command_class] = runner.test_files
    return found


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb", opener=plain) as file:
            return file.read()
    except OSError:
        return None
