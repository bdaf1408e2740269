from typing import TYPE_CHECKING, Any

from proctor.gate.evidence import LogFacts, Pending

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_missing_log_is_named(bench: Bench) -> None:
    log = LogFacts(path="/s/spans.jsonl", exists=False)
    found = bench.only(bench.verdict(logs=(log,)), "no-records")
    assert found.message == "nothing was recorded: there is no /s/spans.jsonl"
    assert found.cure.startswith("proctor run -- ")


def test_an_empty_log_is_said(bench: Bench) -> None:
    assert "the log is empty" in bench.only(bench.verdict(), "no-records").message


def test_a_run_in_progress_is_waited_for(bench: Bench) -> None:
    pending = Pending(
        run_id="r", argv=("pytest",), cwd="/work/app", started_at="x", boot_id="boot", locked=True
    )
    found = bench.only(bench.verdict(pendings=(pending,)), "no-records")
    assert found.cure == "wait for its end"


def test_records_without_a_test_are_no_run_where_git_is_missing(bench: Bench) -> None:
    found = bench.only(bench.verdict(bench.seen("ls"), tree=None), "no-records")
    assert found.message == "no test run of this repository is recorded"
