from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.beside import OracleFacts

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


FLAGGED = OracleFacts(
    path="oracle.json",
    steps=10,
    deltas=6,
    flagged=4,
    changes=("set: warn none → duplicate", "get: hit", "a", "b"),
    delta_set="d" * 64,
)


def test_flagged_deltas_fail_and_name_the_changes(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(), oracle=(FLAGGED,))
    found = bench.only(verdict, "flagged-delta")
    assert (verdict.outcome, found.level) == (Outcome.FAIL, Level.ERROR)
    assert "4 of 6 deltas are flagged: set: warn none → duplicate" in found.message
    assert "and 1 more" in found.message


def test_without_a_base_there_is_nothing_to_approve(bench: Bench) -> None:
    found = bench.only(bench.verdict(bench.seen(), oracle=(FLAGGED,)), "flagged-delta")
    assert found.digest is None
    assert found.cure.endswith("proctor oracle check --base origin/main")


def test_more_unstable_fields_than_may_be_prove_nothing(bench: Bench) -> None:
    facts = OracleFacts(path="oracle.json", steps=10, unstable=6, cap=5)
    found = bench.only(bench.verdict(bench.seen(), oracle=(facts,)), "flagged-delta")
    assert found.level is Level.UNPROVEN


def test_what_is_allowed_or_of_another_state_is_no_finding(bench: Bench) -> None:
    allowed = OracleFacts(path="oracle.json", steps=10, deltas=2, unstable=5, cap=5)
    assert bench.verdict(bench.seen(), oracle=(allowed,)).outcome is Outcome.PASS
    stale = OracleFacts(path="o", steps=1, flagged=1, deltas=1, stale=("app.py changed since",))
    verdict = bench.verdict(bench.seen(), oracle=(stale,))
    assert bench.rules(verdict) == ["stale-tree"]
