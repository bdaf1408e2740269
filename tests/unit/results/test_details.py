"""Every attempt at a test: duration, moment, what a failure said."""

from pathlib import Path

import pytest

from proctor.results.base import Result
from proctor.results.fingerprint import fingerprint
from proctor.results.read import read_summary
from proctor.results.times import parse_moment, parse_seconds


def only(tmp_path: Path, case: str) -> Result:
    path = tmp_path / "one.xml"
    path.write_text(f"<testsuite>{case}</testsuite>")
    results = read_summary(str(path), "junit", detailed=True).results
    assert results is not None
    return results[-1]


def test_attempts_are_kept_only_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "one.xml"
    path.write_text('<testsuite><testcase name="a"/></testsuite>')
    assert read_summary(str(path), "junit").results is None


def test_a_failure_has_its_time_its_message_and_its_fingerprint(tmp_path: Path) -> None:
    found = only(
        tmp_path,
        '<testcase name="a" time="0,5" timestamp="2026-11-29T12:00:00+01:00">'
        '<failure type="E" message="one&#10;two"/></testcase>',
    )
    assert (found.seconds, found.started) == (0.5, "2026-11-29T11:00:00Z")
    assert found.message == "one\\ntwo"
    assert found.fingerprint == fingerprint("E", "one two")
    assert "failed" in repr(found)


def test_what_a_retry_printed_is_not_what_it_says(tmp_path: Path) -> None:
    case = '<testcase name="a"><rerunFailure type="E"><stackTrace>boom</stackTrace><system-out>{}</system-out></rerunFailure></testcase>'
    one, two = (only(tmp_path, case.format(word)) for word in ("x", "y"))
    assert one.message == "boom"
    assert one.fingerprint == two.fingerprint


def test_a_failure_told_by_an_attribute_has_a_message(tmp_path: Path) -> None:
    assert only(tmp_path, '<testcase name="a" failure="1 == 2"/>').message == "1 == 2"
    assert only(tmp_path, '<testcase name="a" status="fail"/>').fingerprint is None


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("E", "lost 0x7f2e45c5dd40"), ("E", "lost 0x7f0000001230")),
        (("E", "took 12 ms"), ("E", "took 340 ms")),
        (("E", "a.py:12: bad"), ("E", "a.py:40: bad")),
        (("E", "\x1b[31mred\x1b[0m"), ("E", "#x1B[31mred#x1B[0m")),
        (("E", "a  b\n c"), ("E", "a b c")),
        (("E", "assert 0.5312345 > 0.6"), ("E", "assert 0.1198765 > 0.6")),
        (
            ("", "AssertionError: late\nassert (4 % 2)"),
            ("", "AssertionError: late\nassert (0 % 2)"),
        ),
        (("E", "port 40123 is taken"), ("E", "port 5432 is taken")),
        (
            ("", "Failed", "=== RUN   TestA\n    a_test.go:7: bad\n--- FAIL: TestA (0.00s)\n"),
            ("", "Failed", "=== RUN   TestA\n    a_test.go:9: bad\n--- FAIL: TestA (0.01s)\n"),
        ),
        (("", "", "Error: x\n  at f (/a.js:1:2)"), ("", "", "Error: x\n  at g (/b.js:3:4)")),
    ],
)
def test_the_same_failure_has_one_fingerprint(one: tuple[str, ...], two: tuple[str, ...]) -> None:
    assert fingerprint(*one) == fingerprint(*two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("E", "lost"), ("F", "lost")),
        (("E", "assert 1 == 2"), ("E", "assert 1 == 3")),
        (("", "AssertionError: late\nassert 0"), ("", "AssertionError: lost\nassert 0")),
        (("", "Failed", "a_test.go:7: bad"), ("", "Failed", "a_test.go:7: worse")),
    ],
)
def test_another_failure_has_another_one(one: tuple[str, ...], two: tuple[str, ...]) -> None:
    assert fingerprint(*one) != fingerprint(*two)


def test_a_failure_that_says_nothing_has_none() -> None:
    assert fingerprint("", "", "") is None
    assert fingerprint("", "failed", "") is None


def test_a_stack_alone_is_still_something() -> None:
    assert fingerprint("", "", "  at f (/a.js:1:2)") is not None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1.5", 1.5),
        ("4.5e-05", 4.5e-05),
        ("0,123", 0.123),
        ("1,234.5", 1234.5),
        (" 2 ", 2.0),
        ("00:01:02.5", 62.5),
        ("-1", None),
        ("<<computed>>", None),
        ("", None),
        (None, None),
        ("nan", None),
        ("inf", None),
    ],
)
def test_durations_are_read_in_every_spelling(text: str | None, seconds: float | None) -> None:
    assert parse_seconds(text) == seconds


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-29T11:47:15.610167+00:00", "2026-11-29T11:47:15.610167Z"),
        ("2026-11-29T12:47:15+01:00", "2026-11-29T11:47:15Z"),
        ("2026-11-29T11:48:44.943Z", "2026-11-29T11:48:44.943000Z"),
        ("2026-11-29T11:48:44.9876543Z", "2026-11-29T11:48:44.987654Z"),
        ("2026-11-29T11:47:49", "2026-11-29T11:47:49"),
        ("2026-11-29 11:47", "2026-11-29T11:47:00"),
        ("2026-11-29", "2026-11-29T00:00:00"),
        ("Sun, 29 Nov 2026 11:47:56 GMT", "2026-11-29T11:47:56Z"),
        ("1795952879", "2026-11-29T11:47:59Z"),
        ("1795952879815", "2026-11-29T11:47:59.815000Z"),
        ("1970-01-01T00:00:00", None),
        ("0", None),
        ("2026-13-40", None),
        ("yesterday", None),
        ("99999999999999999999", None),
        ("", None),
        (None, None),
    ],
)
def test_moments_are_read_in_every_spelling(text: str | None, moment: str | None) -> None:
    assert parse_moment(text) == moment
