from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.beside import OracleFacts

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_fixture_that_drifted_fails(bench: Bench) -> None:
    facts = OracleFacts(path="oracle.json", steps=1, drift=("a.txt is gone in the lock",))
    verdict = bench.verdict(bench.seen(), oracle=(facts,))
    found = bench.only(verdict, "fixture-drift")
    assert (verdict.outcome, found.level) == (Outcome.FAIL, Level.ERROR)
    assert found.message == "a.txt is gone in the lock"


def test_fixtures_that_stayed_pass(bench: Bench) -> None:
    facts = OracleFacts(path="oracle.json", steps=1)
    assert bench.verdict(bench.seen(), oracle=(facts,)).outcome is Outcome.PASS
