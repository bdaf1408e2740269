"""Reports in JSON: rspec, jest, CTRF."""

import importlib
import json

import pytest
from tests.unit.results.conftest import Attempts, ReadAs

from proctor.errors import ReportError

RSPEC = {
    "version": "3.12.0",
    "examples": [
        {"full_description": "x y", "status": "passed", "file_path": "./spec/a_spec.rb"},
        {"full_description": "x z", "status": "failed", "file_path": "./spec/a_spec.rb"},
        {"full_description": "later", "status": "pending"},
    ],
    "summary": {"example_count": 3, "errors_outside_of_examples_count": 1},
}
JEST = {
    "numTotalTests": 3,
    "wasInterrupted": False,
    "testResults": [
        {
            "name": "/r/a.test.js",
            "status": "failed",
            "assertionResults": [
                {"fullName": "adds", "status": "passed", "title": "adds"},
                {"status": "failed", "title": "subtracts"},
                {"fullName": "later", "status": "todo"},
            ],
        },
        {"name": "/r/b.test.js", "status": "failed", "assertionResults": []},
    ],
}
CTRF = {
    "results": {
        "tool": {"name": "any"},
        "summary": {"tests": 3},
        "tests": [
            {"name": "a", "status": "passed", "suite": "s", "filePath": "f.js", "flaky": True},
            {"name": "b", "status": "failed", "suite": ["s", "t"]},
            {"name": "c", "status": "pending"},
        ],
    }
}
REPORTS = {"rspec": RSPEC, "jest": JEST, "ctrf": CTRF}


def test_examples_of_rspec_are_counted(read_as: ReadAs) -> None:
    found = read_as("rspec", json.dumps(RSPEC))
    assert found.tests == {
        "spec/a_spec.rb::x y": "passed",
        "spec/a_spec.rb::x z": "failed",
        "later": "skipped",
    }
    assert found.counts() == {"executed": 2, "passed": 1, "failed": 2, "skipped": 1}


def test_a_file_that_jest_cannot_load_is_an_error(read_as: ReadAs) -> None:
    found = read_as("jest", json.dumps(JEST))
    assert found.tests == {
        "/r/a.test.js::adds": "passed",
        "/r/a.test.js::subtracts": "failed",
        "/r/a.test.js::later": "skipped",
    }
    assert found.counts()["failed"] == 2


def test_ctrf_names_file_suite_and_test(read_as: ReadAs) -> None:
    found = read_as("ctrf", json.dumps(CTRF))
    assert found.tests == {"f.js::s::a": "passed", "s::t::b": "failed", "c": "skipped"}
    assert list(found.retried) == ["f.js::s::a"]


@pytest.mark.parametrize("name", REPORTS)
def test_counts_that_disagree_are_told(read_as: ReadAs, name: str) -> None:
    assert not read_as(name, json.dumps(REPORTS[name])).disagreements
    text = json.dumps(REPORTS[name])
    for count in ('"example_count": 3', '"numTotalTests": 3', '"tests": 3'):
        text = text.replace(count, count.replace("3", "4"))
    assert read_as(name, text).disagreements


@pytest.mark.parametrize("name", REPORTS)
def test_an_unknown_outcome_is_refused(read_as: ReadAs, name: str) -> None:
    text = json.dumps(REPORTS[name]).replace('"passed"', '"splendid"')
    with pytest.raises(ReportError, match="'splendid' is no outcome"):
        read_as(name, text)


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("text", ["{}", "<xml/>", "[]"])
def test_another_file_is_refused(read_as: ReadAs, name: str, text: str) -> None:
    with pytest.raises(ReportError, match="no "):
        read_as(name, text)


@pytest.mark.parametrize("name", REPORTS)
def test_a_file_that_is_not_there_is_refused(name: str) -> None:
    chosen = importlib.import_module(f"proctor.results.formats.{name}").FORMAT
    with pytest.raises(ReportError, match="cannot be read"):
        chosen.read("/nowhere/report.json", False)


def test_a_run_that_was_broken_off_is_not_complete(read_as: ReadAs) -> None:
    assert not read_as("jest", json.dumps({**JEST, "wasInterrupted": True})).complete


def test_rspec_tells_what_a_failure_said(attempts: Attempts) -> None:
    failed = {
        "full_description": "x",
        "status": "failed",
        "exception": {"class": "E", "message": "m"},
    }
    text = json.dumps({"examples": [failed], "summary": {"example_count": 1}})
    assert attempts("rspec", text) == [("x", "failed")]


def test_jest_tells_the_tries_before_the_last(read_as: ReadAs, attempts: Attempts) -> None:
    one = {
        "fullName": "a",
        "status": "passed",
        "invocations": 3,
        "retryReasons": ["Error: lost"],
        "duration": 4,
        "startAt": 1795952879815,
    }
    two = {"fullName": "b", "status": "failed", "failureMessages": ["Error: x\n  at f (a.js:1:2)"]}
    file = {"name": "f.js", "status": "passed", "assertionResults": [one, two]}
    text = json.dumps({"numTotalTests": 2, "testResults": [file]})
    assert list(read_as("jest", text).retried) == ["f.js::a"]
    assert [outcome for _, outcome in attempts("jest", text)] == [
        *("failed", "failed", "passed"),
        "failed",
    ]


@pytest.mark.parametrize(
    ("members", "outcomes"),
    [
        ({"status": "passed", "flaky": True}, ["failed", "passed"]),
        ({"status": "passed", "flaky": True, "retries": 2}, ["failed", "failed", "passed"]),
        ({"status": "failed", "retries": 1, "message": "m"}, ["failed", "failed"]),
        (
            {"status": "passed", "retries": 1, "retryAttempts": [{"status": "failed", "start": 1}]},
            ["failed", "passed"],
        ),
        (
            {
                "status": "passed",
                "retries": 1,
                "duration": 12,
                "retryAttempts": [{"status": "failed"}, {"status": "passed"}],
            },
            ["failed", "passed"],
        ),
        ({"status": "skipped"}, ["skipped"]),
    ],
)
def test_ctrf_tells_the_tries_in_either_way(
    attempts: Attempts, members: dict[str, object], outcomes: list[str]
) -> None:
    test = {"name": "a", **members}
    text = json.dumps({"results": {"tests": [test], "summary": {"tests": 1}}})
    assert [outcome for _, outcome in attempts("ctrf", text)] == outcomes


def test_the_plugin_tells_how_often_a_test_failed_first(attempts: Attempts) -> None:
    text = json.dumps(
        {
            "schema": "proctor.pytest/1",
            "complete": True,
            "tests": [["t.py::a", "passed"], ["t.py::b", "passed"]],
            "retried": {"t.py::a": 2},
        }
    )
    assert [outcome for _, outcome in attempts("proctor_pytest", text)] == [
        *("failed", "failed", "passed"),
        "passed",
    ]
