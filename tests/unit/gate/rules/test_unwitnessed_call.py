from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Level, Outcome
from proctor.gate.evidence import LineRun, Pending
from proctor.join.toolcall import Told

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_claim_without_a_run_is_unproven(bench: Bench) -> None:
    run, call = bench.seen("pytest -q"), bench.call("pytest -q")
    verdict = bench.verdict(run, calls=(call,))
    assert verdict.outcome is Outcome.UNPROVEN
    found = bench.only(verdict, "unwitnessed-call")
    assert found.call_id == call.call.call_id
    assert found.call_id in found.message
    assert found.cure == "proctor run -- pytest -q"


def test_a_later_green_run_of_as_much_makes_it_a_note(bench: Bench) -> None:
    call = bench.call("pytest tests/test_a.py")
    verdict = bench.verdict(bench.seen("pytest -q"), calls=(call,))
    assert verdict.outcome is Outcome.PASS
    assert bench.only(verdict, "unwitnessed-call").level is Level.NOTE


def test_a_later_run_here_answers_for_one_on_another_host(bench: Bench) -> None:
    what = bench.what("pytest -q", remote="ssh")
    line = (LineRun(what=what, status="own"),)
    call = bench.call("ssh box 'cd other && pytest -q'", line=line)
    verdict = bench.verdict(bench.seen("pytest -q"), calls=(call,))
    assert bench.only(verdict, "unwitnessed-call").level is Level.NOTE
    assert bench.verdict(calls=(call,)).outcome is Outcome.UNPROVEN
    assert what.remote == "ssh"


@pytest.mark.parametrize(
    "run",
    [
        {"argv": "pytest tests/test_b.py"},
        {"argv": "jest"},
        {"argv": "pytest", "exit_code": 1},
        {"argv": "pytest", "tree": "t0"},
    ],
)
def test_a_later_run_of_less_or_red_or_on_other_files_does_not(
    bench: Bench, run: dict[str, Any]
) -> None:
    call = bench.call("pytest tests/test_a.py")
    verdict = bench.verdict(bench.seen(run.pop("argv"), **run), calls=(call,))
    assert bench.only(verdict, "unwitnessed-call").level is Level.UNPROVEN


def test_a_claim_by_the_tools_name_is_covered_by_a_whole_run_alone(bench: Bench) -> None:
    for argv, level in (("pytest", Level.NOTE), ("pytest tests/test_a.py", Level.UNPROVEN)):
        call = bench.call(None, tool="run_tests")
        verdict = bench.verdict(bench.seen(argv), calls=(call,))
        found = bench.only(verdict, "unwitnessed-call")
        assert (found.level, "the tool run_tests" in found.message) == (level, True)


def test_without_times_the_order_of_the_transcript_tells_what_is_later(bench: Bench) -> None:
    run = bench.seen("pytest -q")
    lost = bench.call("pytest -q", started_at=None, finished_at=None)
    joined = bench.call("pytest -q", run, started_at=None, finished_at=None)
    for calls, level in (((lost, joined), Level.NOTE), ((joined, lost), Level.UNPROVEN)):
        verdict = bench.verdict(run, calls=calls)
        assert bench.only(verdict, "unwitnessed-call").level is level


def test_a_call_whose_run_was_witnessed_is_not_spoken_of(bench: Bench) -> None:
    run = bench.seen("pytest -q")
    assert bench.rules(bench.verdict(run, calls=(bench.call("pytest -q", run),))) == []


def test_a_joined_shell_below_which_no_test_ran_proves_nothing(bench: Bench) -> None:
    shell = bench.seen(["bash", "-c", "pytest() { :; }; pytest"])
    call = bench.call("pytest", how="text", spans=(shell.span,))
    verdict = bench.verdict(shell, calls=(call,))
    assert "no test run was started below it" in bench.only(verdict, "unwitnessed-call").message
    direct = bench.replace(call, spans=(bench.span(["./run.sh"], witness="direct"),))
    message = bench.only(bench.verdict(calls=(direct,)), "unwitnessed-call").message
    assert "was not witnessed" in message


def test_a_joined_shell_that_failed_told_of_no_pass(bench: Bench) -> None:
    shell = bench.span(["bash", "-c", "false && pytest"], exit_code=1)
    call = bench.call("pytest", how="text", spans=(shell,))
    assert "unwitnessed-call" not in bench.rules(bench.verdict(calls=(call,)))


@pytest.mark.parametrize("member", [{"conditional": True}, {"remote": "docker"}])
def test_what_need_not_have_run_here_is_not_missed(bench: Bench, member: dict[str, Any]) -> None:
    what = bench.what("pytest", remote=member.pop("remote", None))
    line = (LineRun(what=what, status="own", **member),)
    call = bench.call("x || pytest", how="text", spans=(bench.span("bash"),), line=line)
    assert "unwitnessed-call" not in bench.rules(bench.verdict(calls=(call,)))


def test_what_is_still_recorded_is_not_missed_yet(bench: Bench) -> None:
    running = Pending(
        run_id="r", argv=("claude",), cwd="/work/app", started_at="", boot_id="boot", locked=True
    )
    for told, background, missed in (
        (Told(ending="running"), False, False),
        (Told(ending="ended"), True, False),
        (Told(ending="ended"), False, True),
    ):
        call = bench.call("pytest", told=told, background=background)
        verdict = bench.verdict(calls=(call,), pendings=(running,))
        assert ("unwitnessed-call" in bench.rules(verdict)) is missed
    call = bench.call("pytest", told=Told(ending="running"))
    assert "unwitnessed-call" in bench.rules(bench.verdict(calls=(call,)))


def test_what_claims_nothing_is_not_missed(bench: Bench) -> None:
    call = bench.call("pytest", claims=False)
    assert "unwitnessed-call" not in bench.rules(bench.verdict(calls=(call,)))
