"""Claude Code's sessions: what each line tells, and the files of sub-agents."""

import json
from collections.abc import Callable

import pytest

from proctor.join.readers.claude_code import READER
from proctor.join.toolcall import Told
from tests.unit.join.conftest import ASSETS, Read

SESSION = "claude_code/7c0e.jsonl"


@pytest.fixture
def session(asset: Callable[[str], Read]) -> Read:
    """The session of the assets, its sub-agents included."""
    return asset(SESSION)


def test_a_session_is_known_by_its_lines(session: Read) -> None:
    assert session.reader == "claude_code"
    assert session.skipped == []


def test_success_is_told_without_a_number(session: Read) -> None:
    call = session.calls["toolu_masked"]
    assert call.command == "python3 -m pytest -q tests 2>&1 | tail -3"
    assert (call.tool, call.cwd, call.session, call.line) == ("Bash", "/srv/till", "7c0e", 5)
    assert call.started_at == "2026-09-02T08:15:05.250000Z"
    assert call.finished_at == "2026-09-02T08:15:06.500000Z"
    assert call.told == Told(failed=False, ending="ended")
    assert session.outputs["toolu_masked"] == "2 failed, 3 passed in 0.41s"


def test_failure_is_told_with_its_exit_code(session: Read) -> None:
    assert session.calls["toolu_red"].told == Told(exit_code=1, failed=True, ending="ended")


def test_a_refused_call_did_not_run(session: Read) -> None:
    assert session.calls["toolu_refused"].told == Told(failed=True, ending="not-run")


def test_nobody_knows_how_an_interrupted_call_ended(session: Read) -> None:
    assert session.calls["toolu_stopped"].told == Told()


def test_a_call_in_the_background_gets_its_code_when_the_agent_asks(session: Read) -> None:
    call = session.calls["toolu_back"]
    assert call.background
    assert call.told == Told(exit_code=1, failed=True, ending="ended")
    assert call.finished_at == "2026-09-02T08:15:41.000000Z"


def test_a_call_without_an_answer_comes_at_the_end(session: Read) -> None:
    call = session.calls["toolu_last"]
    assert call.told == Told()
    assert call.finished_at is None


def test_a_tool_that_is_no_shell_has_no_command_and_its_output_is_left(session: Read) -> None:
    call = session.calls["toolu_read"]
    assert not call.is_shell
    assert "toolu_read" not in session.outputs


def test_sub_agents_are_read_from_their_own_files(session: Read) -> None:
    assert session.calls["toolu_sub"].subagent == "b2"
    assert session.calls["toolu_old"].subagent == "old1"
    assert "toolu_foreign" not in session.calls


def test_a_sub_agents_file_belongs_to_its_session() -> None:
    folder = ASSETS / "claude_code"
    owner = str(folder / "7c0e.jsonl")
    assert READER.part_of(str(folder / "7c0e/subagents/agent-b2.jsonl")) == owner
    assert READER.part_of(str(folder / "agent-old1.jsonl")) == owner
    assert READER.part_of(str(folder / "agent-foreign.jsonl")) is None
    assert READER.part_of(owner) is None


def test_a_sub_agents_file_can_be_read_by_itself(asset: Callable[[str], Read]) -> None:
    assert set(asset("claude_code/agent-old1.jsonl").calls) == {"toolu_old"}


def test_what_the_agent_said_is_kept(session: Read) -> None:
    assert session.said == ["Now the tests.", "All tests pass."]


def _session(*blocks: object, **line: object) -> bytes:
    message = {"role": "assistant", "content": list(blocks)}
    use = {"isSidechain": False, "sessionId": "s", "type": "assistant", "message": message, **line}
    return json.dumps(use).encode() + b"\n"


def test_nulls_stand_for_what_is_missing(written: Callable[..., Read]) -> None:
    call = {"type": "tool_use", "id": None, "name": None, "input": None, "text": None}
    line = _session(call, None, {"type": None}, cwd=None, timestamp=None, agentId=None)
    read = written(line + _session(message=None) + _session(type=None))
    assert read.skipped == []
    assert (read.call.call_id, read.call.tool, read.call.command) == ("line-1", "", None)


def test_an_answer_in_blocks_is_one_text(written: Callable[..., Read]) -> None:
    use = _session({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "make"}})
    content = [
        {"type": "text", "text": "Exit code 2"},
        {"type": "image"},
        {"type": "text", "text": "x"},
    ]
    result = {"type": "tool_result", "tool_use_id": "t", "content": content, "is_error": True}
    read = written(use + _session(result, type="user"))
    assert read.call.told.exit_code == 2
    assert read.outputs == {"t": "Exit code 2\nx"}


def test_an_error_of_unknown_words_leaves_the_end_open(written: Callable[..., Read]) -> None:
    use = _session({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "make"}})
    result = {"type": "tool_result", "tool_use_id": "t", "content": "oh dear", "is_error": True}
    read = written(use + _session(result, type="user"))
    assert read.call.told == Told(failed=True, ending="unknown")


def test_an_old_sidechain_inside_the_session_is_a_sub_agent(written: Callable[..., Read]) -> None:
    use = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "make"}}
    assert written(_session(use, isSidechain=True)).call.subagent == "sidechain"


def test_an_answer_of_a_running_shell_leaves_its_call_open(written: Callable[..., Read]) -> None:
    start = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "make test"}}
    ask = {"type": "tool_use", "id": "q", "name": "TaskOutput", "input": {"task_id": "b1"}}
    told = {"type": "tool_result", "tool_use_id": "t", "content": "in background"}
    still = {"type": "tool_result", "tool_use_id": "q", "content": "<status>running</status>"}
    read = written(
        _session(start)
        + _session(told, type="user", toolUseResult={"backgroundTaskId": "b1"})
        + _session(ask)
        + _session(still, type="user")
    )
    assert read.calls["t"].told == Told(ending="running")
