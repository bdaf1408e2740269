"""The Test Anything Protocol."""

import pytest
from tests.unit.results.conftest import ReadAs

from proctor.errors import ReportError
from proctor.results.formats.tap import FORMAT

NODE = """TAP version 13
# Subtest: outer
    # Subtest: inner
    ok 1 - inner
      ---
      duration_ms: 0.2
      not ok 7 - printed
      ...
    not ok 2 - worse
    1..2
not ok 1 - outer
ok 2 - later # SKIP not now
ok 3 # TODO some day
not ok 4 - hard # todo
1..4
# tests 5
"""


def test_deeper_points_are_the_tests_and_their_sum_is_none(read_as: ReadAs) -> None:
    found = read_as("tap", NODE)
    assert found.tests == {
        "outer > inner": "passed",
        "outer > worse": "failed",
        "later": "skipped",
        "test 3": "xpassed",
        "hard": "xfailed",
    }
    assert found.complete


def test_a_block_that_fails_by_itself_is_a_failure(read_as: ReadAs) -> None:
    found = read_as("tap", "    ok 1 - a\n    1..1\nnot ok 1 - block\n1..1\n")
    assert found.tests == {"block > a": "passed", "block": "failed"}


def test_three_levels_are_told_apart(read_as: ReadAs) -> None:
    text = "        ok 1 - c\n        1..1\n    ok 1 - b\n    1..1\nok 1 - a\n1..1\n"
    assert read_as("tap", text).tests == {"a > b > c": "passed"}


@pytest.mark.parametrize(
    "text",
    [
        "1..2\nok 1 - a\n",
        "ok 1 - a\n",
        "1..1\nok 1 - a\nBail out! no database\n",
        "    ok 1 - a\n1..0\n",
    ],
)
def test_a_report_that_breaks_off_is_not_complete(read_as: ReadAs, text: str) -> None:
    assert not read_as("tap", text).complete


def test_a_plan_of_none_is_a_report_of_none(read_as: ReadAs) -> None:
    found = read_as("tap", "TAP version 14\n1..0 # SKIP nothing here\n")
    assert found.complete
    assert found.counts()["executed"] == 0


def test_a_number_sign_in_a_name_is_no_directive(read_as: ReadAs) -> None:
    assert read_as("tap", "ok 1 - a \\# skip\n1..1\n").tests == {"a \\# skip": "passed"}


def test_points_nested_beyond_reason_are_passed_over(read_as: ReadAs) -> None:
    assert read_as("tap", f"{' ' * 400}ok 1 - deep\nok 1 - a\n1..1\n").tests == {"a": "passed"}


def test_another_file_is_refused(read_as: ReadAs) -> None:
    with pytest.raises(ReportError, match="no TAP report"):
        read_as("tap", "okay then\nnothing\n")


def test_too_many_tests_are_refused(read_as: ReadAs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proctor.results.formats.tap.TEST_LIMIT", 1)
    with pytest.raises(ReportError, match="more than 1 tests"):
        read_as("tap", "ok 1\nok 2\n")


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(ReportError, match="cannot be read"):
        FORMAT.read("/nowhere/report.tap", False)
