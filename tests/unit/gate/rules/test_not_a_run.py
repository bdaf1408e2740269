from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Outcome

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


@pytest.mark.parametrize("option", ["--collect-only", "--version", "-u"])
def test_an_option_that_asks_for_no_test_is_an_error(bench: Bench, option: str) -> None:
    verdict = bench.verdict(bench.seen(f"pytest -q {option}", report=None))
    assert verdict.outcome is Outcome.FAIL
    assert bench.rules(verdict) == ["not-a-run"]
    found = bench.only(verdict, "not-a-run")
    assert option in found.message
    assert found.cure == "proctor run -- pytest -q"


def test_a_dry_run_of_a_driver_is_no_run(bench: Bench) -> None:
    what = bench.what("make -n test", not_a_run="-n")
    verdict = bench.verdict(bench.seen("make -n test", what=what))
    assert bench.rules(verdict) == ["not-a-run"]


def test_a_driver_that_only_collects_is_no_run(bench: Bench) -> None:
    make = bench.seen("make test")
    verdict = bench.verdict(make, bench.below(make, "pytest --collect-only", report=None))
    assert bench.rules(verdict) == ["not-a-run"]


def test_a_version_check_in_a_driver_is_passed_over(bench: Bench) -> None:
    make = bench.seen("make test")
    version = bench.below(make, "pytest --version", report=None)
    assert bench.verdict(make, version, bench.below(make, "pytest")).findings == ()
