"""OpenHands: V1's events in files, V0's trajectory in a list."""

from collections.abc import Callable

import pytest

from proctor.join.toolcall import Told
from tests.unit.join.conftest import Read


@pytest.fixture
def conversation(asset: Callable[[str], Read]) -> Read:
    """The folder of events."""
    return asset("openhands/4f2a/events")


def test_a_folder_of_events_is_one_transcript(conversation: Read) -> None:
    call = conversation.calls["oh_1"]
    assert (conversation.reader, conversation.skipped) == ("openhands", [])
    assert (call.command, call.cwd, call.session) == ("pytest -q", "/srv/till", "4f2a")
    assert call.told == Told(exit_code=1, failed=True, ending="ended")
    assert call.started_at == "2026-09-06T10:00:02.500000Z"
    assert conversation.outputs["oh_1"] == "1 failed, 8 passed"


def test_a_running_command_gets_its_code_from_a_later_input(conversation: Read) -> None:
    assert conversation.calls["oh_2"].told == Told(exit_code=2, failed=True, ending="ended")
    assert conversation.calls["oh_2"].cwd == "/srv/till/web"
    assert not conversation.calls["oh_3"].is_shell


def test_a_rejected_call_did_not_run(conversation: Read) -> None:
    assert conversation.calls["oh_4"].told == Told(failed=True, ending="not-run")


def test_what_the_agent_said_is_kept(conversation: Read) -> None:
    assert conversation.said == ["run tests", "All tests pass."]


def test_an_event_by_itself_tells_what_it_can(asset: Callable[[str], Read]) -> None:
    action = asset("openhands/4f2a/events/event-00001-action.json").call
    seen = asset("openhands/4f2a/events/event-00002-observation.json").call
    assert (action.session, action.told) == ("4f2a", Told())
    assert (seen.command, seen.told.exit_code, seen.started_at) == ("pytest -q", 1, None)


def test_an_observation_without_a_code_leaves_the_end_open(written: Callable[..., Read]) -> None:
    event = b'{"kind":"ObservationEvent","tool_name":"terminal","tool_call_id":"c",'
    assert written(event + b'"observation":{"command":"make"}}').call.told == Told()
    assert written(event + b'"observation":{"command":null}}').calls == {}


def test_a_trajectory_of_the_first_version_is_read(asset: Callable[[str], Read]) -> None:
    read = asset("openhands_v0.json")
    call = read.calls["v0_1"]
    assert (read.reader, read.skipped) == ("openhands_v0", [])
    assert (call.tool, call.command, call.cwd) == ("execute_bash", "pytest -q", "/srv/till")
    assert call.told == Told(exit_code=1, failed=True, ending="ended")
    assert call.started_at == "2025-05-01T10:00:00.000000Z"
    assert read.said == ["look", "All tests pass."]


def test_without_ids_an_observation_belongs_to_its_cause(asset: Callable[[str], Read]) -> None:
    calls = asset("openhands_v0.json").calls
    assert calls["event-6"].told == Told(exit_code=0, failed=False, ending="ended")
    assert not calls["event-8"].is_shell
    assert calls["event-10"].told == Told(failed=True, ending="not-run")


def test_an_observation_without_metadata_tells_no_code(written: Callable[..., Read]) -> None:
    events = b'[{"id":1,"source":"agent","action":"run","args":{"command":"ls"}},'
    read = written(events + b'{"cause":1,"observation":"run","content":null,"extras":null}]')
    assert read.call.told == Told(ending="ended")
