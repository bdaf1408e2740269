from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.beside import OracleFacts

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_sequence_that_was_left_out_fails(bench: Bench) -> None:
    facts = OracleFacts(path="oracle.json", steps=1, corpus_drift=("the seed 'B' is gone",))
    verdict = bench.verdict(bench.seen(), oracle=(facts,))
    found = bench.only(verdict, "corpus-drift")
    assert (verdict.outcome, found.level) == (Outcome.FAIL, Level.ERROR)


def test_a_whole_corpus_passes(bench: Bench) -> None:
    facts = OracleFacts(path="oracle.json", steps=1)
    assert bench.verdict(bench.seen(), oracle=(facts,)).outcome is Outcome.PASS
