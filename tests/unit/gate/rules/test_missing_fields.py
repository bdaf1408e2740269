from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.beside import Receipt, ReceiptRefusal

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_receipt_refused_for_it_fails_the_patch(bench: Bench) -> None:
    refusal = ReceiptRefusal(rule="missing-fields", message="r.json: x: 1, 2", cure="again")
    verdict = bench.verdict(bench.seen(), receipts=(Receipt(path="r.json", refusals=(refusal,)),))
    found = bench.only(verdict, "missing-fields")
    assert (found.level, found.message, found.cure) == (Level.ERROR, "r.json: x: 1, 2", "again")
    assert verdict.outcome is Outcome.FAIL


def test_a_good_receipt_is_not(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(), receipts=(Receipt(path="r.json", signed_by="k"),))
    assert bench.rules(verdict) == []
