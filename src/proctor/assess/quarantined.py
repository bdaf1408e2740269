"""Reads a quarantine, and what red runs say of their failures, as plain values.

With a base, the quarantine is the base's: a patch cannot quarantine its own tests.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

import msgspec

from proctor._whole import file_sha256, plain
from proctor.errors import ConfigError, Error
from proctor.flakes.importing import read_leaf
from proctor.flakes.names import canonical, steady
from proctor.flakes.quarantine import Entry, Lookup, parse
from proctor.flakes.reports import Attempts, Read
from proctor.gate.definitions import altered
from proctor.gate.evidence import Base, Change, Evidence, Seen
from proctor.gate.held import Ended, Failure, Held, Quarantine
from proctor.records.span import Report
from proctor.repo.files import Files
from proctor.results.base import RED

_LARGEST = 4 << 20


def read_quarantine(path: str, evidence: Evidence, days: int, now: datetime) -> Quarantine:
    """Return the quarantine at `path`, relative to the root, and the failures in the runs.

    Raises:
        ConfigError: it cannot be read or understood.
        RepositoryError: the base's file cannot be had.
    """
    text, where = _text(path, evidence.root, evidence.base)
    moved = [_moved(entry, evidence.changes) for entry in parse(text, where)]
    lookup = Lookup(moved)
    ended: dict[str, Ended] = {}
    passed: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for seen in (seen for run in evidence.runs for seen in run.seen):
        span, is_here = seen.span, _is_here(seen, evidence)
        if not span.report or not (span.exit_code or is_here):
            continue
        read = _believed(span.report)
        if read is None:
            continue
        if span.exit_code:
            ended[span.span_id] = _ended(read, lookup)
        for test in read.tests if is_here else ():
            entry = lookup.find(test.test, test.shown)
            if entry is not None:
                found = failed if test.outcomes[-1] in RED else passed
                found[entry.exact] += 1 + len(seen.earlier)
    changed = set(_changed(evidence.changes))
    return Quarantine(
        path=path,
        entries={
            entry.exact: Held(
                test=entry.test,
                ends=entry.ends(days).isoformat(),
                counts=entry.counts(now, days),
                fingerprints=entry.fingerprints,
                is_changed=_is_among(entry, changed),
                passed_here=passed[entry.exact],
                failed_here=failed[entry.exact],
            )
            for entry in moved
        },
        ended=ended,
    )


def _text(path: str, root: str, base: Base | None) -> tuple[str, str]:
    """Return the quarantine's text, and where it is from."""
    # NOTE: by its name alone. A link that the patch puts there must not lead to another file.
    inside = os.path.relpath(os.path.normpath(os.path.join(root, path)), root)
    if base is not None and not inside.startswith(".."):
        data, where = Files(root, base.tree).read(inside), f"{base.name}:{inside}"
    else:
        data, where = _content(os.path.join(root, path)), path
    if data is None:
        raise ConfigError(f"{where}: there is no quarantine; make one: proctor flakes quarantine")
    try:
        return data.decode("utf-8"), where
    except UnicodeDecodeError:
        raise ConfigError(f"{where}: is not UTF-8; save it as UTF-8") from None


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb", opener=plain) as file:
            return file.read(_LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None


def _moved(entry: Entry, changes: Iterable[Change]) -> Entry:
    """Return an entry with the name that its test has where the patch moves its file."""
    for change in changes:
        if change.old_path in (None, change.path):
            continue
        old, new = (_owner(path) for path in (change.old_path or "", change.path))
        rest = entry.exact.removeprefix(old)
        if rest != entry.exact and rest[:1] in (":", "."):
            return msgspec.structs.replace(entry, test=new + rest)
    return entry


def _owner(path: str) -> str:
    """Return how the names of a file's tests begin."""
    return canonical(f"{path}::_").removesuffix("::_")


def _changed(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the names of the Python functions that the patch writes otherwise."""
    for change in changes:
        if change.path.endswith(".py") and change.old_text and change.new_text:
            for name in altered(change.old_text, change.new_text):
                yield canonical(f"{change.path}::{name}")


def _is_among(entry: Entry, names: Iterable[str]) -> bool:
    function = entry.exact.partition("[")[0]
    return any(name == function or name.endswith(f".{function}") for name in names)


def _is_here(seen: Seen, evidence: Evidence) -> bool:
    """Return whether a process ran on exactly the files that are judged."""
    git, tree = seen.span.git, evidence.tree
    return git is not None and tree is not None and git.tree == git.tree_after == tree.tree


def _believed(report: Report) -> Read | None:
    """Return what a leaf's reports say; none if they are not what the recorder kept."""
    if not all(_is_kept(*one) for one in _files(report)):
        return None
    try:
        return read_leaf(report)
    except Error:
        return None


def _ended(read: Read, lookup: Lookup) -> Ended:
    failures = [_failure(one, lookup) for one in read.tests if one.outcomes[-1] in RED]
    failures += [
        Failure(name=steady(canonical(test)), shown=test, fingerprints=())
        for test in read.refused_red
    ]
    return Ended(failures=tuple(failures), complete=read.complete and not read.suite_errors)


def _failure(test: Attempts, lookup: Lookup) -> Failure:
    entry = lookup.find(test.test, test.shown)
    name = entry.exact if entry is not None else test.test
    return Failure(name=name, shown=test.shown, fingerprints=test.fingerprints)


def _files(report: Report) -> Sequence[tuple[str, str]]:
    return [(report.path, report.sha256), *((one.path, one.sha256) for one in report.also)]


def _is_kept(path: str, sha256: str) -> bool:
    try:
        return os.path.isfile(path) and not os.path.islink(path) and file_sha256(path) == sha256
    except OSError:
        return False
