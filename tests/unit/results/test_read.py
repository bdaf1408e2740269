"""Reading and keeping reports."""

import json
import os
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor._digest import encode, sha256_hex
from proctor.errors import ReportError
from proctor.records.span import Report
from proctor.results.base import Summary, clean_id
from proctor.results.read import keep_report, kept_sha256, read_report, read_summary

XML = '<testsuite><testcase name="b"/><testcase name="a"/><testcase name="s"><skipped/></testcase></testsuite>'


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.xml"
    path.write_text(XML)
    return path


def keep(path: Path, started_ns: int | None = None) -> dict[str, Any]:
    started = time.time_ns() if started_ns is None else started_ns
    state = path.parent / "state"
    return keep_report(str(path), "junit", state_folder=str(state), started_ns=started)


def test_a_report_is_read_as_the_fields_of_a_record(report: Path) -> None:
    found = read_report(str(report), "junit")
    record = msgspec.json.decode(encode(found), type=Report, strict=True)
    assert (record.executed, record.passed, record.failed, record.skipped) == (2, 2, 0, 1)
    assert record.sha256 == sha256_hex(XML.encode())
    assert record.ids_sha256 == sha256_hex(b"a\nb\n")
    assert record.format == "junit"
    assert record.complete


def test_a_report_is_kept_by_its_digest_for_the_owner_alone(report: Path) -> None:
    found = keep(report)
    kept = Path(str(found["path"]))
    assert kept == report.parent / "state" / "reports" / f"{sha256_hex(XML.encode())}.xml"
    assert kept.read_text() == XML
    assert kept.stat().st_mode & 0o777 == 0o600
    assert list(kept.parent.iterdir()) == [kept]
    assert keep(report) == found


def test_no_token_stands_in_a_kept_report_and_ids_stay_apart(report: Path) -> None:
    tokens = [f"ghp_{letter * 36}" for letter in "ab"]
    cases = "".join(f'<testcase name="t[{token}]"/>' for token in tokens)
    report.write_text(f"<testsuite>{cases}<system-out>{tokens[0]}</system-out></testsuite>")
    found = keep(report)
    kept = Path(str(found["path"])).read_text()
    assert not any(token in kept for token in tokens)
    assert found["executed"] == 2
    assert found["sha256"] == sha256_hex(kept.encode()) == kept_sha256(str(report))
    assert keep(report) == found


def test_a_token_on_the_edge_of_a_block_is_masked(report: Path) -> None:
    token = f"ghp_{'a' * 36}"
    head = "<testsuite><testcase name='a'/><system-out>"
    text = head + "x" * ((1 << 20) - len(head) - 20) + f" {token} " + "y" * (3 << 20)
    report.write_text(f"{text}</system-out></testsuite>")
    kept = Path(str(keep(report, 0)["path"])).read_text()
    assert token not in kept
    assert len(kept) == len(report.read_text()) - len(token) + len("***123456")


def test_a_report_from_before_the_run_is_refused(report: Path) -> None:
    with pytest.raises(ReportError, match="written before the run began"):
        keep(report, time.time_ns() + 10**9)


def test_an_old_report_linked_in_during_the_run_is_refused(report: Path) -> None:
    old = time.time_ns() - 10**12
    os.utime(report, ns=(old, old))
    os.link(report, report.with_name("new.xml"))
    with pytest.raises(ReportError, match="written before the run began"):
        keep(report.with_name("new.xml"))


def test_a_link_is_not_followed(report: Path) -> None:
    link = report.with_name("link.xml")
    link.symlink_to(report)
    with pytest.raises(ReportError, match="symbolic links"):
        keep(link)


def test_what_is_no_plain_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(ReportError, match="no plain file"):
            keep(tmp_path / name)
    with pytest.raises(ReportError, match="No such file"):
        keep(tmp_path / "absent")


def test_a_state_folder_that_cannot_be_written_is_said(report: Path) -> None:
    (report.parent / "state").write_text("in the way")
    with pytest.raises(ReportError, match="cannot be kept in"):
        keep(report)


def test_a_copy_that_cannot_be_finished_leaves_nothing(report: Path) -> None:
    kept = Path(str(keep(report)["path"]))
    kept.unlink()
    kept.mkdir()
    with pytest.raises(ReportError, match="cannot be kept in"):
        keep(report)
    assert list(kept.parent.iterdir()) == [kept]


def test_a_format_nobody_knows_is_refused_with_those_that_are_known(report: Path) -> None:
    with pytest.raises(ReportError, match=r"known are .*jest, junit, proctor_pytest"):
        read_summary(str(report), "nope")


def test_a_report_that_goes_away_is_said(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="cannot be read"):
        read_report(str(tmp_path / "absent.json"), "proctor_pytest")


def content(**changes: Any) -> dict[str, Any]:
    base = {
        "schema": "proctor.pytest/1",
        "complete": True,
        "exit_status": 0,
        "tests": [["t.py::a", "passed"], ["t.py::b", "xfailed"], ["t.py::c", "skipped"]],
    }
    return base | changes


def test_the_plugins_report_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "1-2.json"
    path.write_text(json.dumps(content()))
    found = read_report(str(path), "proctor_pytest")
    assert (found["executed"], found["passed"], found["skipped"]) == (2, 2, 1)
    assert (found["exit_status"], found["complete"]) == (0, True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no report of the pytest plugin"),
        ("{}", "missing required field"),
        (json.dumps(content(schema="proctor.pytest/2")), "can be read"),
        (json.dumps(content(tests=[["a", "fine"]])), "'fine' is no outcome"),
        (json.dumps(content(tests=[["a"]])), "no report of the pytest plugin"),
        ('{"schema": "\\ud800"}', "no report of the pytest plugin"),
    ],
)
def test_what_the_plugin_never_wrote_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "1-2.json"
    path.write_text(text)
    with pytest.raises(ReportError, match=reason):
        read_summary(str(path), "proctor_pytest")


def test_tests_that_were_retried_are_named(tmp_path: Path) -> None:
    path = tmp_path / "1-2.json"
    path.write_text(json.dumps(content(retried={"t.py::a": 2})))
    assert list(read_summary(str(path), "proctor_pytest").retried) == ["t.py::a"]


def test_binary_is_no_report(tmp_path: Path) -> None:
    path = tmp_path / "1-2.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReportError, match="no report"):
        read_summary(str(path), "proctor_pytest")


def test_notes_are_capped() -> None:
    summary = Summary()
    for number in range(50):
        summary.repair(f"r{number}")
        summary.disagree(f"d{number}")
    assert (len(summary.repairs), len(summary.disagreements)) == (20, 20)


def test_the_order_of_tests_changes_no_digest() -> None:
    one, two = Summary(), Summary()
    for name in ("a", "b"):
        one.add(name, "passed")
    for name in ("b", "a"):
        two.add(name, "failed")
    assert one.ids_sha256() == two.ids_sha256()


def test_an_id_stands_on_one_line() -> None:
    assert clean_id("a\nb\x1b") == "a\\nb\\x1b"
    assert clean_id("caf é") == "caf é"
