"""Real clients, led by a scripted model to a masked test run, and to an honest one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor._family import names
from tests.clients.base import HONEST, MASKED, Client
from tests.clients.conftest import Session, Start
from tests.clients.known import CLIENTS
from tests.conftest import PROCTOR

pytestmark = [pytest.mark.heavy, pytest.mark.timeout(600)]


def spans(session: Session) -> list[dict[str, Any]]:
    logs = list((session.stage.home / ".local/state/proctor").glob("*/spans.jsonl"))
    return [json.loads(line) for log in logs for line in Path(log).read_bytes().splitlines()]


def exit_codes_of_pytest(session: Session) -> list[int]:
    """Return those of the runs that executed a test."""
    return [
        span["exit_code"]
        for span in spans(session)
        if span["command_class"] == "pytest" and span["report"]["executed"] == 1
    ]


def setup_of(client: Client) -> "Callable[[Session], Any] | None":
    """Return what installs Proctor into this client; none: it takes no hooks."""
    agent = client.name.replace("_", "-")

    def install(session: Session) -> None:
        session.proctor("init", "--agent", agent, check=True)
        session.run("git", "add", "-A")

    return install if client.name in names("proctor.setup.agents") else None


def ways_of(client: Client) -> list[str]:
    """Return how a client is played: under `watch`, with hooks that `init` installed, or both."""
    ways = ["watched"]
    # NOTE: Copilot's hooks only gate; the records come from `watch`.
    if setup_of(client) is not None and client.name != "copilot_cli":
        ways.append("hooked")
    # Others show that both go together.
    if client.name in ("claude_code", "copilot_cli"):
        ways.append("both")
    return ways


def in_build(client: Client, *, failing: bool) -> list[str]:
    """Return the ways that the build plays."""
    ways = ways_of(client)
    return (ways[1:] or ways) if failing else ways[:1]


def sessions(*, failing: bool) -> pytest.MarkDecorator:
    """Return the sessions of a test: a client and its way.

    In the build a masked failure is played with hooks where a client takes them, and an
    honest run is watched; `make large` plays the other half.
    """
    return pytest.mark.parametrize(
        ("client", "play"),
        [
            pytest.param(
                client,
                way,
                id=f"{client.name}-{way}",
                marks=[] if way in in_build(client, failing=failing) else [pytest.mark.large],
            )
            for client in CLIENTS
            for way in ways_of(client)
        ],
        indirect=True,
    )


@pytest.fixture
def play(request: pytest.FixtureRequest, start: Start, client: Client) -> Start:
    """Run the client in one of its ways."""
    setup = setup_of(client) if request.param != "watched" else None
    before = () if request.param == "hooked" else (PROCTOR, "watch", "--")

    def run(command: str, **more: Any) -> Session:
        return start(command, *before, setup=setup, **more)

    return run


def call_id(session: Session) -> str:
    """Return the id under which the model called its shell."""
    return "toolu_0000" if session.client.name == "claude_code" else "call_0000"


@sessions(failing=True)
def test_a_masked_failure_is_caught_with_the_call_that_asked_for_it(play: Start) -> None:
    session = play(MASKED, failing=True)
    assert exit_codes_of_pytest(session) == [1]
    verdict = session.proctor("gate", "--transcript", session.transcript())
    assert verdict.returncode == 1, verdict.stdout
    assert "masked-exit" in verdict.stdout
    if session.client.name != "gemini_cli":  # which makes its ids anew
        assert call_id(session) in verdict.stdout
    held = "Proctor has no good record of a passing test run" in json.dumps(session.model.asked)
    gates = session.client.name in ("claude_code", "codex", "gemini_cli", "copilot_cli")
    assert held is (gates and (session.stage.work / "proctor.toml").exists())


@sessions(failing=False)
def test_an_honest_run_passes(play: Start) -> None:
    session = play(HONEST, failing=False)
    assert exit_codes_of_pytest(session) == [0]
    verdict = session.proctor("gate", "--transcript", session.transcript())
    assert verdict.returncode == 0, verdict.stdout
