"""Gemini CLI's sessions, as one document and as lines."""

from collections.abc import Callable

import pytest

from proctor.join.toolcall import Told
from tests.unit.join.conftest import Read


@pytest.fixture
def session(asset: Callable[[str], Read]) -> Read:
    """The session that is one document."""
    return asset("gemini_cli.json")


def test_a_call_of_the_document_is_found(session: Read) -> None:
    call = session.calls["run_shell_command-17"]
    assert (session.reader, session.skipped) == ("gemini_cli", [])
    assert (call.command, call.cwd, call.session) == ("npm test", "web", "51d0")
    assert call.told == Told(exit_code=1, failed=True, ending="ended")
    assert call.started_at == "2026-09-04T07:00:02.000000Z"
    assert call.finished_at == "2026-09-04T07:00:05.000000Z"


def test_an_exit_code_that_the_program_printed_is_not_its_own(session: Read) -> None:
    assert session.calls["run_shell_command-18"].told == Told(failed=False, ending="ended")


@pytest.mark.parametrize(
    ("call_id", "told"),
    [
        ("run_shell_command-19", Told(failed=True, ending="not-run")),
        ("run_shell_command-20", Told(failed=True)),
        ("run_shell_command-21", Told(ending="running")),
        ("read_file-22", Told()),
    ],
)
def test_other_ends_are_told_as_far_as_they_are_known(
    session: Read, call_id: str, told: Told
) -> None:
    assert session.calls[call_id].told == told


def test_what_the_agent_said_is_kept(session: Read) -> None:
    assert session.said == ["I run them.", "All tests pass."]


def test_a_message_that_is_written_again_counts_once(asset: Callable[[str], Read]) -> None:
    read = asset("gemini_cli.jsonl")
    assert (read.reader, read.skipped) == ("gemini_cli", [])
    assert read.said == ["I run them."]
    assert read.calls["rs-1"].told == Told(exit_code=0, failed=False, ending="ended")
    assert read.calls["rs-1"].subagent == "51d1"


def test_what_is_set_is_read_and_what_is_rewound_stays(asset: Callable[[str], Read]) -> None:
    assert set(asset("gemini_cli.jsonl").calls) == {"rs-1", "rs-2"}
