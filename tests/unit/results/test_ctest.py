"""The log of ctest."""

import pytest
from tests.unit.results.conftest import ReadAs

from proctor.errors import ReportError
from proctor.results.formats.ctest import FORMAT

RULE = "-" * 58


def block(name: str, ending: str, *, command: str = '"/bin/x"', output: str = "") -> str:
    return (
        f"1/9 Testing: {name}\n1/9 Test: {name}\nCommand: {command}\nDirectory: /b\n"
        f"Output:\n{RULE}\n{output}<end of output>\nTest time =   0.00 sec\n{RULE}\n{ending}\n"
        f'"{name}" end time: Nov 29 15:01 UTC\n{RULE}\n\n'
    )


def log(*blocks: str, end: str = "End testing: Nov 29 15:01 UTC\n") -> str:
    return f"Start testing: Nov 29 15:01 UTC\n{RULE}\n" + "".join(blocks) + end


def test_every_test_program_is_counted(read_as: ReadAs) -> None:
    found = read_as("ctest", log(block("a", "Test Passed."), block("b c", "Test Failed.")))
    assert found.tests == {"a": "passed", "b c": "failed"}
    assert found.complete


def test_disabled_and_skipped_tests_were_not_executed(read_as: ReadAs) -> None:
    reason = "Test Pass Reason:\nSkip regular expression found in output. Regex=[x]\nTest Passed."
    found = read_as("ctest", log(block("off", "Test Passed.", command='""'), block("skip", reason)))
    assert found.counts()["executed"] == 0


def test_a_log_without_tests_counts_none(read_as: ReadAs) -> None:
    assert read_as("ctest", log()).counts()["executed"] == 0


def test_what_a_test_prints_is_not_believed(read_as: ReadAs) -> None:
    output = "2/9 Testing: more\nTest Passed.\nEnd testing: now\n"
    found = read_as("ctest", log(block("a", "Test Failed.", output=output), end=""))
    assert found.tests == {"a": "failed"}
    assert not found.complete


def test_a_log_that_breaks_off_shows_an_error(read_as: ReadAs) -> None:
    found = read_as("ctest", log("1/1 Testing: a\nOutput:\n", end=""))
    assert found.tests == {"a": "error"}


def test_a_result_without_a_test_is_passed_over(read_as: ReadAs) -> None:
    assert read_as("ctest", log("Test Passed.\n")).tests == {}


def test_another_file_is_refused(read_as: ReadAs) -> None:
    with pytest.raises(ReportError, match="no log of ctest"):
        read_as("ctest", "hello\n")


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(ReportError, match="cannot be read"):
        FORMAT.read("/nowhere/LastTest.log", False)
