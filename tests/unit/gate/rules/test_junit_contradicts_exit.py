from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Outcome

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({"failed": 2}, "counts 2 failed"),
        ({"exit_status": 1}, "meant to return 1"),
        ({"complete": False}, "never finished"),
    ],
)
def test_a_report_that_denies_the_zero_is_an_error(bench: Bench, members: Any, why: str) -> None:
    verdict = bench.verdict(bench.seen(report=bench.report(**members)))
    assert verdict.outcome is Outcome.FAIL
    assert bench.rules(verdict) == ["junit-contradicts-exit"]
    assert why in bench.only(verdict, "junit-contradicts-exit").message


def test_a_report_of_a_red_run_contradicts_nothing(bench: Bench) -> None:
    leaf = bench.seen(exit_code=1, report=bench.report(failed=1, exit_status=1))
    assert bench.rules(bench.verdict(leaf)) == ["nonzero-exit"]
