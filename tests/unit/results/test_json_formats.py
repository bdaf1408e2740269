"""Reports in JSON: rspec, jest, CTRF."""

import importlib
import json

import pytest
from tests.unit.results.conftest import ReadAs

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
        chosen.read("/nowhere/report.json")


def test_a_run_that_was_broken_off_is_not_complete(read_as: ReadAs) -> None:
    assert not read_as("jest", json.dumps({**JEST, "wasInterrupted": True})).complete
