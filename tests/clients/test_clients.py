"""Real clients, led by a scripted model to a masked test run, and to an honest one."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.clients.base import HONEST, MASKED
from tests.clients.conftest import Session, Start
from tests.conftest import PROCTOR

pytestmark = pytest.mark.heavy


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


def test_a_masked_failure_is_seen_through_a_client_that_knows_nothing(start: Start) -> None:
    session = start(MASKED, PROCTOR, "watch", "--", failing=True)
    assert exit_codes_of_pytest(session) == [1]
    verdict = session.proctor("gate")
    assert verdict.returncode == 1
    assert "masked-exit" in verdict.stdout


def test_an_honest_run_of_a_client_that_knows_nothing_passes(start: Start) -> None:
    session = start(HONEST, PROCTOR, "watch", "--", failing=False)
    assert exit_codes_of_pytest(session) == [0]
    verdict = session.proctor("gate")
    assert verdict.returncode == 0, verdict.stdout
