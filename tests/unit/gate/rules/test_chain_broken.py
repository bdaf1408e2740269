from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.evidence import LogFacts, Policy, Problem

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def _log(*problems: Problem) -> LogFacts:
    return LogFacts(path="/s/spans.jsonl", records=9, problems=problems)


def test_a_broken_chain_is_an_error_over_a_green_run(bench: Bench) -> None:
    log = _log(Problem(line=3, why="line 3 was altered"), Problem(line=4, why="line 4 …"))
    for policy in (Policy(), Policy(every=True)):
        verdict = bench.verdict(bench.seen(), logs=(log,), policy=policy)
        assert verdict.outcome is Outcome.FAIL
        found = bench.only(verdict, "chain-broken")
        assert found.message == "/s/spans.jsonl: line 3 was altered (and 1 more)"
        assert found.cure == "proctor verify /s/spans.jsonl"


def test_a_torn_line_is_a_warning(bench: Bench) -> None:
    log = _log(Problem(line=9, why="line 9 was torn", broken=False))
    verdict = bench.verdict(bench.seen(), logs=(log,))
    assert verdict.outcome is Outcome.PASS
    assert bench.only(verdict, "chain-broken").level is Level.WARNING
