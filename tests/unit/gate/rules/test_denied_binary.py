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
