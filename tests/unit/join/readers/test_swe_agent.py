"""SWE-agent's trajectories."""

from collections.abc import Callable

from proctor.join.toolcall import Told
from tests.unit.join.conftest import Read


def test_a_step_is_a_command_without_an_exit_code(asset: Callable[[str], Read]) -> None:
    read = asset("swe_agent.traj")
    call = read.calls["step-2"]
    assert (read.reader, read.skipped) == ("swe_agent", [])
    assert (call.tool, call.command, call.cwd) == ("bash", "pytest -q", "/repo/sub")
    assert call.told == Told(ending="ended")
    assert read.outputs == {"step-2": "1 failed, 8 passed\n"}


def test_the_agents_own_verbs_are_no_commands(asset: Callable[[str], Read]) -> None:
    call = asset("swe_agent.traj").calls["step-1"]
    assert (call.tool, call.is_shell, call.cwd) == ("open", False, "/repo")


def test_a_step_without_an_observation_is_not_answered(asset: Callable[[str], Read]) -> None:
    assert asset("swe_agent.traj").calls["step-3"].told == Told()


def test_thoughts_are_what_the_agent_said(asset: Callable[[str], Read]) -> None:
    assert asset("swe_agent.traj").said == ["look", "I run it", "All tests pass."]
