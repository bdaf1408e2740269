"""aider's chat history."""

from collections.abc import Callable

from proctor.join.toolcall import Message, Told
from tests.unit.join.conftest import Read


def test_run_test_and_bang_are_calls(asset: Callable[[str], Read]) -> None:
    read = asset("aider.md")
    assert (read.reader, read.skipped) == ("aider", [])
    found = [(call.tool, call.command, call.line) for call in read.calls.values()]
    assert found == [
        ("run", "pytest -q", 13),
        ("test", None, 18),
        ("run", "make check", 20),
        ("run", "npm test", 25),
    ]


def test_a_call_has_the_chats_beginning_for_its_time(asset: Callable[[str], Read]) -> None:
    calls = asset("aider.md").calls
    assert calls["line-13"].started_at == "2026-09-07T09:30:00.000000Z"
    assert calls["line-13"].session != calls["line-25"].session


def test_no_exit_code_is_told(asset: Callable[[str], Read]) -> None:
    read = asset("aider.md")
    assert read.calls["line-13"].told == Told(ending="ended")
    assert read.outputs["line-13"].startswith("1 failed, 8 passed in 3.0s")
    assert read.calls["line-25"].told == Told()


def test_the_replies_are_what_the_agent_said(asset: Callable[[str], Read]) -> None:
    entries = asset("aider.md").entries
    said = [(entry.text, entry.line) for entry in entries if isinstance(entry, Message)]
    assert said[0] == ("Here is the change.\nIt rounds now.", 9)


def test_endless_output_keeps_its_end(written: Callable[..., Read]) -> None:
    head = b"# aider chat started at 2026-01-01 00:00:00\n#### /run yes\n"
    read = written(head + b"> " + b"y" * 1000 + b"\n" + b"> y\r\n" * 100_000 + b"> last\n")
    assert read.outputs["line-2"].endswith("y\nlast")
    assert len(read.outputs["line-2"]) <= 1 << 16


def test_a_command_between_blanks_is_read_at_once(written: Callable[..., Read]) -> None:
    text = (
        "# aider chat started at 2026-09-07 09:30:00\n\n#### !"
        + " " * 200_000
        + "x y"
        + " " * 200_000
    )
    (call,) = written(f"{text}\n".encode(), "chat.md").calls.values()
    assert call.command == "x y"
