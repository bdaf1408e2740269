from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.evidence import Tests

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def _red(bench: Bench, **members: Any) -> Any:
    return bench.seen(exit_code=1, **{"report": bench.report(failed=1), **members})


def test_red_then_green_of_the_same_tests_is_unproven_with_the_count(bench: Bench) -> None:
    verdict = bench.verdict(*(_red(bench) for _ in range(6)), bench.seen())
    assert verdict.outcome is Outcome.UNPROVEN
    assert (verdict.attempts, verdict.red) == (7, 6)
    found = bench.only(verdict, "retried-to-green")
    assert "attempts on this tree: 7, red 6" in found.message


def test_red_before_a_fix_is_no_retry(bench: Bench) -> None:
    assert bench.verdict(_red(bench, tree="t0"), bench.seen()).outcome is Outcome.PASS


def test_a_change_that_cannot_change_tests_is_no_fix(bench: Bench) -> None:
    tree = bench.tree(bench.edited("notes.txt"))
    verdict = bench.verdict(_red(bench, tree="t0"), bench.seen(), tree=tree)
    assert bench.rules(verdict) == ["retried-to-green"]


def test_other_tests_are_no_retry(bench: Bench) -> None:
    other = _red(bench, report=bench.report(1, failed=1))
    assert bench.verdict(other, bench.seen()).outcome is Outcome.PASS


def test_without_reports_the_same_command_is_the_same(bench: Bench) -> None:
    verdict = bench.verdict(_red(bench, report=None), bench.seen(report=None))
    assert bench.rules(verdict) == ["retried-to-green", "missing-junit"]


def test_a_run_that_could_not_test_is_no_red_test(bench: Bench) -> None:
    could_not = bench.seen(exit_code=4, report=None)
    assert bench.verdict(could_not, bench.seen(report=None)).outcome is Outcome.PASS


def test_a_driver_that_reached_no_test_is_no_red_test(bench: Bench) -> None:
    make = bench.seen("make test")
    failed = bench.seen("make test", exit_code=2, started_at="2026-02-01T00:00:00Z")
    assert bench.verdict(failed, make, bench.below(make, "pytest")).outcome is Outcome.PASS


def test_what_the_runner_tried_again_until_it_passed_is_noted(bench: Bench) -> None:
    seen = bench.seen()
    tests = {seen.span.span_id: Tests(outcomes={"t.py::a": "passed"}, retried=("t.py::a",))}
    verdict = bench.verdict(seen, tests=tests)
    assert verdict.outcome is Outcome.PASS
    note = bench.only(verdict, "retried-to-green")
    assert note.level is Level.NOTE
    assert note.message == "`pytest -q` tried again what failed, until it passed: t.py::a"
