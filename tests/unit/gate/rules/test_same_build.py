from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.beside import OracleFacts

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_one_build_on_both_sides_proves_nothing(bench: Bench) -> None:
    facts = OracleFacts(path="oracle.json", steps=1, same_build=True)
    verdict = bench.verdict(bench.seen(), oracle=(facts,))
    assert bench.only(verdict, "same-build").level is Level.UNPROVEN
    assert verdict.outcome is Outcome.UNPROVEN


def test_a_build_without_a_sign_of_life_proves_nothing(bench: Bench) -> None:
    facts = OracleFacts(path="oracle.json", lifeless=("nothing was compared",))
    verdict = bench.verdict(bench.seen(), oracle=(facts,))
    assert "nothing was compared" in bench.only(verdict, "same-build").message
    assert verdict.outcome is Outcome.UNPROVEN


def test_two_builds_pass(bench: Bench) -> None:
    facts = OracleFacts(path="oracle.json", steps=1)
    assert bench.verdict(bench.seen(), oracle=(facts,)).outcome is Outcome.PASS
