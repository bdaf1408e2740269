from collections.abc import Callable
from datetime import UTC
from typing import Any

import msgspec
import pytest

from proctor.records.span import Span
from proctor.report.span_tree import DEEPEST, tree_of
from proctor.report.style import Style

Record = Callable[..., dict[str, Any]]


@pytest.fixture
def drawn(record: Record) -> Callable[..., str]:
    """The tree of the records that are given as dictionaries of what differs."""

    def draw(*several: dict[str, Any], style: Style | None = None) -> str:
        spans = [msgspec.convert(record(**members), Span) for members in several]
        return "\n".join(tree_of(spans, style or Style(), UTC))

    return draw


SHELL = {"span_id": "s", "argv": ["bash", "-c", "pytest -q | tail -3"], "pid": 1}
RUNNER = {"span_id": "p", "parent_span_id": "s", "role": "test", "kind": "leaf", "pid": 2}


def test_the_shell_that_said_0_stands_above_the_runner_that_said_1(
    drawn: Callable[..., str],
) -> None:
    report = {"path": "r", "sha256": "", "format": "x", "passed": 3, "ids_sha256": ""}
    counts = {"executed": 5, "failed": 2, "skipped": 0}
    assert drawn(RUNNER | {"exit_code": 1, "report": report | counts}, SHELL) == (
        "2026-03-01 10:00:00  ✓ 0  bash -c 'pytest -q | tail -3'  (1.2 s)\n"
        "  └─ ✗ 1  pytest -q  (1.2 s, 5 tests, 2 failed)   ← masked: the line above said 0"
    )


def test_a_failure_that_the_shell_passes_on_is_not_masked(drawn: Callable[..., str]) -> None:
    assert "masked" not in drawn(SHELL | {"exit_code": 1}, RUNNER | {"exit_code": 1})


def test_an_image_that_became_the_next_one_masks_nothing(drawn: Callable[..., str]) -> None:
    became = SHELL | {"exit_code": None, "ended_by": "exec", "parent_span_id": "r"}
    runner = RUNNER | {"exit_code": 1}
    assert "masked" in drawn({"span_id": "r", "argv": ["sh"]}, became, runner)
    assert "masked" not in drawn(became, runner)


def test_what_a_suite_runs_is_its_own_business(drawn: Callable[..., str]) -> None:
    sample = {"span_id": "i", "parent_span_id": "p", "role": "test", "kind": "leaf", "exit_code": 1}
    assert "masked" not in drawn(SHELL, RUNNER, sample)


def test_a_failure_that_is_no_test_is_not_marked(drawn: Callable[..., str]) -> None:
    grep = {"span_id": "g", "parent_span_id": "s", "argv": ["grep", "x"], "exit_code": 1}
    assert "masked" not in drawn(SHELL, grep)


def test_branches_are_drawn_in_the_order_of_their_start(drawn: Callable[..., str]) -> None:
    late = {"span_id": "2", "parent_span_id": "s", "argv": ["late"]}
    early = {"span_id": "1", "parent_span_id": "s", "argv": ["early"]}
    below = {"span_id": "3", "parent_span_id": "1", "argv": ["below"]}
    late["started_at"] = "2026-03-01T10:00:05Z"
    shown = drawn(late, early, below, SHELL, style=Style(unicode=False)).splitlines()
    assert [line.partition("ok 0  ")[::2] for line in shown[1:]] == [
        ("  |- ", "early  (1.2 s)"),
        ("  |  `- ", "below  (1.2 s)"),
        ("  `- ", "late  (1.2 s)"),
    ]


def test_a_span_whose_parent_is_missing_is_a_root(drawn: Callable[..., str]) -> None:
    assert drawn(RUNNER | {"duration_ms": None}) == "2026-03-01 10:00:00  ✓ 0  pytest -q"


def test_parents_that_run_in_a_circle_or_down_without_end_are_no_harm(
    drawn: Callable[..., str],
) -> None:
    assert drawn(RUNNER | {"parent_span_id": "p"}).count("\n") == 0
    chain = [{"span_id": f"{n}", "parent_span_id": f"{n - 1}"} for n in range(2000)]
    deep = drawn(*chain).splitlines()
    assert len(deep) == DEEPEST + 2
    assert deep[-1] == f"{2000 - DEEPEST - 1} more, whose parents lie too deep or name one another"
    one, other = RUNNER | {"parent_span_id": "q"}, RUNNER | {"span_id": "q", "parent_span_id": "p"}
    assert drawn(one, other).startswith("2 more")


def test_equal_siblings_are_one_line_with_their_number(drawn: Callable[..., str]) -> None:
    def child(number: int, **members: Any) -> dict[str, Any]:
        return {"span_id": f"c{number}", "parent_span_id": "s", "duration_ms": 10} | members

    cats = [child(n, argv=["/bin/cat", "a"]) for n in range(57)]
    failed = child(60, argv=["/bin/cat", "a"], exit_code=1)
    other = child(61, argv=["cat", "b"])
    shell = child(62, argv=["sh", "-c", "x"])
    again = child(63, argv=["sh", "-c", "x"])
    below = {"span_id": "d", "parent_span_id": "c63", "argv": ["ls"]}
    tests = [child(n, argv=["pytest"], role="test", kind="leaf") for n in (70, 71)]
    lines = drawn(SHELL, *cats, failed, other, shell, again, below, *tests).splitlines()
    assert lines[1:] == [
        "  ├─ ✓ 0  cat a  ×57  (570 ms)",
        "  ├─ ✗ 1  cat a  (10 ms)",
        "  ├─ ✓ 0  cat b  (10 ms)",
        "  ├─ ✓ 0  sh -c x  (10 ms)",
        "  ├─ ✓ 0  sh -c x  (10 ms)",
        "  │  └─ ✓ 0  ls  (1.2 s)",
        "  ├─ ✓ 0  pytest  (10 ms)",
        "  └─ ✓ 0  pytest  (10 ms)",
    ]


def test_equal_siblings_without_a_duration_have_none(drawn: Callable[..., str]) -> None:
    lost = [
        {"span_id": f"c{n}", "parent_span_id": "s", "argv": ["cat"], "duration_ms": None}
        for n in range(2)
    ]
    assert drawn(SHELL, *lost, style=Style(unicode=False)).splitlines()[1] == "  `- ok 0  cat  x2"
