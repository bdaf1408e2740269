from typing import TYPE_CHECKING, Any

from proctor.findings import Outcome

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_an_echo_that_claims_tests_is_an_error(bench: Bench) -> None:
    seen = bench.seen(["echo", "5 passed"], claims="tests", denied_binary=True)
    verdict = bench.verdict(seen)
    assert verdict.outcome is Outcome.FAIL
    assert bench.rules(verdict) == ["denied-binary"]


def test_an_echo_that_claims_nothing_is_fine(bench: Bench) -> None:
    echo = bench.seen(["echo", "hello"], denied_binary=True)
    assert bench.verdict(echo, bench.seen()).findings == ()


def test_a_tool_call_that_claims_tests_and_prints_a_result_is_named(bench: Bench) -> None:
    echo = bench.seen(["echo", "5 passed"], denied_binary=True)
    call = bench.call(None, tool="run_tests", how="id", spans=(echo.span,))
    found = bench.only(bench.verdict(echo, calls=(call,)), "denied-binary")
    assert found.call_id == call.call.call_id
    assert "unwitnessed-call" not in bench.rules(bench.verdict(echo, calls=(call,)))
    honest = bench.replace(call, claims=False)
    assert "denied-binary" not in bench.rules(bench.verdict(echo, calls=(honest,)))


def test_a_denied_command_within_the_agents_own_shell_is_denied_too(bench: Bench) -> None:
    shell = bench.seen(["bash", "-c", "eval 'echo 5 passed' && pwd"])
    call = bench.call(
        "echo 5 passed", tool="run_tests", how="text", spans=(shell.span,), denied=True
    )
    assert "denied-binary" in bench.rules(bench.verdict(shell, calls=(call,)))
