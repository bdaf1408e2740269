from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.evidence import Base

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def _base(doubt: str) -> Base:
    return Base(
        name="main", commit="c1", tree="t", how="branch main", merge_base="c0", merge_tree="t",
        doubt=doubt,
    )  # fmt: skip


def test_a_doubted_name_is_a_warning(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(), base=_base("it was moved"))
    assert bench.only(verdict, "unverified-base").message == "--base main: it was moved"
    assert bench.only(verdict, "unverified-base").level is Level.WARNING
    assert verdict.outcome is Outcome.PASS


def test_a_name_beyond_doubt_is_no_finding_and_stands_in_the_verdict(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(), base=_base(""))
    assert bench.rules(verdict) == []
    assert verdict.base is not None
    assert (verdict.base.commit, verdict.base.merge_base) == ("c1", "c0")
