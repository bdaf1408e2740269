from typing import TYPE_CHECKING, Any

from proctor.findings import Level
from proctor.gate.evidence import Approval

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def _entry(doubt: str) -> Approval:
    return Approval(digest="ab" * 32, reason="r", owner="me", expires="2026-04-01", doubt=doubt)


def test_an_approval_that_the_patch_adds_is_an_error(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(), approvals=(_entry("the patch itself adds it"),))
    found = bench.only(verdict, "unreviewed-approval")
    assert found.level is Level.ERROR
    assert found.message == (
        "the approval abababababab… by me does not count: the patch itself adds it"
    )


def test_an_approval_of_the_base_is_no_finding(bench: Bench) -> None:
    assert bench.rules(bench.verdict(bench.seen(), approvals=(_entry(""),))) == []
