"""The events of `go test -json`."""

import json

import pytest
from tests.unit.results.conftest import Attempts, ReadAs

from proctor.errors import ReportError


def events(*rows: tuple[str, str] | tuple[str, str, str]) -> str:
    lines = []
    for row in rows:
        action, test, *output = row
        event: dict[str, object] = {
            "Time": "2026-11-29T11:47:28.1Z",
            "Action": action,
            "Package": "shop",
        }
        if test:
            event["Test"] = test
        if action in ("pass", "fail", "skip"):
            event["Elapsed"] = 0.25
        if output:
            event["Output"] = output[0]
        lines.append(json.dumps(event) + "\n")
    return "".join(lines)


GREEN = events(("start", ""), ("run", "TestA"), ("pass", "TestA"), ("skip", "TestB"), ("pass", ""))
PANIC = events(
    ("run", "TestA"), ("output", "TestA", "panic: boom\n"), ("run", "TestA/b"), ("fail", "")
)


def test_events_are_counted(read_as: ReadAs) -> None:
    found = read_as("go_test_json", GREEN)
    assert found.tests == {"shop::TestA": "passed", "shop::TestB": "skipped"}
    assert found.complete
    assert found.seconds == 0.25


def test_a_test_that_a_panic_ended_is_an_error(read_as: ReadAs) -> None:
    found = read_as("go_test_json", PANIC)
    assert found.tests == {"shop::TestA": "error", "shop::TestA/b": "error"}
    assert found.suite_errors == 0


def test_a_package_that_does_not_compile_is_an_error_of_the_suite(read_as: ReadAs) -> None:
    text = "# shop\n./a.go:1: undefined: x\n" + events(("start", ""), ("fail", ""))
    found = read_as("go_test_json", text)
    assert found.counts()["failed"] == 1
    assert list(found.repairs) == ["lines that are no events left out"]


def test_a_test_run_again_by_gotestsum_is_a_retry(read_as: ReadAs, attempts: Attempts) -> None:
    first = events(
        ("run", "TestA"),
        ("output", "TestA", "=== RUN   TestA\n"),
        ("output", "TestA", "a_test.go:4: no answer\n"),
        ("fail", "TestA"),
        ("fail", ""),
    )
    second = events(("run", "TestA"), ("pass", "TestA"), ("pass", ""))
    assert list(read_as("go_test_json", first + second).retried) == ["shop::TestA"]
    assert [o for _, o in attempts("go_test_json", first + second)] == ["failed", "passed"]


def test_a_report_that_breaks_off_is_incomplete(read_as: ReadAs) -> None:
    found = read_as("go_test_json", events(("run", "TestA")) + '{"Action":"pa')
    assert not found.complete
    assert found.tests == {"shop::TestA": "error"}


def test_output_of_no_test_and_endings_without_a_beginning_are_taken(read_as: ReadAs) -> None:
    long = "x" * 5000
    text = events(
        ("output", "TestGone", "late\n"),
        ("run", "TestA"),
        ("output", "TestA", long),
        ("output", "TestA", long),
        ("bench", "TestA"),
        ("pass", "TestA"),
        ("pass", "TestB"),
    )
    ended = '{"Action":"pass","Package":"shop"}\n'
    found = read_as("go_test_json", text + ended)
    assert found.tests == {"shop::TestA": "passed", "shop::TestB": "passed"}
    assert found.seconds is None


@pytest.mark.parametrize("text", ["", "ok shop 0.1s\n", "{not json}\n"])
def test_what_holds_no_event_is_refused(read_as: ReadAs, text: str) -> None:
    with pytest.raises(ReportError, match="no events of go test -json"):
        read_as("go_test_json", text)


def test_a_file_that_is_not_there_and_too_many_tests_are_refused(
    read_as: ReadAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    from proctor.results.formats import go_test_json

    with pytest.raises(ReportError, match="cannot be read"):
        go_test_json.FORMAT.read("/nowhere/x.jsonl", False)
    monkeypatch.setattr(go_test_json, "_TEST_LIMIT", 0)
    with pytest.raises(ReportError, match="more than 0 tests"):
        read_as("go_test_json", GREEN)
