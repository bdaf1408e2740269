"""What each agent is told before a command runs, in its own form."""

import json
import os

import pytest

from proctor.hooks.wrap import recorded
from tests.unit.hooks.conftest import Ask

TEXT = "pytest -q | tail -3"
SHELL = os.environ.get("SHELL") or "bash"


def test_claude_code_hears_nothing_unless_it_rewrites(ask: Ask) -> None:
    given = {
        "session_id": "s", "tool_name": "Bash", "tool_use_id": "t1",
        "tool_input": {"command": TEXT, "description": "d", "run_in_background": True},
    }  # fmt: skip
    assert ask("claude-code", "pre-tool-use", given) == {}
    answer = ask("claude-code", "pre-tool-use", given, "--rewrite")
    assert answer == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "updatedInput": {
                "command": recorded(TEXT, "t1", SHELL), "description": "d", "run_in_background": True,
            },
        }
    }  # fmt: skip


def test_codex_demands_an_allow_and_no_other_member(ask: Ask) -> None:
    given = {"tool_name": "Bash", "tool_use_id": "c1", "tool_input": {"command": TEXT}}
    assert ask("codex", "pre-tool-use", given) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": {"command": recorded(TEXT, "c1")},
        }
    }


def test_gemini_gets_the_command_alone(ask: Ask) -> None:
    given = {"tool_name": "run_shell_command", "tool_input": {"command": TEXT, "directory": "x"}}
    answer = ask("gemini-cli", "before-tool", given)
    assert answer["hookSpecificOutput"]["tool_input"] == {"command": recorded(TEXT, "")}
    assert "decision" not in answer


@pytest.mark.parametrize("as_text", [True, False])
def test_copilot_gets_its_arguments_back(ask: Ask, as_text: bool) -> None:
    arguments = {"command": TEXT, "description": "d"}
    given = {"toolName": "bash", "toolArgs": json.dumps(arguments) if as_text else arguments}
    assert ask("copilot-cli", "pre-tool-use", given) == {
        "modifiedArgs": {"command": recorded(TEXT, ""), "description": "d"}
    }


def test_cursor_gets_its_input_back(ask: Ask) -> None:
    given = {"tool_name": "Shell", "tool_use_id": "u", "tool_input": {"command": TEXT, "cwd": "/"}}
    assert ask("cursor", "pre-tool-use", given) == {
        "updated_input": {"command": recorded(TEXT, "u"), "cwd": "/"}
    }


EVENTS = [
    ("claude-code", "pre-tool-use", "tool_name", "tool_input"),
    ("codex", "pre-tool-use", "tool_name", "tool_input"),
    ("gemini-cli", "before-tool", "tool_name", "tool_input"),
    ("copilot-cli", "pre-tool-use", "toolName", "toolArgs"),
    ("cursor", "pre-tool-use", "tool_name", "tool_input"),
]


@pytest.mark.parametrize(("agent", "event", "name", "arguments"), EVENTS)
def test_other_tools_and_odd_input_are_left_alone(
    ask: Ask, agent: str, event: str, name: str, arguments: str
) -> None:
    for given in (
        {name: "Read", arguments: {"command": TEXT}},
        {name: "Bash", arguments: {"command": None}},
        {name: "Bash", arguments: [TEXT]},
        {name: None},
        {},
    ):
        assert ask(agent, event, given, "--rewrite") == {}


@pytest.mark.parametrize(("agent", "event", "name", "arguments"), EVENTS)
def test_nobody_is_allowed_what_was_not_allowed(
    ask: Ask, agent: str, event: str, name: str, arguments: str
) -> None:
    tool = {"gemini-cli": "run_shell_command", "copilot-cli": "bash", "cursor": "Shell"}
    given = {name: tool.get(agent, "Bash"), arguments: {"command": TEXT}}
    said = json.dumps(ask(agent, event, given, "--rewrite"))
    assert "proctor" in said
    assert ('"allow"' in said) is (agent == "codex")
