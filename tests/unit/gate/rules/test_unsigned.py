from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.beside import Receipt, ReceiptRefusal

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_an_unsigned_receipt_is_a_warning(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(), receipts=(Receipt(path="r.json"),))
    assert bench.only(verdict, "unsigned").level is Level.WARNING
    assert (verdict.outcome, verdict.trust_level) == (Outcome.PASS, 0)


def test_where_a_signature_is_owed_it_is_an_error(bench: Bench) -> None:
    refusal = ReceiptRefusal(rule="unsigned", message="m", cure="c")
    verdict = bench.verdict(bench.seen(), receipts=(Receipt(path="r.json", refusals=(refusal,)),))
    assert bench.only(verdict, "unsigned").level is Level.ERROR
    assert verdict.outcome is Outcome.FAIL


def test_what_signed_receipts_decide_alone_reaches_level_2(bench: Bench) -> None:
    seen = bench.seen()
    run = Receipt(path="r.json", signed_by="k", run_id=seen.span.run_id)
    verdict = bench.verdict(seen, receipts=(run,))
    assert (verdict.outcome, verdict.trust_level) == (Outcome.PASS, 2)
    assert bench.verdict(seen, bench.seen(run_id="r2"), receipts=(run,)).trust_level in (0, 2)


def test_any_rule_may_refuse_a_receipt(bench: Bench) -> None:
    refusal = ReceiptRefusal(rule="stale-tree", message="m", cure="c")
    verdict = bench.verdict(bench.seen(), receipts=(Receipt(path="r.json", refusals=(refusal,)),))
    assert bench.only(verdict, "stale-tree").message == "m"
