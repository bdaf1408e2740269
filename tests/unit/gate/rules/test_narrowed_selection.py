from typing import TYPE_CHECKING, Any

from proctor.findings import Outcome
from proctor.gate.evidence import Policy

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_narrow_green_after_a_full_red_is_an_error(bench: Bench) -> None:
    for tree in ("t0", "t1"):
        verdict = bench.verdict(
            bench.seen("pytest", exit_code=1, tree=tree), bench.seen("pytest tests/test_a.py")
        )
        assert verdict.outcome is Outcome.FAIL
        assert bench.rules(verdict) == ["narrowed-selection"]
        found = bench.only(verdict, "narrowed-selection")
        assert "only a part of it was run since: `pytest tests/test_a.py`" in found.message
        assert found.cure == "proctor run -- pytest"


def test_a_masked_full_red_is_named_as_well(bench: Bench) -> None:
    shell = bench.seen(["bash", "-c", "pytest | tail"])
    red = bench.below(shell, "pytest", exit_code=1)
    verdict = bench.verdict(shell, red, bench.seen("pytest tests/test_a.py"))
    assert bench.rules(verdict) == ["masked-exit", "narrowed-selection"]


def test_a_part_of_a_requirement_is_an_error(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest"),))
    verdict = bench.verdict(bench.seen("pytest tests/test_a.py"), policy=policy)
    assert bench.rules(verdict) == ["narrowed-selection"]
    assert bench.only(verdict, "narrowed-selection").requirement == "checkout"


def test_a_variable_that_narrows_is_an_error(bench: Bench) -> None:
    what = bench.what("pytest", narrowing_env=("PYTEST_ADDOPTS: -k=x",))
    verdict = bench.verdict(bench.seen("pytest", what=what))
    assert bench.rules(verdict) == ["narrowed-selection"]
    cure = bench.only(verdict, "narrowed-selection").cure
    assert cure == "unset PYTEST_ADDOPTS; proctor run -- pytest"
