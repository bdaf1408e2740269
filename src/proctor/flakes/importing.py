"""From report files, evidence folders and recorded runs to runs of the history."""

import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from proctor._digest import encode, sha256_hex
from proctor._whole import file_sha256
from proctor.capture.compare import read_side
from proctor.capture.manifest import read_manifest
from proctor.errors import EvidenceError, ReportError
from proctor.flakes.history import RunFacts
from proctor.flakes.reports import Attempts, Read, read_attempts
from proctor.records.span import Report, Span
from proctor.results.detect import detect

_TOOLCHAIN = ("python", "node", "go", "rust", "ruby", "php", "java", "dotnet", "platform", "libc")


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller says of the reports; null where the report or folder is asked."""

    tree: str | None = None
    command: str | None = None
    toolchain: str | None = None
    run_id: str | None = None
    started: str | None = None
    format: str | None = None


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """A run that is ready to be added."""

    facts: RunFacts
    tests: tuple[Attempts, ...]
    refused: tuple[str, ...]
    """Ids that several tests share."""


def import_report(path: str, given: Given) -> Imported:
    """Return the run that a report, or an evidence folder, tells of.

    Raises:
        ReportError, EvidenceError: it cannot be read.
    """
    if os.path.isdir(path):
        return _from_folder(path, given)
    name = given.format or detect(path)
    read = read_attempts(path, name)
    moment = given.started or _stamp(min(os.stat(path).st_mtime, time.time()))
    return _run([read], given, moment=moment, source=path, content=[file_sha256(path)])


def import_recorded(spans: Sequence[Span], facts: RunFacts) -> Imported:
    """Return the run that recorded test leaves tell of, their reports read.

    Raises:
        ReportError: no leaf left a report, or one cannot be read.
    """
    reads = [read_leaf(span.report) for span in spans if span.role == "test" and span.report]
    if not reads:
        raise ReportError(
            "no runner wrote a report that tells of single tests; let it write JUnit: "
            "proctor flakes import FILE"
        )
    tests, refused = _joined(reads)
    complete = all(read.complete and not read.suite_errors for read in reads)
    facts = msgspec.structs.replace(facts, complete=complete)
    return Imported(facts=_counted(facts, tests), tests=tests, refused=refused)


def tree_of(spans: Sequence[Span]) -> str | None:
    """Return the tree that all test leaves ran on; none if they differ or it changed."""
    gits = [span.git for span in spans if span.role == "test" and span.git is not None]
    trees = {tree for git in gits for tree in (git.tree, git.tree_after or git.tree)}
    return trees.pop() if len(trees) == 1 else None


def _from_folder(path: str, given: Given) -> Imported:
    manifest = read_manifest(path)
    if manifest is None:
        raise EvidenceError(f"{path}: is no evidence folder; name a report, or such a folder")
    names = [name for command in manifest.commands for name in command.junit]
    if not names:
        raise EvidenceError(f"{path}: holds no JUnit report; see: proctor evidence show {path}")
    files = [os.path.join(path, os.path.basename(name)) for name in names]
    argv = [word for command in manifest.commands for word in command.argv]
    toolchain = read_side(path).toolchain
    words = " ".join(f"{n}={toolchain[n]}" for n in _TOOLCHAIN if n in toolchain)
    given = msgspec.structs.replace(
        given,
        tree=given.tree or manifest.tree,
        command=given.command or " ".join(argv),
        toolchain=given.toolchain or words,
        started=given.started or manifest.captured_utc,
    )
    reads = [read_attempts(file, "junit") for file in files]
    content = [file_sha256(file) for file in files]
    return _run(reads, given, moment=given.started or "", source=path, content=content)


def _run(
    reads: Sequence[Read], given: Given, *, moment: str, source: str, content: list[str]
) -> Imported:
    tests, refused = _joined(reads)
    command, toolchain = given.command or "", given.toolchain or ""
    # The same report of the same run is one run, however often it is imported.
    key = [*content, given.tree, command, toolchain, given.started]
    facts = RunFacts(
        run_id=given.run_id or sha256_hex(encode(key))[:32],
        started=moment,
        tree=given.tree,
        command=command,
        toolchain=toolchain,
        source=source,
        complete=all(read.complete and not read.suite_errors for read in reads),
    )
    return Imported(facts=_counted(facts, tests), tests=tests, refused=refused)


def _counted(facts: RunFacts, tests: Sequence[Attempts]) -> RunFacts:
    failed = sum(any(o in ("failed", "error") for o in test.outcomes) for test in tests)
    return msgspec.structs.replace(facts, tests=len(tests), failed=failed)


def _joined(reads: Sequence[Read]) -> tuple[tuple[Attempts, ...], tuple[str, ...]]:
    """Return the tests of several reports of one run; a name in two of them is refused."""
    tests: dict[str, Attempts] = {}
    refused = [test for read in reads for test in read.refused]
    doubles = set()
    for test in (test for read in reads for test in read.tests):
        if test.test in tests:
            doubles.add(test.test)
        tests[test.test] = test
    refused += [tests.pop(name).shown for name in sorted(doubles)]
    return tuple(tests.values()), tuple(refused)


def read_leaf(report: Report) -> Read:
    """Return what a leaf reported: pytest's own words first, JUnit for what they lack.

    Proctor's plugin writes before anything else may; a JUnit file is written later, and a
    project may give its tests other names there. What only JUnit tells of counts where the
    session was not finished.

    Raises:
        ReportError: one cannot be read.
    """
    first = read_attempts(report.path, report.format)
    junit = [one.path for one in report.also if one.format == "junit"]
    if report.format == "junit" or not junit:
        return first
    told = read_attempts(junit[0], "junit")
    by_name = {test.test: test for test in told.tests}
    own = {test.test for test in first.tests}
    more = () if first.complete else tuple(one for one in told.tests if one.test not in own)
    return msgspec.structs.replace(
        first,
        tests=(*(_with_told(test, by_name.get(test.test)) for test in first.tests), *more),
        suite_errors=max(first.suite_errors, told.suite_errors),
        complete=told.complete and first.complete,
    )


def _with_told(own: Attempts, told: Attempts | None) -> Attempts:
    if told is None:
        return own
    return msgspec.structs.replace(
        own,
        seconds=told.seconds,
        fingerprints=own.fingerprints or told.fingerprints,
        message=own.message or told.message,
    )


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
