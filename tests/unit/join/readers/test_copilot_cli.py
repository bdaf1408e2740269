"""Copilot CLI's events."""

from collections.abc import Callable

import pytest

from proctor.join.toolcall import Told
from tests.unit.join.conftest import Read


@pytest.fixture
def session(asset: Callable[[str], Read]) -> Read:
    """The session of the assets."""
    return asset("copilot_cli.jsonl")


def test_the_code_stands_at_the_end_of_the_text(session: Read) -> None:
    call = session.calls["cp_1"]
    assert (session.reader, session.skipped) == ("copilot_cli", [])
    assert (call.command, call.cwd, call.session) == (
        "go test ./... | tail -5",
        "/srv/till",
        "c0de",
    )
    assert call.told == Told(exit_code=0, failed=False, ending="ended")
    assert call.started_at == "2026-09-05T10:00:02.000000Z"


def test_a_command_in_the_background_gets_its_code_when_it_is_read(session: Read) -> None:
    call = session.calls["cp_2"]
    assert call.told == Told(exit_code=1, failed=True, ending="ended")
    assert (call.background, call.finished_at) == (True, "2026-09-05T10:00:12.000000Z")


@pytest.mark.parametrize(
    ("call_id", "told"),
    [
        ("cp_4", Told(failed=True, ending="not-run")),
        ("cp_5", Told(failed=True)),
        ("cp_6", Told(ending="ended")),
    ],
)
def test_success_says_only_that_the_tool_ran(session: Read, call_id: str, told: Told) -> None:
    assert session.calls[call_id].told == told


def test_a_call_below_another_is_a_sub_agents(session: Read) -> None:
    assert session.calls["cp_4"].subagent == "task_1"


def test_what_the_agent_said_is_kept(session: Read) -> None:
    assert session.said == ["All green."]
