"""Reads a quarantine, and what red runs say of their failures, as plain values.

With a base, the quarantine is the base's: a patch cannot quarantine its own tests.
"""

import io
import os
from collections.abc import Iterable
from datetime import datetime

from proctor._digest import sha256_hex
from proctor._whole import open_file
from proctor.errors import ConfigError, Error
from proctor.flakes.importing import read_leaf
from proctor.flakes.names import canonical, steady
from proctor.flakes.quarantine import Entry, parse
from proctor.gate.evidence import Base, Run
from proctor.gate.held import Ended, Failure, Held, Quarantine
from proctor.records.span import Report, Span
from proctor.repo.files import Files
from proctor.results.base import RED

_LARGEST = 4 << 20


def read_quarantine(
    path: str, root: str, base: Base | None, runs: Iterable[Run], days: int, now: datetime
) -> Quarantine:
    """Return the quarantine at `path`, relative to `root`, and the failures in `runs`.

    Raises:
        ConfigError: it cannot be read or understood.
        RepositoryError: the base's file cannot be had.
    """
    inside = os.path.relpath(os.path.realpath(os.path.join(root, path)), root)
    if base is not None and not inside.startswith(".."):
        data = Files(root, base.tree).read(inside)
        where = f"{base.name}:{inside}"
    else:
        data, where = _content(os.path.join(root, path)), path
    if data is None:
        raise ConfigError(f"{where}: there is no quarantine; make one: proctor flakes quarantine")
    try:
        entries = parse(data.decode("utf-8"), where)
    except UnicodeDecodeError:
        raise ConfigError(f"{where}: is not UTF-8; save it as UTF-8") from None
    red = (s.span for run in runs for s in run.seen if s.span.exit_code and s.span.report)
    return Quarantine(
        path=path,
        entries={entry.name: _held(entry, days, now) for entry in entries},
        ended={span.span_id: ended for span in red if (ended := _ended(span)) is not None},
    )


def _content(path: str) -> bytes | None:
    try:
        with io.BufferedReader(open_file(path)) as file:
            return file.read(_LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None


def _held(entry: Entry, days: int, now: datetime) -> Held:
    return Held(
        test=entry.test,
        ends=entry.ends(days).isoformat(),
        counts=entry.counts(now, days),
        fingerprints=entry.fingerprints,
    )


def _ended(span: Span) -> Ended | None:
    """Return what a leaf's reports say of its failures; none if they are not believed."""
    report = span.report
    if report is None or not all(_is_kept(*one) for one in _files(report)):
        return None
    try:
        read = read_leaf(report)
    except Error:
        return None
    failures = [
        Failure(name=one.test, shown=one.shown, fingerprints=one.fingerprints)
        for one in read.tests
        if one.outcomes[-1] in RED
    ]
    failures += [
        Failure(name=steady(canonical(test)), shown=test, fingerprints=()) for test in read.refused
    ]
    return Ended(failures=tuple(failures), complete=read.complete and not read.suite_errors)


def _files(report: Report) -> list[tuple[str, str]]:
    return [(report.path, report.sha256), *((one.path, one.sha256) for one in report.also)]


def _is_kept(path: str, sha256: str) -> bool:
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            return sha256_hex(file.read()) == sha256
    except OSError:
        return False
