from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Outcome
from proctor.gate.evidence import LineRun

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


@pytest.mark.parametrize("status", ["masked", "altered", "unknown"])
def test_a_masked_runner_seen_only_as_a_line_is_unproven(bench: Bench, status: str) -> None:
    line = (LineRun(what=bench.what("pytest -q"), status=status, masked_by="| tail"),)
    shell = bench.seen(["bash", "-c", "pytest -q | tail"], witness="direct", line=line)
    verdict = bench.verdict(shell)
    assert verdict.outcome is Outcome.UNPROVEN
    assert bench.rules(verdict) == ["unprovable-exit"]
    assert bench.only(verdict, "unprovable-exit").cure == "proctor run -- pytest -q"


def test_a_line_whose_code_is_the_runners_counts(bench: Bench) -> None:
    line = (LineRun(what=bench.what("pytest -q"), status="own"),)
    shell = bench.seen(["bash", "-c", "pytest -q"], witness="direct", line=line, git=bench.git())
    assert bench.verdict(shell).outcome is Outcome.PASS


def test_a_red_line_is_red(bench: Bench) -> None:
    line = (LineRun(what=bench.what("pytest -q"), status="own"),)
    shell = bench.seen(["bash", "-c", "pytest -q"], witness="direct", line=line, exit_code=1)
    assert bench.rules(bench.verdict(shell)) == ["nonzero-exit"]


def test_a_runner_that_the_line_need_not_have_started_is_unproven(bench: Bench) -> None:
    line = (LineRun(what=bench.what("pytest"), status="own", bypassed=True),)
    shell = bench.seen(["bash", "-c", "x || pytest"], witness="direct", line=line)
    assert bench.rules(bench.verdict(shell)) == ["unprovable-exit"]


def test_a_line_that_returns_0_only_through_its_runner_counts(bench: Bench) -> None:
    line = (LineRun(what=bench.what("pytest"), status="own", conditional=True),)
    text = "git pull && pytest"
    shell = bench.seen(["bash", "-c", text], witness="direct", line=line, git=bench.git())
    assert bench.verdict(shell).outcome is Outcome.PASS


def test_a_masked_line_of_a_transcript_alone_is_unproven(bench: Bench) -> None:
    call = bench.call("pytest -q | tail -3")
    verdict = bench.verdict(calls=(call,))
    found = bench.only(verdict, "unprovable-exit")
    assert (found.call_id, found.cure) == (call.call.call_id, "proctor run -- pytest -q")
    assert "unwitnessed-call" not in bench.rules(verdict)
    assert "unprovable-exit" not in bench.rules(bench.verdict(calls=(bench.call("pytest"),)))
