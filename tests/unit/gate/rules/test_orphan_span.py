from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_run_that_no_call_asked_for_is_a_warning(bench: Bench) -> None:
    run = bench.seen("pytest -q")
    verdict = bench.verdict(run, orphans=(run,))
    assert verdict.outcome is Outcome.PASS
    found = bench.only(verdict, "orphan-span")
    assert (found.level, found.span_id) == (Level.WARNING, run.span.span_id)
