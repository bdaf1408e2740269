"""The history of test runs, in one SQLite file beside the span log.

A run is written in one transaction: a process that is killed leaves the last whole run,
and writers wait for one another. What is in here was written by a user who could write
anything: it is a memory, not a proof.
"""

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import msgspec

from proctor.errors import EvidenceError
from proctor.flakes.names import tail_of
from proctor.flakes.reports import Attempts
from proctor.records.place import make_private
from proctor.results.base import RED

NAME = "flakes.sqlite"
VERSION = 1
"""1: the first version."""
WAIT_S = 120
_CURES = {
    sqlite3.SQLITE_FULL: "free some space, or name another with --history",
    sqlite3.SQLITE_READONLY: "let it be written, or name another with --history",
    sqlite3.SQLITE_CANTOPEN: "let its folder be written, or name another with --history",
    sqlite3.SQLITE_BUSY: "another process holds it; wait until that is done",
}
"""What is to be done, where the file itself is not at fault."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, started TEXT NOT NULL,
    tree TEXT, command TEXT NOT NULL, toolchain TEXT NOT NULL, source TEXT NOT NULL,
    complete INTEGER NOT NULL, tests INTEGER NOT NULL, failed INTEGER NOT NULL, seed TEXT);
CREATE TABLE IF NOT EXISTS tests (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, shown TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS results (
    run INTEGER NOT NULL REFERENCES runs, test INTEGER NOT NULL REFERENCES tests,
    outcomes TEXT NOT NULL, seconds REAL, fingerprints TEXT NOT NULL, message TEXT NOT NULL,
    PRIMARY KEY (test, run)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS renames (
    old TEXT NOT NULL, new TEXT NOT NULL, run_id TEXT NOT NULL);
"""


T = TypeVar("T")


class RunFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a suite."""

    run_id: str
    started: str
    """RFC 3339, UTC."""
    tree: str | None
    """git's id of the content that it ran on; null: unknown, and never evidence."""
    command: str
    toolchain: str
    source: str = ""
    """The report that was read."""
    complete: bool = True
    seed: str | None = None
    """What the order of the tests was made from, where it was shuffled."""
    tests: int = 0
    failed: int = 0


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """One test in one run."""

    run: RunFacts
    outcomes: tuple[str, ...]
    fingerprints: tuple[str, ...] = ()
    message: str = ""
    seconds: float | None = None

    @property
    def failed(self) -> bool:
        """Whether any attempt failed: a retry that passes does not undo it."""
        return any(outcome in RED for outcome in self.outcomes)

    @property
    def passed(self) -> bool:
        """Whether any attempt passed."""
        return any(o not in RED and o != "skipped" for o in self.outcomes)


