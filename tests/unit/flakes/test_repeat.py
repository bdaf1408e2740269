"""Repeating a suite, and stopping when more runs can change nothing."""

import pytest

from proctor.config import FlakesTable
from proctor.flakes.repeat import repeat
from proctor.flakes.reports import Attempts
from proctor.flakes.states import Standing, standing_of
from proctor.flakes.status import as_text, ordered, summary
from proctor.report.answer import render
from proctor.report.histories import answer_of
from proctor.report.style import Style
from tests.unit.flakes.conftest import make_runs

RULE = FlakesTable()


def made(tests: dict[str, str], times: int = 10) -> int:
    """Return how many runs are made of tests that pass and fail as told."""

    def make(number: int) -> tuple[object, list[Attempts]]:
        words = {".": ("passed",), "F": ("failed",)}
        found = [
            Attempts(test=name, shown=name, outcomes=words[marks[number - 1]])
            for name, marks in tests.items()
        ]
        return make_runs("." * number)[-1].run, found

    return max(number for number, _, _ in repeat(make, times, RULE))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tests", "runs"),
    [
        ({"a": "." * 10}, 9),
        ({"a": "F" * 10}, 10),
        ({"a": "F.F......."}, 3),
        ({"a": "F.F.......", "b": "." * 10}, 9),
        ({"a": "F........."}, 10),
    ],
)
def test_it_stops_when_nothing_can_change(tests: dict[str, str], runs: int) -> None:
    assert made(tests) == runs


def test_a_run_without_tests_decides_nothing() -> None:
    assert made({}, 3) == 3


def shown() -> list[Standing]:
    return ordered(
        [
            standing_of("t::stable", "t::stable", make_runs("....."), RULE),
            standing_of("t::f|l`aky", "t::<f>|l`aky", make_runs("F..FR"), RULE),
            standing_of("t::broken", "t::broken", make_runs("FF"), RULE),
        ]
    )


def test_what_asks_for_attention_comes_first() -> None:
    assert [one.state for one in shown()] == ["broken", "flaky"]
    every = [*shown(), standing_of("t::x", "t::x", make_runs("..."), RULE)]
    assert [one.state for one in ordered(every, every=True)] == ["broken", "flaky", "stable"]
    assert summary(every) == "1 broken, 1 flaky, 1 stable"
    assert summary([]) == "no test is known"


def test_the_table_tells_rate_interval_flips_and_evidence() -> None:
    text = as_text(shown())
    assert "flaky    F..FR        3/5 23%-88%   t::<f>|l`aky" in text
    assert "last flips: t-1 failed → passed" in text
    assert "evidence: t-0, t-3, t-4" in text


def test_markdown_and_html_hold_no_code_of_others() -> None:
    answer = answer_of(shown())
    assert "| flaky | `` t::<f>\\|l`aky `` |" in render(answer, "markdown", Style())
    page = render(answer, "html", Style())
    assert "<f>" not in page
    assert "t::&lt;f&gt;|l`aky" in page
