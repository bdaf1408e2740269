"""Whether an agent that wants to stop is held up, and what it is told."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from proctor.hooks.stop import admits, claims
from tests.conftest import Proctor
from tests.transcripts import Claude
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
    ("copilot-cli", "agent-stop"): "",
    ("cursor", "stop"): "",
}
"""By agent and event: the member that holds its last words; '' where it sends none."""


def stopping(agent: str, event: str, app: Path, words: str, **more: Any) -> dict[str, Any]:
    """Return the event; words that the agent does not send stand in its transcript."""
    name = EVENTS[agent, event]
    if name:
        return {"cwd": str(app), name: words, **more}
    talk = Claude(app)
    talk.say(words)
    path = app.parent / "session.jsonl"
    talk.write(path)
    name = "transcriptPath" if agent == "copilot-cli" else "transcript_path"
    return {"cwd": str(app), name: str(path), **more}


def reason_in(answer: dict[str, Any]) -> str:
    assert answer.get("decision", "followup") in ("block", "deny", "followup")
    return str(answer.get("reason") or answer["followup_message"])


def test_a_claim_over_a_masked_failure_is_held_up_with_the_cure(
    ask: Ask, proctor: Proctor, app: Path
) -> None:
    proctor("run", "--", "bash", "-c", "pytest -q | tail -1", cwd=app)
    for agent, event in EVENTS:
        reason = reason_in(ask(agent, event, stopping(agent, event, app, "All tests passed.")))
        assert "- masked-exit: `pytest -q` returned 1" in reason, agent
        assert "do: mend what fails, then run it unmasked: proctor run -- " in reason, agent
        assert "NO RECEIPT" in reason, agent


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


def test_an_honest_agent_is_let_go(ask: Ask, proctor: Proctor, app: Path) -> None:
    proctor("run", "--", "bash", "-c", "pytest -q | tail -1", cwd=app)
    honest = ("Two tests fail: I could not mend them.", "NO RECEIPT: no pytest here.", "Renamed f.")
    for (agent, event), words in zip(EVENTS, honest * 2, strict=True):
        assert ask(agent, event, stopping(agent, event, app, words)) == {}, (agent, words)


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
    given = stopping("copilot-cli", "agent-stop", app, "All tests pass.", stop_hook_active=True)
    assert ask("copilot-cli", "agent-stop", given) == {}
    given = stopping("cursor", "stop", app, "All tests pass.", status="aborted")
    assert ask("cursor", "stop", given) == {}


def test_an_editor_names_its_workspace_instead_of_a_folder(ask: Ask, app: Path) -> None:
    given = stopping("cursor", "stop", app, "All tests pass.", status="completed")
    given["cwd"], given["workspace_roots"] = "", [str(app)]
    assert "no-records" in reason_in(ask("cursor", "stop", given))


def test_where_only_the_projects_clone_has_records_it_is_judged(
    ask: Ask, proctor: Proctor, app: Path, tmp_path: Path
) -> None:
    """Claude stands where its last `cd` led; the records are those of where it began."""
    del proctor.env["PROCTOR_LOG"]
    proctor("run", "--", "bash", "-c", "pytest -q | tail -1", cwd=app)
    proctor.env["CLAUDE_PROJECT_DIR"] = str(app)
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    given = stopping("claude-code", "stop", other, "All tests pass.")
    assert "masked-exit" in reason_in(ask("claude-code", "stop", given))


def test_a_transcript_in_no_known_format_is_left_out(
    ask: Ask, proctor: Proctor, app: Path, tmp_path: Path
) -> None:
    proctor("run", "--", "bash", "-c", "pytest -q | tail -1", cwd=app)
    odd = tmp_path / "odd.jsonl"
    odd.write_text("nothing known\n")
    given = stopping("codex", "stop", app, "All tests pass.", transcript_path=str(odd))
    assert "masked-exit" in reason_in(ask("codex", "stop", given))


def test_an_agent_that_says_nothing_is_asked_if_it_ran_tests(
    ask: Ask, proctor: Proctor, app: Path, tmp_path: Path
) -> None:
    proctor("run", "--parent", "toolu_1", "--", "bash", "-c", "pytest -q | tail -1", cwd=app)
    agent = Claude(app)
    agent.call("toolu_1", "pytest -q | tail -1", text="1 failed")
    agent.write(tmp_path / "s.jsonl")
    given = stopping("codex", "stop", app, "Done.", transcript_path=str(tmp_path / "s.jsonl"))
    assert "masked-exit" in reason_in(ask("codex", "stop", given))


def test_an_agent_is_told_a_handful(ask: Ask, app: Path) -> None:
    (app / "proctor.toml").write_text(
        "".join(f'[[require]]\nname = "s{n}"\ncommand = ["pytest", "t{n}"]\n' for n in range(7))
    )
    reason = reason_in(ask("codex", "stop", stopping("codex", "stop", app, "All tests pass.")))
    assert "\n- and 3 more: proctor gate\n" in reason


def test_on_a_branch_only_the_patch_is_judged(ask: Ask, proctor: Proctor, app: Path) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *words], cwd=app, check=True, capture_output=True)

    (app / "README.md").write_text("# App\n")
    git("checkout", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "first")
    proctor("run", "--", "bash", "-c", "pytest -q | tail -1", cwd=app)
    claim = stopping("codex", "stop", app, "All tests pass.")
    assert ask("codex", "stop", claim) != {}
    git("checkout", "-q", "-b", "work")
    (app / "README.md").write_text("# The app\n")
    git("commit", "-qam", "prose")
    assert ask("codex", "stop", claim) == {}


def test_under_watch_its_log_is_judged(ask: Ask, proctor: Proctor, app: Path) -> None:
    log = proctor.folder / "other.jsonl"
    proctor("run", "--log", str(log), "--", "bash", "-c", "pytest -q | tail -1", cwd=app)
    proctor.env["PROCTOR_WITNESS"] = f"1:2:{log}"
    reason = reason_in(ask("codex", "stop", stopping("codex", "stop", app, "All tests pass.")))
    assert "masked-exit" in reason
