"""The quarantine as the gate sees it, and what red runs say of their failures."""

import hashlib
import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from proctor.assess.changes import base_of
from proctor.assess.quarantined import read_quarantine
from proctor.errors import ConfigError
from proctor.gate.evidence import Change, Evidence, Run, Seen
from proctor.gate.held import Quarantine
from proctor.records.span import KeptFile, Report
from tests.unit.gate.conftest import Bench

bench = Bench()
NOW = datetime(2026, 3, 8, 12, tzinfo=UTC)
ENTRY = "tests/t.py::a\n  since 2026-03-05\n  until 2026-03-12\n  fingerprint 00000000000000f1\n"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def red(folder: Path, failures: dict[str, Any], collected: int = 1, **members: Any) -> Seen:
    """A red run whose plugin reported these failures."""
    path = folder / "report.json"
    content = {
        "schema": "proctor.pytest/1",
        "complete": True,
        "collected": collected,
        "tests": [[test, "failed"] for test in failures],
        "failures": failures,
    }
    path.write_text(json.dumps(content))
    report = bench.report(1, failed=1, path=str(path), sha256=sha256(path), **members)
    return bench.seen("pytest -q", exit_code=1, report=report)


def read(folder: Path, *seen: Seen, now: datetime = NOW, text: str = ENTRY) -> Quarantine:
    (folder / "quarantine.txt").write_text(text)
    return read_quarantine("quarantine.txt", evidence(folder, *seen), 7, now)


def evidence(folder: Path, *seen: Seen, **members: Any) -> Evidence:
    return Evidence(logs=(), runs=(Run(run_id="r", seen=seen),), root=str(folder), **members)


def test_an_entry_counts_until_its_last_day(tmp_path: Path) -> None:
    (held,) = read(tmp_path).entries.values()
    assert (held.counts, held.ends, held.fingerprints) == (
        True,
        "2026-03-12",
        ("00000000000000f1",),
    )
    later = read(tmp_path, now=datetime(2026, 3, 13, tzinfo=UTC))
    assert not later.entries["tests.t::a"].counts


def test_failures_are_told_with_what_they_said(tmp_path: Path) -> None:
    seen = red(tmp_path, {"tests/t.py::a": ["AssertionError: boom"]})
    ended = read(tmp_path, seen).ended[seen.span.span_id]
    (failure,) = ended.failures
    assert (failure.name, failure.shown) == ("tests.t::a", "tests/t.py::a")
    assert len(failure.fingerprints) == 1
    assert ended.complete


def test_a_report_that_was_changed_or_is_gone_is_not_believed(tmp_path: Path) -> None:
    seen = red(tmp_path, {"t.py::a": ["x"]})
    (tmp_path / "report.json").write_text("{}")
    assert read(tmp_path, seen).ended == {}
    (tmp_path / "report.json").unlink()
    assert read(tmp_path, seen).ended == {}


def test_nor_is_one_that_is_no_report_or_stands_beside_a_changed_one(tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text("nonsense")
    report = Report(
        path=str(path), sha256=sha256(path), format="proctor_pytest", ids_sha256="",
        executed=1, passed=0, failed=1, skipped=0,
    )  # fmt: skip
    assert read(tmp_path, bench.seen("pytest", exit_code=1, report=report)).ended == {}
    also = (KeptFile(path=str(path), sha256="00", format="junit"),)
    assert read(tmp_path, red(tmp_path, {"t.py::a": ["x"]}, also=also)).ended == {}


@pytest.mark.parametrize(
    ("last", "failing"),
    [
        ('name="a"><failure message="m"/></testcase>', [("a", ())]),
        ('name="a"/><testcase name="b"><failure/></testcase>', ["b"]),
    ],
)
def test_ids_that_several_tests_share_are_failures_where_one_of_them_failed(
    tmp_path: Path, last: str, failing: list[Any]
) -> None:
    path = tmp_path / "j.xml"
    path.write_text(f'<testsuite><testcase name="a"/><testcase {last}</testsuite>')
    report = bench.report(2, failed=1, path=str(path), sha256=sha256(path), format="junit")
    seen = bench.seen("jest", exit_code=1, report=report)
    failures = read(tmp_path, seen).ended[seen.span.span_id].failures
    found = [(one.shown, one.fingerprints) if one.shown == "a" else one.shown for one in failures]
    assert found == failing


@pytest.mark.parametrize("text", ["  since x\n", "\xff"])
def test_what_is_no_quarantine_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "q").write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"^q"):
        read_quarantine("q", evidence(tmp_path), 7, NOW)
    with pytest.raises(ConfigError, match="there is no quarantine; make one"):
        read_quarantine("absent", evidence(tmp_path), 7, NOW)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_quarantine(".", evidence(tmp_path), 7, NOW)


def test_a_session_that_stopped_early_is_not_complete(tmp_path: Path) -> None:
    seen = red(tmp_path, {"tests/t.py::a": ["x"]}, collected=2)
    assert not read(tmp_path, seen).ended[seen.span.span_id].complete


def test_runs_on_these_very_files_are_counted(tmp_path: Path) -> None:
    seen = red(tmp_path, {"tests/t.py::a": ["x"]})
    again = bench.replace(seen, earlier=(1, 2))
    (tmp_path / "quarantine.txt").write_text(ENTRY)
    given = evidence(tmp_path, again, tree=bench.tree())
    (held,) = read_quarantine("quarantine.txt", given, 7, NOW).entries.values()
    assert (held.failed_here, held.passed_here) == (3, 0)
    elsewhere = evidence(tmp_path, again, tree=bench.tree(tree="t9"))
    (held,) = read_quarantine("quarantine.txt", elsewhere, 7, NOW).entries.values()
    assert held.failed_here == 0


def test_an_entry_goes_with_a_file_that_the_patch_moves(tmp_path: Path) -> None:
    (tmp_path / "quarantine.txt").write_text(ENTRY)
    moved = Change(path="tests/net/t.py", old_path="tests/t.py")
    other = Change(path="tests/other.py", old_path="tests/tt.py")
    given = evidence(tmp_path, changes=(other, moved))
    found = read_quarantine("quarantine.txt", given, 7, NOW).entries
    assert found["tests.net.t::a"].test == "tests.net.t::a"


def test_a_test_whose_code_the_patch_changes_is_named(tmp_path: Path) -> None:
    (tmp_path / "quarantine.txt").write_text(ENTRY)
    for new, expected in (("def a(): assert 0\n", True), ("def a():\n    assert 1  # so\n", False)):
        change = Change(
            path="tests/t.py", old_path="tests/t.py", old_text="def a(): assert 1\n", new_text=new
        )
        given = evidence(tmp_path, changes=(change,))
        (held,) = read_quarantine("quarantine.txt", given, 7, NOW).entries.values()
        assert held.is_changed is expected


def test_a_link_that_the_patch_puts_there_does_not_lead_elsewhere(tmp_path: Path) -> None:
    repo = tmp_path / "r"
    repo.mkdir()
    link = repo / "quarantine.txt"
    link.write_text(ENTRY)
    person = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "-A"), (*person, "commit", "-qm", "x")):
        subprocess.run(["git", *words], cwd=repo, check=True)
    evil = tmp_path / "evil.txt"
    evil.write_text(ENTRY.replace("::a", "::b"))
    link.unlink()
    link.symlink_to(evil)
    given = evidence(repo, base=base_of(str(repo), "HEAD"))
    assert set(read_quarantine("quarantine.txt", given, 7, NOW).entries) == {"tests.t::a"}
