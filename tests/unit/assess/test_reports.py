"""Kept reports, believed only with the digest that the span has."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.assess.reports import read_tests
from proctor.records.span import Git, Report, Span
from proctor.results.read import keep_report
from tests.records import make_record


@pytest.fixture
def content() -> dict[str, Any]:
    return {
        "schema": "proctor.pytest/1",
        "complete": True,
        "tests": [["test_a.py::test_x", "passed"], ["test_a.py::test_y", "skipped"]],
        "rootdir": "/work/app/sub",
        "options": {"markexpr": "not slow", "deselect": ["a", "b"], "lf": True, "maxfail": 1},
        "found": 5,
        "collected": 2,
        "deselected": 3,
        "left_out": ["test_b.py", "../c"],
    }


@pytest.fixture
def span(tmp_path: Path, content: dict[str, Any]) -> Span:
    path = tmp_path / "live.json"
    path.write_text(json.dumps(content))
    kept = keep_report(str(path), "proctor_pytest", state_folder=str(tmp_path), started_ns=0)
    git = Git(root="/work/app", repository=(None, "x"), head=None, tree="t")
    made = msgspec.convert(make_record(), Span)
    return msgspec.structs.replace(made, report=msgspec.convert(kept, Report), git=git)


def test_ids_begin_at_the_root_of_the_repository(span: Span) -> None:
    tests, unread = read_tests([span, span])
    assert unread == {}
    found = tests[span.span_id]
    assert found.outcomes == {
        "sub/test_a.py::test_x": "passed",
        "sub/test_a.py::test_y": "skipped",
    }
    assert found.left_out == ("sub/test_b.py", "c")
    assert (found.found, found.collected, found.deselected) == (5, 2, 3)


def test_full_paths_are_shortened_to_the_root(tmp_path: Path, span: Span) -> None:
    path = tmp_path / "jest.json"
    case = {"fullName": "adds", "status": "passed"}
    result = {"name": "/work/app/a.test.js", "status": "passed", "assertionResults": [case]}
    path.write_text(json.dumps({"numTotalTests": 1, "testResults": [result]}))
    kept = keep_report(str(path), "jest", state_folder=str(tmp_path), started_ns=0)
    span = msgspec.structs.replace(span, report=msgspec.convert(kept, Report))
    tests, _ = read_tests([span])
    assert tests[span.span_id].outcomes == {"a.test.js::adds": "passed"}


def test_options_that_were_in_force_are_worded_as_in_argv(span: Span) -> None:
    tests, _ = read_tests([span])
    assert tests[span.span_id].options == ("-m=not slow", "--deselect=a", "--deselect=b", "--lf")


def test_without_a_working_tree_ids_stay_as_they_are(span: Span) -> None:
    tests, _ = read_tests([msgspec.structs.replace(span, git=None)])
    assert "test_a.py::test_x" in tests[span.span_id].outcomes


def test_an_altered_report_is_not_believed(span: Span) -> None:
    assert span.report is not None
    path = Path(span.report.path)
    path.write_text(path.read_text() + " ")
    tests, unread = read_tests([span])
    assert tests == {}
    assert "its sha256 differs" in unread[span.span_id]


def test_a_report_that_is_gone_is_not_believed(span: Span) -> None:
    assert span.report is not None
    Path(span.report.path).unlink()
    assert "cannot be read: No such file" in read_tests([span])[1][span.span_id]


def test_a_report_of_an_unknown_format_is_not_believed(span: Span) -> None:
    assert span.report is not None
    other = msgspec.structs.replace(span.report, format="tea-leaves")
    unread = read_tests([msgspec.structs.replace(span, report=other)])[1]
    assert "is no result format" in unread[span.span_id]


def test_a_span_without_a_report_has_nothing_to_read(span: Span) -> None:
    assert read_tests([msgspec.structs.replace(span, report=None)]) == ({}, {})
