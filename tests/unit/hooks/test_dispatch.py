"""A hook that fails never stands in the agent's way, and says so."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROCTOR, Proctor

HOOKS = [("claude-code", "pre-tool-use"), ("claude-code", "stop"), ("gemini-cli", "before-tool")]


@pytest.mark.parametrize(("agent", "event"), HOOKS)
@pytest.mark.parametrize(
    "given",
    ["", "{", "[]", "null", "7", '{"tool_name": "Bash"} x', "\x00\xff", '"text"', "{'a': 1}",
     "[" * 5000],
)  # fmt: skip
def test_garbage_is_said_and_answered_with_nothing(
    proctor: Proctor, agent: str, event: str, given: str
) -> None:
    done = proctor("hook", agent, event, input=given)
    assert (done.returncode, done.stdout) == (0, "{}")
    assert done.stderr.startswith("proctor: hook: ")
    assert done.stderr.endswith("; the agent goes on without Proctor\n")
    assert done.stderr.count("\n") == 1


def test_a_closed_input_is_said(proctor: Proctor) -> None:
    done = subprocess.run(
        ["bash", "-c", '"$0" hook claude-code pre-tool-use <&-', PROCTOR],
        env=proctor.env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "{}")
    assert "the agent goes on" in done.stderr


def test_a_closed_or_full_output_is_no_reason_to_fail(proctor: Proctor) -> None:
    for end in (">&-", ">/dev/full"):
        done = subprocess.run(
            ["bash", "-c", f'echo "{{}}" | "$0" hook claude-code pre-tool-use {end}', PROCTOR],
            env=proctor.env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("\n") <= 1


def test_a_person_is_told_that_agents_call_this(proctor: Proctor) -> None:
    terminal, other = pty.openpty()
    done = proctor("hook", "claude-code", "stop", stdin=other)
    os.close(other)
    os.close(terminal)
    assert (done.returncode, done.stdout) == (0, "{}")
    assert "an agent calls this, with JSON" in done.stderr


def test_a_state_folder_that_cannot_be_written_costs_the_id_only(proctor: Proctor) -> None:
    given = '{"tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "make"}}'
    env = {"PROCTOR_STATE_DIR": "/dev/null/x"}
    done = proctor("hook", "claude-code", "pre-tool-use", input=given, env=env)
    assert (done.returncode, done.stdout) == (0, "{}")
    assert "Not a directory" in done.stderr


def test_without_a_home_the_hook_still_answers() -> None:
    given = '{"tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "make"}}'
    done = subprocess.run(
        [PROCTOR, "hook", "codex", "pre-tool-use"], input=given, env={"PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert "watch --anyway --parent=t" in done.stdout


@pytest.mark.parametrize("event", ["stop", "subagent-stop"])
def test_a_gate_that_cannot_judge_lets_the_agent_go(
    proctor: Proctor, tmp_path: Path, event: str
) -> None:
    (tmp_path / "proctor.toml").write_text("[gate\n")
    given = f'{{"cwd": "{tmp_path}", "last_assistant_message": "All tests pass."}}'
    done = proctor("hook", "claude-code", event, input=given)
    assert (done.returncode, done.stdout) == (0, "{}")
    assert "proctor.toml" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "there is no agent ''; known: claude-code, codex"),
        (["nobody", "stop"], "there is no agent 'nobody'"),
        (["../x", "stop"], "there is no agent"),
        (["claude-code"], "claude-code has no event ''; known: pre-tool-use, shell, stop"),
        (["codex", "shell"], "codex has no event 'shell'"),
    ],
)
def test_a_wrong_set_up_is_named(proctor: Proctor, words: list[str], message: str) -> None:
    done = proctor("hook", *words, input="{}")
    assert done.returncode == 64
    assert message in done.stderr


def test_the_help_is_there(proctor: Proctor) -> None:
    assert "claude-code" in proctor("hook", "--help").stdout


def test_help_words_reach_the_hook_too(proctor: Proctor) -> None:
    code = "from proctor.cli.commands.hook import COMMAND; from argparse import Namespace as N;"
    code += "COMMAND.run(N(agent='codex', event='stop', words=[]))"
    done = subprocess.run([sys.executable, "-c", code], input="{}", capture_output=True, text=True,
                          check=True, env=proctor.env)  # fmt: skip
    assert done.stdout == "{}"


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_the_hook_before_a_command_is_light(agent: str, tmp_path: Path) -> None:
    from tests.unit.recorder.test_image import LIGHT

    code = (
        "import sys; before = set(sys.modules); sys.argv = ['proctor', *sys.argv[1:]]\n"
        "import atexit\n"
        "atexit.register(lambda: print('', *sorted(set(sys.modules) - before), file=sys.stderr))\n"
        "from proctor.cli.main import main; main()"
    )
    given = '{"tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "make"}}'
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, "hook", agent, "pre-tool-use", "--rewrite"],
        input=given, env={"PROCTOR_STATE_DIR": str(tmp_path)}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    imported = {name for name in done.stderr.split() if not name.startswith("proctor")}
    assert imported <= LIGHT | {"atexit"}
    assert "make" in done.stdout
