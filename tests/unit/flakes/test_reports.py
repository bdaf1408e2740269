"""Reports as attempts: retries are told apart, shared ids refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from proctor.errors import EvidenceError, ReportError
from proctor.flakes.history import RunFacts
from proctor.flakes.importing import Given, import_recorded, import_report, tree_of
from proctor.flakes.reports import Read, read_attempts
from proctor.records.span import Git, KeptFile, Report, Span
from proctor.results.detect import detect

CASES = {
    "retry": '<testcase name="a"><failure message="x"/></testcase><testcase name="a"/>',
    "teardown": '<testcase name="a"><failure message="x"/></testcase><testcase name="a"><error message="y"/></testcase>',
    "two passes": '<testcase name="a"/><testcase name="a"/>',
    "pass and failure": '<testcase name="a"/><testcase name="a"><failure/></testcase>',
}


def read(folder: Path, text: str, name: str = "junit") -> Read:
    path = folder / "report"
    path.write_text(text)
    return read_attempts(str(path), name)


@pytest.mark.parametrize(
    ("case", "outcomes"), [("retry", ("failed", "passed")), ("teardown", ("failed", "error"))]
)
def test_results_that_can_only_be_attempts_are(
    tmp_path: Path, case: str, outcomes: tuple[str, ...]
) -> None:
    (test,) = read(tmp_path, f"<testsuite>{CASES[case]}</testsuite>").tests
    assert test.outcomes == outcomes


@pytest.mark.parametrize("case", ["two passes", "pass and failure"])
def test_ids_that_several_tests_share_are_refused(tmp_path: Path, case: str) -> None:
    found = read(tmp_path, f'<testsuite>{CASES[case]}<testcase name="b"/></testsuite>')
    assert found.refused == ("a",)
    assert [test.test for test in found.tests] == ["b"]


def test_a_failure_and_a_pass_of_one_title_in_jest_are_refused(tmp_path: Path) -> None:
    text = f'<testsuites name="jest tests"><testsuite>{CASES["retry"]}</testsuite></testsuites>'
    assert read(tmp_path, text).refused == ("jest tests::a",)


def test_ids_that_masking_would_make_one_stay_two(tmp_path: Path) -> None:
    cases = "".join(f'<testcase name="t[2026-01-0{n}]"/>' for n in (1, 2))
    found = read(tmp_path, f"<testsuite>{cases}</testsuite>")
    assert [test.test for test in found.tests] == ["t[2026-01-01]", "t[2026-01-02]"]
    one = read(tmp_path, '<testsuite><testcase name="t[2026-01-01]"/></testsuite>')
    assert [(test.test, test.shown) for test in one.tests] == [("t[<varies>]", "t[2026-01-01]")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('<?xml version="1.0"?>\n<testsuites/>', "junit"),
        ('<TestRun xmlns="x"/>', "trx"),
        ('FAIL shop [build failed]\n{"Time":"x","Action":"fail"}\n', "go_test_json"),
        ('{"schema": "proctor.pytest/1"}', "proctor_pytest"),
        ('{"numFailedTests":0}', "jest"),
        ('{"version":"3.12.0","seed":1,"examples":[]}', "rspec"),
        ('{"reportFormat":"CTRF","results":{}}', "ctrf"),
        ("TAP version 13\n1..0\n", "tap"),
        ("ok 1 - a\n", "tap"),
        ("Start testing: Nov 29\n", "ctest"),
    ],
)
def test_a_report_is_known_by_how_it_begins(tmp_path: Path, text: str, name: str) -> None:
    (tmp_path / "r").write_text(text)
    assert detect(str(tmp_path / "r")) == name


def test_what_begins_like_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r").write_text("hello")
    with pytest.raises(ReportError, match="name it with --format"):
        detect(str(tmp_path / "r"))
    with pytest.raises(ReportError, match="cannot be read"):
        detect(str(tmp_path / "absent"))
    (tmp_path / "wide").write_bytes('<testsuites name="é"/>'.encode("utf-16"))
    assert detect(str(tmp_path / "wide")) == "junit"


def test_the_same_report_is_the_same_run(tmp_path: Path) -> None:
    (tmp_path / "r.xml").write_text('<testsuite><testcase name="a"/></testsuite>')
    one, two, other = (
        import_report(str(tmp_path / "r.xml"), Given(tree=tree)).facts
        for tree in ("t1", "t1", "t2")
    )
    assert one.run_id == two.run_id != other.run_id
    assert (one.tests, one.failed, one.complete) == (1, 0, True)


def test_a_folder_without_evidence_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="is no evidence folder"):
        import_report(str(tmp_path), Given())


def leaf(folder: Path, report: Report | None, tree: str = "t") -> Span:
    return Span(
        span_id="1", argv=("pytest",), cwd="/", exit_code=0, duration_ms=1, duration_floor_ms=0,
        duration_ok=True, denied_binary=False, stdout_sha256=None, stderr_sha256=None,
        stdout_bytes=None, stderr_bytes=None, env_names=(), role="test", kind="leaf", report=report,
        git=Git(root=str(folder), repository=(None, "c"), head=None, tree=tree, tree_after=tree),
    )  # fmt: skip


def facts() -> RunFacts:
    return RunFacts(run_id="r", started="2026", tree="t", command="pytest", toolchain="x")


@pytest.mark.parametrize("complete", [True, False])
def test_pytest_tells_of_its_tests_and_junit_of_what_that_lacks(
    tmp_path: Path, complete: bool
) -> None:
    plugin = {
        "schema": "proctor.pytest/1",
        "complete": complete,
        "tests": [["t.py::a", "passed"], ["t.py::b", "failed"], ["t.py::d", "failed"]],
        "retried": {"t.py::a": 1},
        "failures": {"t.py::d": ["its own words"]},
    }
    (tmp_path / "p.json").write_text(json.dumps(plugin))
    cases = '<testcase classname="t" name="a"/><testcase classname="t" name="b"><failure message="m"/></testcase><testcase classname="t" name="d"><failure message="rigged"/></testcase><testcase classname="other" name="c"/>'
    (tmp_path / "j.xml").write_text(f"<testsuite>{cases}</testsuite>")
    counts: Any = {"executed": 2, "passed": 1, "failed": 1, "skipped": 0}
    also = (KeptFile(path=str(tmp_path / "j.xml"), sha256="x", format="junit"),)
    report = Report(
        path=str(tmp_path / "p.json"),
        sha256="x",
        format="proctor_pytest",
        ids_sha256="",
        also=also,
        **counts,
    )
    a, b, d, *more = import_recorded([leaf(tmp_path, report)], facts()).tests
    assert (a.shown, a.outcomes) == ("t.py::a", ("failed", "passed"))
    assert b.fingerprints
    assert b.message == "m"
    assert d.message == "its own words"
    assert [one.shown for one in more] == ([] if complete else ["other::c"])
    plain = import_recorded(
        [
            leaf(
                tmp_path,
                Report(
                    path=str(tmp_path / "j.xml"),
                    sha256="x",
                    format="junit",
                    ids_sha256="",
                    **counts,
                ),
            )
        ],
        facts(),
    )
    assert len(plain.tests) == 4


def test_a_run_without_a_report_cannot_be_imported(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="let it write JUnit"):
        import_recorded([leaf(tmp_path, None)], facts())


def test_a_run_has_a_tree_if_all_its_leaves_have_that_one(tmp_path: Path) -> None:
    one, two = leaf(tmp_path, None, "t1"), leaf(tmp_path, None, "t2")
    assert tree_of([one, one]) == "t1"
    assert tree_of([one, two]) is None
    assert tree_of([]) is None
