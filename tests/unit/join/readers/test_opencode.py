"""OpenCode's exports."""

from collections.abc import Callable

import pytest

from proctor.join.toolcall import Told
from tests.unit.join.conftest import Read


@pytest.fixture
def session(asset: Callable[[str], Read]) -> Read:
    """The exported session."""
    return asset("opencode.json")


def test_a_call_tells_its_exit_code_folder_and_times(session: Read) -> None:
    call = session.calls["oc_1"]
    assert (session.reader, session.skipped) == ("opencode", [])
    assert (call.command, call.cwd) == ("pytest -q | tail -3", "/srv/till/web")
    assert (call.session, call.subagent) == ("ses_9", "")
    assert call.told == Told(exit_code=0, failed=False, ending="ended")
    assert call.started_at == "2026-08-29T10:40:02.000000Z"
    assert call.finished_at == "2026-08-29T10:40:05.250000Z"
    assert session.outputs["oc_1"] == "1 failed, 8 passed\n"


@pytest.mark.parametrize(
    ("call_id", "told"),
    [
        ("oc_2", Told(failed=True, ending="not-run")),
        ("oc_3", Told(ending="running")),
        ("oc_4", Told()),
    ],
)
def test_other_ends_are_told_as_far_as_they_are_known(
    session: Read, call_id: str, told: Told
) -> None:
    assert session.calls[call_id].told == told


def test_a_folder_in_the_call_comes_first(session: Read) -> None:
    assert session.calls["oc_4"].cwd == "/srv/other"


def test_another_session_in_the_export_is_a_sub_agent(session: Read) -> None:
    call = session.calls["message-3-0"]
    assert (call.session, call.subagent, call.cwd) == ("ses_child", "ses_child", "/srv/till")


def test_only_the_agents_words_are_kept(session: Read) -> None:
    assert session.said == ["Running."]
