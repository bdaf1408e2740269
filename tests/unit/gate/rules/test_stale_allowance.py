from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.beside import OracleFacts

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_an_entry_that_allows_nothing_is_a_warning(bench: Bench) -> None:
    facts = OracleFacts(path="oracle.json", steps=1, allowances=("entry 1 (seed A) is stale",))
    verdict = bench.verdict(bench.seen(), oracle=(facts,))
    assert bench.only(verdict, "stale-allowance").level is Level.WARNING
    assert verdict.outcome is Outcome.PASS
