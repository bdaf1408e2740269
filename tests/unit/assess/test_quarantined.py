"""The quarantine as the gate sees it, and what red runs say of their failures."""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from proctor.assess.quarantined import read_quarantine
from proctor.errors import ConfigError
from proctor.gate.evidence import Run, Seen
from proctor.gate.held import Quarantine
from proctor.records.span import KeptFile, Report
from tests.unit.gate.conftest import Bench

bench = Bench()
NOW = datetime(2026, 3, 8, 12, tzinfo=UTC)
ENTRY = "tests/t.py::a\n  since 2026-03-05\n  until 2026-03-12\n  fingerprint f1\n"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def red(folder: Path, failures: dict[str, Any], **members: Any) -> Seen:
    """A red run whose plugin reported these failures."""
    path = folder / "report.json"
    content = {
        "schema": "proctor.pytest/1",
        "complete": True,
        "tests": [[test, "failed"] for test in failures],
        "failures": failures,
    }
    path.write_text(json.dumps(content))
    report = bench.report(1, failed=1, path=str(path), sha256=sha256(path), **members)
    return bench.seen("pytest -q", exit_code=1, report=report)


def read(folder: Path, *seen: Seen, now: datetime = NOW, text: str = ENTRY) -> Quarantine:
    (folder / "quarantine.txt").write_text(text)
    runs = [Run(run_id="r", seen=seen)]
    return read_quarantine("quarantine.txt", str(folder), None, runs, 7, now)


def test_an_entry_counts_until_its_last_day(tmp_path: Path) -> None:
    (held,) = read(tmp_path).entries.values()
    assert (held.counts, held.ends, held.fingerprints) == (True, "2026-03-12", ("f1",))
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


def test_ids_that_several_tests_share_are_failures_that_nothing_explains(tmp_path: Path) -> None:
    path = tmp_path / "j.xml"
    case = '<testcase name="a"/><testcase name="a"><failure message="m"/></testcase>'
    path.write_text(f"<testsuite>{case}</testsuite>")
    report = bench.report(1, failed=1, path=str(path), sha256=sha256(path), format="junit")
    seen = bench.seen("pytest", exit_code=1, report=report)
    (failure,) = read(tmp_path, seen).ended[seen.span.span_id].failures
    assert failure.fingerprints == ()


@pytest.mark.parametrize("text", ["  since x\n", "\xff"])
def test_what_is_no_quarantine_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "q").write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"^q"):
        read_quarantine("q", str(tmp_path), None, [], 7, NOW)
    with pytest.raises(ConfigError, match="there is no quarantine; make one"):
        read_quarantine("absent", str(tmp_path), None, [], 7, NOW)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_quarantine(".", str(tmp_path), None, [], 7, NOW)
