"""Claude Code's shell texts, as its client builds them."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import PROCTOR, Proctor
from tests.unit.hooks.conftest import Ask

SNAPSHOT = (
    "source /nowhere/.claude/shell-snapshots/snapshot-bash-1-x.sh 2>/dev/null || true && "
    "{ \\builtin shopt -u extglob; } >/dev/null 2>&1 || true && "
)


def bash_call(command: str, folder: Path) -> str:
    """Return what the Bash tool hands to a shell."""
    quoted = "'" + command.replace("'", "'\\''") + "'"
    return f"{SNAPSHOT}eval {quoted} < /dev/null && pwd -P >| {folder}/cwd"


def shell(proctor: Proctor, text: str, **env: str) -> "subprocess.CompletedProcess[str]":
    done: subprocess.CompletedProcess[str] = proctor("hook", "claude-code", "shell", text, env=env)
    return done


def test_a_bash_call_is_recorded_and_told_its_id(
    ask: Ask, proctor: Proctor, tmp_path: Path
) -> None:
    command = "cd / && env true 'it'\"'\"'s' \"$HOME\""
    given = {"session_id": "s1", "tool_name": "Bash", "tool_use_id": "toolu_1"}
    ask("claude-code", "pre-tool-use", {**given, "tool_input": {"command": command}})
    done = shell(proctor, bash_call(command, tmp_path), CLAUDE_CODE_SESSION_ID="s1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert proctor.root["parent_tool_span"] == "toolu_1"
    assert proctor.root["argv"][-1].endswith("/cwd")
    assert (tmp_path / "cwd").read_text() == "/\n"


def test_an_id_is_handed_over_once(ask: Ask, proctor: Proctor, tmp_path: Path) -> None:
    given = {"session_id": "s1", "tool_name": "Bash", "tool_use_id": "toolu_1"}
    ask("claude-code", "pre-tool-use", {**given, "tool_input": {"command": "make x"}})
    for session in ("s2", "s1", "s1"):
        shell(proctor, bash_call("make x", tmp_path), CLAUDE_CODE_SESSION_ID=session)
    roots = [span for span in proctor.spans() if span["host"] is not None]
    assert [span["parent_tool_span"] for span in roots] == [None, "toolu_1", None]


def test_without_a_session_the_id_is_that_of_the_one_call_with_this_text(
    ask: Ask, proctor: Proctor, tmp_path: Path
) -> None:
    for session, command in (("s1", "make x"), ("s1", "make y"), ("s2", "make y")):
        given = {"session_id": session, "tool_name": "Bash", "tool_use_id": f"{session} {command}"}
        ask("claude-code", "pre-tool-use", {**given, "tool_input": {"command": command}})
    for command in ("make x", "make y", "make z"):
        shell(proctor, bash_call(command, tmp_path))
    roots = [span for span in proctor.spans() if span["host"] is not None]
    assert [span["parent_tool_span"] for span in roots] == ["s1 make x", None, None]


def test_what_refused_calls_left_behind_goes_when_the_agent_stops(
    ask: Ask, proctor: Proctor, tmp_path: Path
) -> None:
    given = {"session_id": "s1", "tool_name": "Bash", "tool_use_id": "t", "cwd": str(tmp_path)}
    ask("claude-code", "pre-tool-use", {**given, "tool_input": {"command": "make x"}})
    calls = proctor.folder / "state" / "calls"
    (folder,) = calls.iterdir()
    (note,) = folder.iterdir()
    assert note.stat().st_mode & 0o077 == 0
    ask("claude-code", "stop", {**given, "last_assistant_message": "NO RECEIPT"})
    assert list(calls.iterdir()) == []


@pytest.mark.parametrize("text", ["cat; exit 4", "exec env cat"])
def test_hooks_and_servers_run_as_they_are(proctor: Proctor, text: str) -> None:
    done = proctor("hook", "claude-code", "shell", text, input="given")
    assert done.stdout == "given"
    assert done.returncode == (4 if "exit" in text else 0)
    assert proctor.spans() == []


def test_what_only_looks_is_not_recorded(proctor: Proctor, tmp_path: Path) -> None:
    done = shell(proctor, bash_call("cd / && pwd", tmp_path))
    assert done.stdout == "/\n"
    assert (tmp_path / "cwd").read_text() == "/\n"
    assert proctor.spans() == []


def test_the_exit_code_and_both_streams_are_the_commands_own(
    proctor: Proctor, tmp_path: Path
) -> None:
    done = shell(proctor, bash_call("env echo out; env echo err >&2; exit 42", tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (42, "out\n", "err\n")
    done = shell(proctor, bash_call("env kill -9 $$", tmp_path))
    assert done.returncode == 128 + 9


def test_a_huge_command_arrives_whole(proctor: Proctor, tmp_path: Path) -> None:
    big = "x" * 120_000
    done = shell(proctor, bash_call(f"printf %s {big} | wc -c; env true", tmp_path))
    assert done.stdout.strip() == "120000"


def test_what_runs_on_in_the_background_does_not_hold_the_call_up(
    proctor: Proctor, tmp_path: Path
) -> None:
    done = shell(
        proctor, bash_call(f"(sleep 2; touch {tmp_path}/late) >/dev/null 2>&1 & env true", tmp_path)
    )
    assert done.returncode == 0
    assert proctor.root["duration_ms"] < 1500


def test_a_shell_of_the_clients_choice_is_taken(proctor: Proctor, tmp_path: Path) -> None:
    fake = tmp_path / "zsh"
    fake.write_text("#!/bin/sh\necho zsh was taken\n")
    fake.chmod(0o755)
    text = bash_call("env true", tmp_path)
    assert shell(proctor, text, SHELL=str(fake)).stdout == ""
    zsh = text.replace("snapshot-bash", "snapshot-zsh")
    assert shell(proctor, zsh, SHELL=str(fake)).stdout == "zsh was taken\n"
    assert shell(proctor, "env true", CLAUDE_CODE_SHELL=str(fake)).stdout == "zsh was taken\n"
    path = f"{tmp_path}:{os.environ['PATH']}"
    assert shell(proctor, zsh, SHELL="/bin/bash", PATH=path).stdout == "zsh was taken\n"


def test_a_command_that_cannot_be_recorded_runs_all_the_same(
    proctor: Proctor, tmp_path: Path
) -> None:
    env = {"PROCTOR_LOG": "/dev/null/x", "PROCTOR_STATE_DIR": "/dev/null/y"}
    done = shell(proctor, bash_call("env echo here; exit 5", tmp_path), **env)
    assert (done.returncode, done.stdout) == (5, "here\n")
    assert "the command runs, but is not recorded" in done.stderr
    assert done.stderr.count("\n") == 1


def test_under_watch_the_outer_recorder_learns_the_id(
    ask: Ask, proctor: Proctor, tmp_path: Path
) -> None:
    command = "env true"
    given = {"session_id": "s1", "tool_name": "Bash", "tool_use_id": "toolu_9"}
    ask("claude-code", "pre-tool-use", {**given, "tool_input": {"command": command}})
    words = [PROCTOR, "hook", "claude-code", "shell", bash_call(command, tmp_path)]
    done = proctor("watch", "--keep", "all", "--", *words, env={"CLAUDE_CODE_SESSION_ID": "s1"})
    assert done.returncode == 0, done.stderr
    ran = proctor.only(lambda span: span["argv"][:1] == ["true"])
    assert ran["parent_tool_span"] == "toolu_9"
    assert sum(span["host"] is not None for span in proctor.spans()) == 1


def test_the_words_of_a_shell_event_are_counted(proctor: Proctor) -> None:
    done = proctor("hook", "claude-code", "shell", "a", "b")
    assert done.returncode == 64
    assert "takes one shell text, not 2 words" in done.stderr


def test_many_at_once_lose_nothing(proctor: Proctor, tmp_path: Path) -> None:
    hooks = [
        proctor.start("hook", "claude-code", "pre-tool-use", stdin=subprocess.PIPE,
                      stdout=subprocess.DEVNULL)
        for _ in range(8)
    ]  # fmt: skip
    for number, hook in enumerate(hooks):
        given = {
            "session_id": "s", "tool_name": "Bash", "tool_use_id": f"t{number}",
            "tool_input": {"command": f"env true {number}"},
        }  # fmt: skip
        hook.communicate(json.dumps(given).encode(), timeout=30)
    shells = [
        proctor.start("hook", "claude-code", "shell", bash_call(f"env true {n}", tmp_path),
                      env={"CLAUDE_CODE_SESSION_ID": "s"})
        for n in range(8)
    ]  # fmt: skip
    assert [one.wait(timeout=60) for one in shells] == [0] * 8
    ids = {span["parent_tool_span"] for span in proctor.spans() if span["host"] is not None}
    assert ids == {f"t{n}" for n in range(8)}
