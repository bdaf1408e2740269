"""An opt-in plugin for pytest that knows the quarantine: `pytest -p proctor.pytest`.

It marks the failures of quarantined tests on the terminal and in JUnit, writes every
attempt at every test (`--proctor-attempts FILE`), and says on which tree the session ran.
It changes no outcome and no exit status: a quarantined test still fails, and the gate
explains that afterwards.

One line of the attempts is a JSON object: `test`, `attempt` (from 1), `outcome`,
`seconds`, `when`, `message`, `fingerprint`, `quarantined`; the first line has `schema`,
`tree` and `started`.
"""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, TextIO

import pytest

from proctor.config import load
from proctor.errors import Error
from proctor.flakes.names import canonical, steady
from proctor.flakes.quarantine import FILE, Entry, Lookup, parse, read_text
from proctor.pytest_report import said
from proctor.records.place import find_clone, log_path
from proctor.repo.snapshot import current
from proctor.results.fingerprint import fingerprint

SCHEMA = "proctor.attempts/1"
"""1: the first version."""
_NAME = "proctor-quarantine"
_NO_ATTEMPT = frozenset(("setup", "teardown"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the plugin's own options."""
    group = parser.getgroup("proctor")
    group.addoption(
        "--proctor-attempts", metavar="FILE", help="write every attempt at every test, as JSONL"
    )
    group.addoption("--proctor-quarantine", metavar="FILE", default=FILE, help=f"default: {FILE}")


def pytest_configure(config: pytest.Config) -> None:
    """Read the quarantine; workers of pytest-xdist only mark with it.

    Raises:
        pytest.UsageError: the quarantine cannot be understood.
    """
    try:
        plugin = Quarantine(config)
    except Error as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(plugin, _NAME)


class Quarantine:
    """One session's knowledge of the quarantine."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        root = str(config.rootpath)
        path = os.path.join(root, config.getoption("--proctor-quarantine"))
        days = load(find_clone(root).root).flakes.days
        now = datetime.now(UTC)
        entries = parse(read_text(path), os.path.relpath(path, root))
        self._entries = Lookup(one for one in entries if one.counts(now, days))
        self._days = days
        is_worker = hasattr(config, "workerinput")
        self._tree = None if is_worker else _tree(root)
        self._attempts: dict[str, int] = {}
        self._met: dict[str, tuple[Entry, bool]] = {}
        self._file = None if is_worker else self._opened(now)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Name the tree in JUnit, as a property of the suite."""
        for plugin in self._config.pluginmanager.get_plugins():
            add = getattr(plugin, "add_global_property", None)
            if add is not None and self._tree is not None:
                add("proctor_tree", self._tree)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        """Mark the failure of a quarantined test with properties, which JUnit shows."""
        outcome: Any = yield
        report = outcome.get_result()
        entry = self._entry(report.nodeid)
        if report.failed and entry is not None:
            known = fingerprint("", said(report)) in entry.fingerprints
            marks = [
                ("proctor_quarantined_until", str(entry.ends(self._days))),
                ("proctor_gating", "false" if known else "true"),
            ]
            # NOTE: JUnit takes the properties of the last phase, which copies the item's.
            item.user_properties.extend(marks)
            report.user_properties.extend(marks)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> "tuple[str, str, str] | None":
        """Show a failure that the quarantine explains by a letter of its own."""
        if getattr(report, "failed", False) and ("proctor_gating", "false") in getattr(
            report, "user_properties", ()
        ):
            return "quarantined", "Q", "QUARANTINED"
        return None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write the attempt, and remember quarantined tests that failed."""
        failed = report.outcome not in ("passed", "skipped")
        if report.when in _NO_ATTEMPT and not failed and report.outcome == "passed":
            return
        number = self._attempts[report.nodeid] = self._attempts.get(report.nodeid, 0) + 1
        message = said(report) if failed else ""
        entry = self._entry(report.nodeid)
        if failed and entry is not None:
            self._met[report.nodeid] = entry, fingerprint("", message) in entry.fingerprints
        if self._file is not None:
            row = {
                "test": report.nodeid,
                "attempt": number,
                "outcome": "failed" if failed else report.outcome,
                "when": report.when,
                "seconds": round(report.duration, 6),
                "message": message[:300],
                "fingerprint": fingerprint("", message) if message else None,
                "quarantined": entry is not None,
            }
            self._file.write(json.dumps(row) + "\n")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Name the quarantined tests that failed, and whether that explains it."""
        if self._met:
            terminalreporter.section("quarantined")
        for test, (entry, known) in self._met.items():
            why = f"until {entry.ends(self._days)}" if known else "with ANOTHER failure: it gates"
            terminalreporter.write_line(f"{test} {why}")

    def pytest_unconfigure(self) -> None:
        """Close the file of attempts."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _entry(self, nodeid: str) -> Entry | None:
        return self._entries.find(steady(canonical(nodeid)), nodeid)

    def _opened(self, now: datetime) -> TextIO | None:
        path = self._config.getoption("--proctor-attempts")
        if not path:
            return None
        try:
            file = open(path, "w", encoding="ascii")  # noqa: SIM115 - closed at the end
        except OSError as error:
            raise pytest.UsageError(f"{path}: cannot be written: {error.strerror}") from None
        head = {"schema": SCHEMA, "tree": self._tree, "started": now.isoformat()}
        file.write(json.dumps(head) + "\n")
        return file


def _tree(root: str) -> str | None:
    """Return git's id of the working tree's content; none where there is none."""
    try:
        found = current(root, os.path.dirname(log_path(find_clone(root), os.environ)))
    except Error:
        return None
    tree = found["tree"] if found is not None else None
    return tree if isinstance(tree, str) else None
