from typing import TYPE_CHECKING, Any

from proctor.findings import Outcome

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_red_run_is_an_error(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("pytest -q", exit_code=1))
    assert verdict.outcome is Outcome.FAIL
    found = bench.only(verdict, "nonzero-exit")
    assert found.message == "`pytest -q` returned 1"
    assert found.cure == "mend what fails, then: proctor run -- pytest -q"


def test_last_seen_red_on_earlier_files_is_an_error(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(exit_code=1, tree="t0"))
    assert "on earlier files" in bench.only(verdict, "nonzero-exit").message


def test_a_driver_below_which_all_is_green_is_the_cause_itself(bench: Bench) -> None:
    make = bench.seen("make test", exit_code=2)
    verdict = bench.verdict(make, bench.below(make, "pytest"))
    assert bench.only(verdict, "nonzero-exit").argv == ("make", "test")


def test_a_driver_above_a_red_leaf_is_not_named_as_well(bench: Bench) -> None:
    make = bench.seen("make test", exit_code=2)
    verdict = bench.verdict(make, bench.below(make, "pytest", exit_code=1))
    found = bench.only(verdict, "nonzero-exit")
    assert found.argv == ("pytest",)
    assert found.cure.endswith("proctor run -- make test")


def test_an_agent_that_was_given_the_code_hides_nothing(bench: Bench) -> None:
    agent = bench.seen("claude")
    shell = bench.below(agent, ["bash", "-c", "pytest"], exit_code=1)
    verdict = bench.verdict(agent, shell, bench.below(shell, "pytest", exit_code=1))
    assert bench.rules(verdict) == ["nonzero-exit"]