class History:
    """The file while it is open; to be used in a `with` statement.

    Raises:
        EvidenceError: it cannot be opened, is no history, or is of a newer version.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            make_private(os.path.dirname(os.path.abspath(path)))
            if not os.path.lexists(path):
                with contextlib.suppress(FileExistsError):
                    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            self._db = _connect(path)
            self._db.execute("PRAGMA synchronous = FULL")
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from None

    def __enter__(self) -> "History":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._db.close()
        if isinstance(error, sqlite3.Error):
            raise self._unusable(error) from None

    def add(self, run: RunFacts, tests: Sequence[Attempts]) -> bool:
        """Add a run with all its results at once; false if it is known already."""
        with self._writing():
            known = self._db.execute("SELECT 1 FROM runs WHERE run_id = ?", (run.run_id,))
            if known.fetchone() is not None:
                return False
            failed = sum(any(o in RED for o in test.outcomes) for test in tests)
            self._carry(run, tests)
            number = self._db.execute(
                "INSERT INTO runs (run_id, started, tree, command, toolchain, source, complete,"
                " tests, failed, seed) VALUES (?,?,?,?,?,?,?,?,?,?)",
                (
                    *(run.run_id, run.started, run.tree, run.command, run.toolchain, run.source),
                    *(int(run.complete), len(tests), failed, run.seed),
                ),
            ).lastrowid
            self._db.executemany(
                "INSERT INTO tests (name, shown) VALUES (?,?)"
                " ON CONFLICT (name) DO UPDATE SET shown = excluded.shown",
                [(test.test, test.shown) for test in tests],
            )
            self._db.executemany(
                "INSERT INTO results SELECT ?, number, ?, ?, ?, ? FROM tests WHERE name = ?",
                [
                    (
                        number,
                        json.dumps(test.outcomes),
                        test.seconds,
                        json.dumps(test.fingerprints),
                        test.message,
                        test.test,
                    )
                    for test in tests
                ],
            )
        return True

    def rename(self, old: str, new: str, run_id: str = "") -> bool:
        """Carry the history of one test over to another name; false where that is taken."""
        with self._writing():
            return self._rename(old, new, run_id)

    def runs(self) -> list[RunFacts]:
        """Return every run, oldest first.

        Raises:
            EvidenceError: a row is none that Proctor wrote.
        """
        rows = self._db.execute(
            "SELECT run_id, started, tree, command, toolchain, source, complete, seed, tests,"
            " failed FROM runs ORDER BY started, number"
        )
        names = (
            *("run_id", "started", "tree", "command", "toolchain", "source", "complete"),
            *("seed", "tests", "failed"),
        )
        return [
            self._checked(
                RunFacts, {**dict(zip(names, row, strict=True)), "complete": bool(row[6])}
            )
            for row in rows
        ]

    def tests(self) -> Iterator[tuple[str, str, list[Ran]]]:
        """Yield each test's name, its id as last seen, and its runs, oldest first.

        Raises:
            EvidenceError: a row is none that Proctor wrote.
        """
        runs = {run.run_id: run for run in self.runs()}
        rows = self._db.execute(
            "SELECT t.name, t.shown, r.run_id, x.outcomes, x.fingerprints, x.message, x.seconds"
            " FROM results x JOIN tests t ON t.number = x.test JOIN runs r ON r.number = x.run"
            " ORDER BY t.name, r.started, r.number"
        )
        current: tuple[str, str, list[Ran]] | None = None
        for name, shown, run_id, outcomes, fingerprints, message, seconds in rows:
            if current is None or current[0] != name:
                if current is not None:
                    yield current
                current = (name, shown, [])
            ran: dict[str, object] = {"message": message, "seconds": seconds, "run": runs[run_id]}
            for member, text in (("outcomes", outcomes), ("fingerprints", fingerprints)):
                ran[member] = self._decoded(text)
            current[2].append(self._checked(Ran, ran))
        if current is not None:
            yield current

    def renames(self) -> dict[str, str]:
        """Return old name → the name under which the history goes on now."""
        found: dict[str, str] = {}
        for old, new in self._db.execute("SELECT old, new FROM renames ORDER BY rowid"):
            found = {name: new if now == old else now for name, now in found.items()}
            found[old] = new
        return found

    # ── private ─────────────────────────────────────────────────────────────

    def _decoded(self, text: str) -> object:
        try:
            return msgspec.json.decode(text)
        except (msgspec.MsgspecError, TypeError) as error:
            raise self._unusable(error) from None

    def _checked(self, kind: type[T], members: dict[str, object]) -> T:
        try:
            return msgspec.convert(members, kind)
        except msgspec.ValidationError as error:
            raise self._unusable(error) from None

    def _prepare(self) -> None:
        if self._version() == VERSION:
            return
        self._db.execute("PRAGMA journal_mode = WAL")
        with self._writing():
            version = self._version()
            if version > VERSION:
                raise EvidenceError(
                    f"{self.path}: is of version {version}, {VERSION} can be read; "
                    "use a newer Proctor"
                )
            if version == 0:
                for statement in _SCHEMA.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _version(self) -> int:
        return int(self._db.execute("PRAGMA user_version").fetchone()[0])

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _carry(self, run: RunFacts, tests: Sequence[Attempts]) -> None:
        """Carry history over to tests whose file was moved since the last run.

        A test of this run that was never seen, and one of the last run of the same
        command that is gone, are the same if no other has their name.
        """
        last = self._db.execute(
            "SELECT number FROM runs WHERE command = ? ORDER BY started DESC, number DESC LIMIT 1",
            (run.command,),
        ).fetchone()
        if last is None:
            return
        before = {
            name
            for (name,) in self._db.execute(
                "SELECT t.name FROM results x JOIN tests t ON t.number = x.test WHERE x.run = ?",
                last,
            )
        }
        here = {test.test for test in tests}
        known = {name for (name,) in self._db.execute("SELECT name FROM tests")}
        gone, new = _by_tail(before - here), _by_tail(here - known)
        kept = _by_tail(here & before)
        for tail, names in gone.items():
            others = new.get(tail, [])
            if len(names) == len(others) == 1 and tail not in kept:
                self._rename(names[0], others[0], run.run_id)

    def _rename(self, old: str, new: str, run_id: str) -> bool:
        taken = self._db.execute("SELECT 1 FROM tests WHERE name = ?", (new,)).fetchone()
        if taken is not None:
            return False
        done = self._db.execute("UPDATE tests SET name = ? WHERE name = ?", (new, old))
        if not done.rowcount:
            return False
        self._db.execute("INSERT INTO renames VALUES (?,?,?)", (old, new, run_id))
        return True

    def _unusable(self, error: Exception) -> EvidenceError:
        reason = error.strerror if isinstance(error, OSError) else error
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        cure = _CURES.get(code, "move the file away to begin anew, or name another with --history")
        if isinstance(error, OSError):
            cure = _CURES[sqlite3.SQLITE_CANTOPEN]
        return EvidenceError(
            f"{self.path}: the history of test runs cannot be used: {reason}; {cure}"
        )


def _connect(path: str) -> sqlite3.Connection:
    """Return a connection; to one that can only be read where nothing may be written.

    SQLite itself opens no history in a folder that it may not write to, as readers leave
    their mark there.
    """
    if not os.access(path, os.W_OK) and not os.path.exists(f"{path}-wal"):
        whole = f"{Path(path).absolute().as_uri()}?immutable=1"
        return sqlite3.connect(whole, uri=True, isolation_level=None)
    return sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)


def _by_tail(names: set[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(tail_of(name), []).append(name)
    return found
