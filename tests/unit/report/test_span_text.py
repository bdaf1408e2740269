from collections.abc import Callable
from datetime import UTC
from typing import Any

import msgspec
import pytest

from proctor.records.span import Span
from proctor.report.span_text import (
    command_of,
    counts_of,
    end_of,
    failed,
    is_test,
    line_of,
    started,
    took,
)
from proctor.report.style import Style

Record = Callable[..., dict[str, Any]]
REPORT = {"path": "r", "sha256": "", "format": "junit", "passed": 1, "ids_sha256": ""}


@pytest.fixture
def span(record: Record) -> Callable[..., Span]:
    return lambda **members: msgspec.convert(record(**members), Span)


@pytest.mark.parametrize(
    ("members", "shown", "bad"),
    [
        ({}, "✓ 0", False),
        ({"exit_code": 1}, "✗ 1", True),
        ({"exit_code": 137, "signal": "SIGKILL"}, "✗ KILL", True),
        ({"exit_code": 143, "signal": "SIGTERM", "timed_out": True}, "✗ timeout", True),
        ({"exit_code": None, "duration_ms": None, "ended_by": "lost"}, "? lost", True),
        ({"exit_code": None, "ended_by": "exec"}, "↪ exec", False),
    ],
)
def test_every_end_has_a_word(
    span: Callable[..., Span], members: dict[str, Any], shown: str, *, bad: bool
) -> None:
    one = span(**members)
    assert end_of(one, Style())[0] == shown
    assert end_of(one, Style(unicode=False))[0].isascii()
    assert failed(one) is bad


def test_a_worker_is_no_test_run(span: Callable[..., Span]) -> None:
    assert is_test(span(role="test", kind="leaf"))
    assert not is_test(span(role="test", kind="worker"))
    assert not is_test(span(role="vcs"))


@pytest.mark.parametrize(
    ("counts", "shown"),
    [
        ({"executed": 1, "failed": 0, "skipped": 0}, "1 test"),
        ({"executed": 12, "failed": 2, "skipped": 3}, "12 tests, 2 failed, 3 skipped"),
    ],
)
def test_executed_tests_show_where_a_report_counted_them(
    span: Callable[..., Span], counts: dict[str, int], shown: str
) -> None:
    assert counts_of(span(report=REPORT | counts)) == shown
    assert counts_of(span()) == ""


@pytest.mark.parametrize(
    ("duration_ms", "shown"),
    [
        (None, "-"),
        (0, "0 ms"),
        (999, "999 ms"),
        (1000, "1.0 s"),
        (99_900, "99.9 s"),
        (120_000, "2 m 00 s"),
        (7_260_000, "2 h 01 m"),
    ],
)
def test_durations_have_the_unit_a_person_would_choose(duration_ms: int | None, shown: str) -> None:
    assert took(duration_ms) == shown


def test_times_are_shown_in_a_zone_and_nonsense_as_it_is() -> None:
    assert started("2026-03-01T10:00:00.5Z", UTC) == "2026-03-01 10:00:00"
    assert started("yester\nday") == "yester\\nday"
    assert started("") == "-"
    assert started("0001-01-01T00:00:00+23:00", UTC) == "0001-01-01T00:00:00"


def test_a_line_holds_when_how_long_what_and_how_many(span: Callable[..., Span]) -> None:
    one = span(command_class="pytest", report=REPORT | {"executed": 7, "failed": 0, "skipped": 0})
    assert line_of(one, Style(), UTC) == (
        "2026-03-01 10:00:00  ✓ 0          1.2 s  pytest       pytest -q  7 tests"
    )
    assert len(line_of(span(argv=["x" * 90]), Style(width=80), UTC)) <= 80


@pytest.mark.parametrize(
    ("argv", "shown"),
    [
        (["/v/bin/python3", "/v/bin/pytest", "-q"], "pytest -q"),
        (["/usr/bin/python3", "-m", "pytest"], "python3 -m pytest"),
        (
            ["/usr/bin/node", "/app/node_modules/jest/bin/jest.js"],
            "node /app/node_modules/jest/bin/jest.js",
        ),
        (["./gradlew", "test"], "./gradlew test"),
        ([], "''"),
    ],
)
def test_a_command_is_shown_without_its_folders(
    span: Callable[..., Span], argv: list[str], shown: str
) -> None:
    assert command_of(span(argv=argv)) == shown
