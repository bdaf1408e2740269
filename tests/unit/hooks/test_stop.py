"""Whether an agent that wants to stop is held up, and what it is told."""

from pathlib import Path
from typing import Any

import pytest

from proctor.hooks.stop import admits, claims
from tests.conftest import Proctor
from tests.unit.hooks.conftest import Ask


@pytest.mark.parametrize(
    "words",
    [
        "All tests passed.",
        "All tests pass now, and the build is clean.",
        "The tests are passing.",
        "I ran pytest and everything is green.",
        "Result: 12 passed in 0.3s",
        "The failing test passes now.",
        "No failures: all 12 tests pass.",
        "The previously failing tests pass.",
        "Test suite: 0 failed.",
        "The lint still has warnings.\nThe test suite passes.",
    ],
)
def test_a_claim_is_understood(words: str) -> None:
    assert claims(words)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "I renamed the function.",
        "Two tests fail: test_a and test_b.",
        "The tests do not pass yet.",
        "I have not run the tests; whether they pass is unknown.",
        "3 failed, 9 passed.",
        "pytest could not be run here.",
    ],
)
def test_what_claims_nothing_is_no_claim(words: str) -> None:
    assert not claims(words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Two tests fail.", True),
        ("They were not run.", True),
        ("All pass, no failures.", False),
        ("I fixed the failing test.", False),
        ("", False),
    ],
)
def test_an_admission_is_understood(words: str, said: bool) -> None:
    assert admits(words) is said


EVENTS = {
    ("claude-code", "stop"): "last_assistant_message",
    ("claude-code", "subagent-stop"): "last_assistant_message",
    ("codex", "stop"): "last_assistant_message",
    ("gemini-cli", "after-agent"): "prompt_response",
    ("copilot-cli", "agent-stop"): "lastAssistantMessage",
    ("cursor", "stop"): "text",
}
every_agent = pytest.mark.parametrize(("agent", "event"), EVENTS)


def stopping(agent: str, event: str, app: Path, words: str, **more: Any) -> dict[str, Any]:
    return {"cwd": str(app), EVENTS[agent, event]: words, **more}


def reason_in(answer: dict[str, Any]) -> str:
    assert answer.get("decision", "followup") in ("block", "deny", "followup")
    return str(answer.get("reason") or answer["followup_message"])


@every_agent
def test_a_claim_over_a_masked_failure_is_held_up_with_the_cure(
    ask: Ask, proctor: Proctor, app: Path, agent: str, event: str
) -> None:
    proctor("run", "--", "bash", "-c", "pytest -q | tail -1", cwd=app)
    reason = reason_in(ask(agent, event, stopping(agent, event, app, "All tests passed.")))
    assert "- masked-exit: `pytest -q` returned 1" in reason
    assert "do: mend what fails, then run it unmasked: proctor run -- " in reason
    assert "NO RECEIPT" in reason


def test_a_claim_without_any_record_is_held_up(ask: Ask, app: Path) -> None:
    reason = reason_in(ask("codex", "stop", stopping("codex", "stop", app, "All tests pass.")))
    assert "no-records" in reason


def test_a_good_record_lets_an_agent_go(ask: Ask, proctor: Proctor, app: Path) -> None:
    (app / "tests" / "test_a.py").write_text("def test_a():\n    assert 1 == 1\n")
    proctor("run", "--", "pytest", "-q", cwd=app)
    assert ask("codex", "stop", stopping("codex", "stop", app, "All tests pass.")) == {}


def test_a_narrow_run_is_recorded_and_holds_nobody_up(
    ask: Ask, proctor: Proctor, app: Path
) -> None:
    (app / "tests" / "test_b.py").write_text("def test_b():\n    pass\n")
    proctor("run", "--", "pytest", "-q", "tests/test_b.py", cwd=app)
    assert ask("codex", "stop", stopping("codex", "stop", app, "The new test passes.")) == {}


@every_agent
@pytest.mark.parametrize(
    "words", ["Two tests fail: I could not mend them.", "NO RECEIPT: no pytest here.", "Renamed f."]
)
def test_an_honest_agent_is_let_go(
    ask: Ask, proctor: Proctor, app: Path, agent: str, event: str, words: str
) -> None:
    proctor("run", "--", "bash", "-c", "pytest -q | tail -1", cwd=app)
    assert ask(agent, event, stopping(agent, event, app, words)) == {}


@pytest.mark.parametrize(
    ("agent", "event"), [("claude-code", "stop"), ("codex", "stop"), ("gemini-cli", "after-agent")]
)
def test_an_agent_is_held_up_once_and_then_its_user_is_told(
    ask: Ask, app: Path, agent: str, event: str
) -> None:
    given = stopping(agent, event, app, "All tests passed.", stop_hook_active=True)
    answer = ask(agent, event, given)
    assert list(answer) == ["systemMessage"]
    assert answer["systemMessage"].startswith("Proctor: unproven: ")


def test_copilot_and_cursor_are_not_asked_again_for_ever(ask: Ask, app: Path) -> None:
    given = stopping("copilot-cli", "agent-stop", app, "All tests pass.", stopHookActive=True)
    assert ask("copilot-cli", "agent-stop", given) == {}
    given = stopping("cursor", "stop", app, "All tests pass.", status="aborted")
    assert ask("cursor", "stop", given) == {}


def test_an_editor_names_its_workspace_instead_of_a_folder(ask: Ask, app: Path) -> None:
    given = stopping("cursor", "stop", app, "All tests pass.", status="completed")
    given["cwd"], given["workspace_roots"] = "", [str(app)]
    assert "no-records" in reason_in(ask("cursor", "stop", given))
