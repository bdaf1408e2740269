from typing import TYPE_CHECKING, Any

from proctor.findings import Outcome

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_red_run_below_a_shell_that_said_0_names_both(bench: Bench) -> None:
    shell = bench.seen(["bash", "-c", "cd app && pytest -q | tail -3"])
    leaf = bench.below(shell, "pytest -q", exit_code=1, cwd="/work/app/web")
    verdict = bench.verdict(shell, leaf)
    assert verdict.outcome is Outcome.FAIL
    found = bench.only(verdict, "masked-exit")
    assert "`pytest -q` returned 1" in found.message
    assert "`bash -c 'cd app && pytest -q | tail -3'` above it returned 0" in found.message
    assert found.cure.endswith("cd web && proctor run -- pytest -q")
    assert bench.rules(verdict) == ["masked-exit"]


def test_a_zero_far_above_masks_too(bench: Bench) -> None:
    outer = bench.seen(["bash", "-c", "bash t.sh; echo done"])
    inner = bench.below(outer, "bash t.sh", exit_code=1)
    verdict = bench.verdict(outer, inner, bench.below(inner, "pytest", exit_code=1))
    assert "echo done" in bench.only(verdict, "masked-exit").message


def test_a_build_tool_that_ignores_errors_masks(bench: Bench) -> None:
    make = bench.seen("make test")
    verdict = bench.verdict(make, bench.below(make, "pytest", exit_code=1))
    assert "`make test` above it returned 0" in bench.only(verdict, "masked-exit").message


def test_a_program_that_swallows_the_code_masks(bench: Bench) -> None:
    script = bench.seen("python run_tests.py")
    verdict = bench.verdict(script, bench.below(script, "pytest", exit_code=1))
    assert bench.rules(verdict) == ["masked-exit"]


def test_an_image_replaced_by_the_runner_masks_nothing(bench: Bench) -> None:
    shell = bench.seen(["bash", "-c", "pytest"], exit_code=None, ended_by="exec")
    verdict = bench.verdict(shell, bench.below(shell, "pytest", exit_code=1))
    assert bench.rules(verdict) == ["nonzero-exit"]


def test_a_missing_module_below_a_pipe_is_masked(bench: Bench) -> None:
    shell = bench.seen(["bash", "-c", "pytest -q | tail -5"])
    leaf = bench.below(shell, "pytest -q", exit_code=1, report=None)
    assert bench.rules(bench.verdict(shell, leaf)) == ["masked-exit"]


def test_the_tool_call_that_it_belongs_to_is_named(bench: Bench) -> None:
    shell = bench.seen(["bash", "-c", "pytest -q | tail -3"])
    leaf = bench.below(shell, "pytest -q", exit_code=1)
    call = bench.call("pytest -q | tail -3", leaf)
    verdict = bench.verdict(shell, leaf, calls=(call,))
    assert bench.only(verdict, "masked-exit").call_id == call.call.call_id
