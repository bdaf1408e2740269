from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.beside import Captured, Receipt, ReceiptRefusal

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_file_that_is_not_what_the_manifest_says_is_an_error(bench: Bench) -> None:
    changed = Captured(folder="evidence", problems=(("freeze.txt", "is missing"),))
    found = bench.only(bench.verdict(bench.seen("pytest"), captured=(changed,)), "digest-mismatch")
    assert found.level is Level.ERROR
    assert found.message == "evidence/freeze.txt is missing"
    assert found.paths == ("evidence/freeze.txt",)


def test_an_untouched_folder_is_fine(bench: Bench) -> None:
    whole = Captured(folder="evidence")
    assert bench.verdict(bench.seen("pytest"), captured=(whole,)).findings == ()


def test_a_receipt_refused_for_it_fails_the_patch(bench: Bench) -> None:
    refusal = ReceiptRefusal(rule="digest-mismatch", message="r.json: x: 1, 2", cure="again")
    verdict = bench.verdict(bench.seen(), receipts=(Receipt(path="r.json", refusals=(refusal,)),))
    found = bench.only(verdict, "digest-mismatch")
    assert (found.level, found.message, found.cure) == (Level.ERROR, "r.json: x: 1, 2", "again")
    assert verdict.outcome is Outcome.FAIL


def test_a_good_receipt_is_not(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(), receipts=(Receipt(path="r.json", signed_by="k"),))
    assert bench.rules(verdict) == []
