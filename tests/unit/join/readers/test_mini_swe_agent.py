"""mini-swe-agent's trajectories."""

from collections.abc import Callable

from proctor.join.toolcall import Told
from tests.unit.join.conftest import Read


def test_a_call_tells_its_return_code(asset: Callable[[str], Read]) -> None:
    read = asset("mini_swe_agent.traj.json")
    call = read.calls["ms_1"]
    assert (read.reader, read.skipped) == ("mini_swe_agent", [])
    assert (call.command, call.session) == ("cd /t && pytest -q | tail -5", "mini_swe_agent")
    assert call.told == Told(exit_code=0, failed=False, ending="ended")
    assert call.started_at == "2026-08-29T10:40:00.500000Z"
    assert call.finished_at == "2026-08-29T10:40:03.250000Z"
    assert read.outputs["ms_1"] == "1 failed, 8 passed\n"
    assert read.said == ["Look."]


def test_a_timeout_is_no_exit(asset: Callable[[str], Read]) -> None:
    assert asset("mini_swe_agent.traj.json").calls["ms_2"].told == Told(failed=True)


def test_calls_without_actions_are_read_from_the_reply(asset: Callable[[str], Read]) -> None:
    read = asset("mini_swe_agent.traj.json")
    assert read.calls["ms_3"].command == "false"
    assert read.calls["ms_3"].told.exit_code == 1
    assert read.outputs["ms_3"] == "x\n"


def test_the_first_version_fences_its_command(asset: Callable[[str], Read]) -> None:
    read = asset("mini_swe_agent_v1.traj.json")
    assert read.call.command == "pytest -q \\\n  tests"
    assert read.call.told == Told(exit_code=4, failed=True, ending="ended")
    assert read.outputs == {"message-1-0": "no tests\n"}


def test_an_answer_in_other_words_tells_no_code(written: Callable[..., Read]) -> None:
    reply = b'{"info":{"mini_version":"1.0"},"messages":[{"role":"assistant","content":"```bash\\nls\\n```"},'
    read = written(reply + b'{"role":"user","content":"The command timed out."}]}')
    assert read.call.told == Told()
