from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.evidence import Pending, Policy

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def _pending(bench: Bench, *, leaves: tuple[str, ...] = (), **members: Any) -> Pending:
    facts = {
        "run_id": "r",
        "argv": ("bash",),
        "cwd": "/work/app",
        "started_at": "2026-03-01T09:00:00Z",
        "boot_id": "boot",
        "locked": False,
        "leaves": tuple(bench.what(leaf) for leaf in leaves),
    }
    return Pending(**{**facts, **members})


def test_a_leaf_that_was_lost_is_an_error(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(exit_code=None, ended_by="lost"))
    found = bench.only(verdict, "missing-exit")
    assert found.message == "`pytest -q` was never seen to end"
    assert found.cure == "proctor run -- pytest -q"


def test_a_runner_that_became_another_program_is_an_error(bench: Bench) -> None:
    leaf = bench.seen(exit_code=None, ended_by="exec")
    found = bench.only(bench.verdict(leaf, bench.below(leaf, "true")), "missing-exit")
    assert "became another program" in found.message


def test_a_marker_without_a_recorder_is_an_error(bench: Bench) -> None:
    verdict = bench.verdict(pendings=(_pending(bench, leaves=("pytest -q",)),))
    assert verdict.outcome is Outcome.FAIL
    assert bench.only(verdict, "missing-exit").cure == "proctor run -- pytest -q"


def test_a_newer_covering_run_answers_for_a_marker(bench: Bench) -> None:
    verdict = bench.verdict(
        bench.seen("pytest"), pendings=(_pending(bench, leaves=("pytest tests/test_a.py",)),)
    )
    assert verdict.outcome is Outcome.PASS


def test_a_narrower_run_does_not_answer_for_a_marker(bench: Bench) -> None:
    verdict = bench.verdict(
        bench.seen("pytest tests/test_a.py"), pendings=(_pending(bench, leaves=("pytest",)),)
    )
    assert "missing-exit" in bench.rules(verdict)


def test_a_marker_of_an_earlier_boot_says_nothing(bench: Bench) -> None:
    marker = _pending(bench, leaves=("pytest",), boot_id="other")
    assert bench.verdict(bench.seen(), pendings=(marker,)).outcome is Outcome.PASS


def test_a_killed_recorder_without_tests_is_a_warning_until_tests_follow(bench: Bench) -> None:
    late = _pending(bench, started_at="2026-03-02T00:00:00Z")
    found = bench.only(bench.verdict(bench.seen(), pendings=(late,)), "missing-exit")
    assert found.level is Level.WARNING
    assert bench.verdict(bench.seen(), pendings=(_pending(bench),)).findings == ()


def test_an_image_that_was_replaced_is_no_missing_exit_under_every(bench: Bench) -> None:
    seen = bench.seen("ls", exit_code=None, ended_by="exec")
    assert bench.verdict(seen, policy=Policy(every=True)).outcome is Outcome.PASS


def test_a_recorder_that_was_killed_is_an_error_under_every(bench: Bench) -> None:
    marker = _pending(bench)
    verdict = bench.verdict(bench.seen(), pendings=(marker,), policy=Policy(every=True))
    assert "`bash` was started at" in bench.only(verdict, "missing-exit").message
    assert verdict.outcome is Outcome.FAIL
