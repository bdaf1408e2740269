from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Level, Outcome
from proctor.gate.evidence import LineRun, Pending
from proctor.join.toolcall import Told

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def _rules(bench: Bench, asked: str, ran: str, **members: Any) -> list[str]:
    run = bench.seen(ran)
    found = bench.rules(bench.verdict(run, calls=(bench.call(asked, run, **members),)))
    return [rule for rule in found if rule == "argv-mismatch"]


@pytest.mark.parametrize(
    ("asked", "ran"),
    [
        ("pytest tests/test_checkout.py", "pytest -q"),
        ("pytest -q", "pytest tests/test_a.py"),
        ("pytest -q", "pytest -k x"),
        ("pytest -q", "pytest --collect-only"),
        ("pytest tests/test_*.py tests/more", "pytest tests/test_a.py"),
    ],
)
def test_what_ran_is_not_what_the_call_says(bench: Bench, asked: str, ran: str) -> None:
    assert _rules(bench, asked, ran) == ["argv-mismatch"]


@pytest.mark.parametrize(
    ("asked", "ran"),
    [
        ("pytest tests", "pytest -q tests"),
        ("pytest tests/test_*.py", "pytest tests/test_a.py tests/test_b.py"),
        ("pytest '$T' tests/x", "pytest tests/x tests/y"),
        ("pytest tests/{a,b}.py", "pytest tests/a.py tests/b.py"),
        ("pytest -k '***'", "pytest -k '***'"),
        ("make test", "pytest tests/test_a.py"),
        ("jest", "pytest"),
    ],
)
def test_what_a_shell_or_a_driver_may_make_of_it_is_no_mismatch(
    bench: Bench, asked: str, ran: str
) -> None:
    assert _rules(bench, asked, ran) == []


def test_words_that_xargs_adds_are_no_mismatch(bench: Bench) -> None:
    line = (LineRun(what=bench.what("pytest -q", wrappers=("xargs",)), status="own"),)
    assert _rules(bench, "ls | xargs pytest -q", "pytest -q tests/test_a.py", line=line) == []


def test_a_driver_beside_the_runner_may_have_chosen(bench: Bench) -> None:
    line = tuple(LineRun(what=bench.what(w), status="own") for w in ("make test", "pytest tests"))
    assert _rules(bench, "make test; pytest tests", "pytest tests/test_a.py", line=line) == []


def test_both_are_shown_and_only_the_process_is_judged(bench: Bench) -> None:
    run = bench.seen("pytest -q")
    call = bench.call("pytest tests/test_checkout.py", run)
    verdict = bench.verdict(run, calls=(call,))
    assert verdict.outcome is Outcome.PASS
    found = bench.only(verdict, "argv-mismatch")
    assert "`pytest tests/test_checkout.py`, the process is `pytest -q`" in found.message
    assert (found.level, found.call_id) == (Level.WARNING, call.call.call_id)


def test_what_ran_beside_a_lost_call_is_shown_and_is_no_orphan_besides(bench: Bench) -> None:
    run = bench.seen("pytest -q")
    call = bench.call("pytest tests/test_checkout.py", beside=(run,))
    verdict = bench.verdict(run, calls=(call,), orphans=(run,))
    assert "not known to belong to it" in bench.only(verdict, "argv-mismatch").message
    assert "orphan-span" not in bench.rules(verdict)


def test_a_line_that_is_all_that_was_seen_is_the_call_itself(bench: Bench) -> None:
    line = (LineRun(what=bench.what("pytest tests"), status="own"),)
    run = bench.seen(["bash", "-c", "pytest tests"], witness="direct", line=line)
    verdict = bench.verdict(run, calls=(bench.call("pytest", run),))
    assert "argv-mismatch" not in bench.rules(verdict)


def test_a_call_that_is_pending_says_nothing(bench: Bench) -> None:
    pending = Pending(run_id="r", argv=(), cwd="", started_at="", boot_id="", locked=True)
    call = bench.call("pytest | tail", told=Told(ending="running"))
    verdict = bench.verdict(calls=(call,), pendings=(pending,))
    assert "unprovable-exit" not in bench.rules(verdict)
