"""Codex's rollouts: where the exit code stands, in every version."""

import json
from collections.abc import Callable

import pytest

from proctor.join.toolcall import Told
from tests.unit.join.conftest import Read


@pytest.fixture
def rollout(asset: Callable[[str], Read]) -> Read:
    """The rollout of the assets."""
    return asset("codex.jsonl")


def test_a_rollout_is_known_by_its_records(rollout: Read) -> None:
    assert rollout.reader == "codex"
    assert rollout.skipped == []


def test_a_record_of_the_commands_end_tells_the_code(rollout: Read) -> None:
    call = rollout.calls["c_new"]
    assert call.command == "cd repo && python3 -m pytest -q tests 2>&1 | tail -3"
    assert (call.cwd, call.session, call.line) == ("/srv/till/sub", "019a-till", 4)
    assert call.told == Told(exit_code=0, failed=False, ending="ended")
    assert rollout.outputs["c_new"] == "/usr/bin/python3: No module named pytest\n"


def test_a_long_command_gets_its_code_from_a_later_write(rollout: Read) -> None:
    call = rollout.calls["c_long"]
    assert call.told == Told(exit_code=1, failed=True, ending="ended")
    assert (call.cwd, call.background) == ("/srv/till/web", True)
    assert call.finished_at == "2026-09-03T09:00:09.000000Z"
    assert not rollout.calls["c_poke1"].is_shell


def test_a_long_command_may_never_get_a_code(rollout: Read) -> None:
    assert rollout.calls["c_never"].told == Told(ending="running")


@pytest.mark.parametrize(
    ("call_id", "command", "code"),
    [("c_json", "pytest -q", 1), ("c_text", "go vet ./...", 0), ("c_local", "make test", 2)],
)
def test_the_code_stands_in_the_text(rollout: Read, call_id: str, command: str, code: int) -> None:
    call = rollout.calls[call_id]
    assert (call.command, call.told.exit_code) == (command, code)


def test_an_argv_that_is_no_shells_stays_an_argv(rollout: Read) -> None:
    call = rollout.calls["c_argv"]
    assert (call.command, call.argv) == (None, ("pytest", "-q"))
    assert call.told == Told()


def test_a_local_shell_call_has_its_own_folder(rollout: Read) -> None:
    assert rollout.calls["c_local"].cwd == "/srv/local"


def test_a_refused_command_did_not_run(rollout: Read) -> None:
    assert rollout.calls["c_refused"].told == Told(failed=True, ending="not-run")


def test_a_patch_is_a_call_without_a_command(rollout: Read) -> None:
    assert not rollout.calls["c_patch"].is_shell


def test_a_command_that_no_call_asked_for_is_a_call(rollout: Read) -> None:
    call = rollout.calls["c_alone"]
    assert (call.command, call.cwd, call.told.exit_code) == ("cargo test", "/srv/rs", 101)


def test_a_turns_last_words_are_said_once(rollout: Read) -> None:
    assert rollout.said == ["All tests passed."]


def test_the_oldest_rollouts_have_no_payload(asset: Callable[[str], Read]) -> None:
    read = asset("codex_old.jsonl")
    assert (read.reader, read.call.session, read.call.cwd) == ("codex", "0197-old", "/srv/web")
    assert read.call.command == "npm test | tail -1"
    assert read.call.told.exit_code == 0
    assert read.said == ["Running them."]


def _line(kind: str, **payload: object) -> bytes:
    return json.dumps({"timestamp": None, "type": kind, "payload": payload}).encode() + b"\n"


def _asked(call_id: str = "c", **arguments: object) -> bytes:
    given = json.dumps(arguments or {"cmd": "make test"})
    return _line(
        "response_item", type="function_call", name="exec_command", arguments=given, call_id=call_id
    )


def _told(output: object, call_id: str = "c") -> bytes:
    return _line("response_item", type="function_call_output", call_id=call_id, output=output)


def test_a_record_after_the_answer_still_counts(written: Callable[..., Read]) -> None:
    item = {"type": "CommandExecution", "id": "c", "exit_code": 3}
    read = written(
        _asked() + _told("no code here") + _line("event_msg", type="item_completed", item=item)
    )
    assert read.call.told.exit_code == 3


def test_a_record_ends_a_running_command(written: Callable[..., Read]) -> None:
    end = _line("event_msg", type="exec_command_end", call_id="c", exit_code=4)
    read = written(_asked() + _told("Process running with session ID 9\nOutput:\n") + end)
    assert read.call.told.exit_code == 4


def test_a_sub_agents_rollout_says_so(written: Callable[..., Read]) -> None:
    meta = _line("session_meta", id="child", cwd="/w", source={"subagent": "review"})
    assert written(meta + _asked()).call.subagent == "child"


def test_nulls_stand_for_what_is_missing(written: Callable[..., Read]) -> None:
    names = ("name", "arguments", "call_id", "output", "content", "role", "item")
    nulls = dict.fromkeys(names)
    kinds = ("function_call", "function_call_output", "message", "item_completed", None)
    lines = [_line("response_item", type=kind, **nulls) for kind in kinds]
    lines += [_line("session_meta", id=None, cwd=None, source=None), _asked(cmd=None, workdir=None)]
    read = written(b"".join(lines))
    assert read.skipped == []
    assert not any(call.is_shell for call in read.calls.values())


def test_text_that_only_looks_wrapped_is_text(written: Callable[..., Read]) -> None:
    assert written(_asked() + _told("{not json")).outputs == {"c": "{not json"}
