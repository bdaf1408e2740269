"""Cline's tasks."""

from collections.abc import Callable

import pytest

from proctor.join.readers.cline import READER
from proctor.join.toolcall import Told
from tests.unit.join.conftest import ASSETS, Read

TASK = "cline/1788/api_conversation_history.json"


@pytest.fixture
def task(asset: Callable[[str], Read]) -> Read:
    """The task's history."""
    return asset(TASK)


def test_a_result_in_plain_text_finds_its_call(task: Read) -> None:
    call = task.calls["cl_1"]
    assert (task.reader, task.skipped) == ("cline", [])
    assert (call.command, call.session) == ("npm test", "1788")
    assert call.started_at == "2026-08-29T10:40:00.000000Z"
    assert call.told == Told(ending="ended")
    assert task.outputs["cl_1"] == "Command executed.\nOutput:\n1 failing"


@pytest.mark.parametrize(
    ("call_id", "told"),
    [
        ("cl_2", Told(failed=True, ending="not-run")),
        ("cl_3", Told(ending="running")),
        ("cl_4", Told()),
    ],
)
def test_other_ends_are_told_as_far_as_they_are_known(task: Read, call_id: str, told: Told) -> None:
    assert task.calls[call_id].told == told


def test_a_command_between_tags_is_a_call(task: Read) -> None:
    call = next(call for call in task.calls.values() if call.command == "go test ./...")
    assert call.told == Told(exit_code=1, failed=True, ending="ended")


def test_what_the_agent_said_is_kept(task: Read) -> None:
    assert task.said[0] == "Now the tests."
    assert task.said[-1] == "All tests pass."


def test_the_screen_has_times(asset: Callable[[str], Read]) -> None:
    read = asset("cline/1788/ui_messages.json")
    call = read.calls["line-2"]
    assert (call.command, call.started_at) == ("npm test", "2026-08-29T10:40:03.000000Z")
    assert (call.told, read.outputs) == (Told(ending="ended"), {"line-2": "1 failing"})
    assert read.calls["line-4"].told == Told()
    assert read.said == ["Now the tests.", "All tests pass."]


def test_the_screen_tells_what_the_history_does() -> None:
    folder = ASSETS / "cline/1788"
    assert READER.part_of(str(folder / "ui_messages.json")) == str(ASSETS / TASK)
    assert READER.part_of(str(ASSETS / TASK)) is None
