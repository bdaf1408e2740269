"""An audit accuses nobody wrongly: every row of the labelled sample is right."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proctor.audit.look import Request, audit
from proctor.audit.report import Run
from tests.unit.audit.labelled import ROWS, Row

_LETTERS = {
    "provable": "P",
    "unprovable": "U",
    "failed": "F",
    "untold": "T",
    "refused": "R",
    "no-run": "N",
}
_SHOWS = {"": "", "failures": "!", "nothing ran": "0"}


def label(runs: list[Run]) -> str:
    """Return what an audit says of a call, in the sample's letters."""
    return "; ".join(f"{r.runner} {_LETTERS[r.standing]}{_SHOWS[r.shows]}" for r in runs)


def _claude(number: int, row: Row) -> Iterator[object]:
    command, told, text, _ = row
    use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": command}}
    yield {"isSidechain": False, "type": "assistant", "message": {"content": [use]}}
    if told is None:
        return
    content = text
    if told == "x":
        content = "The user doesn't want to proceed with this tool use."
    elif told:
        content = f"Exit code {told}\n{text}"
    result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": content}
    message = {"content": [{**result, "is_error": bool(told)}]}
    yield {"type": "user", "message": message}


def _codex(number: int, row: Row) -> Iterator[object]:
    command, told, text, _ = row
    call = {"type": "function_call", "name": "shell", "call_id": f"t{number}"}
    arguments = json.dumps({"command": ["bash", "-lc", command]})
    yield {"type": "response_item", "payload": {**call, "arguments": arguments}}
    if told is None:
        return
    output = f"Exit code: {told}\nWall time: 1 seconds\nOutput:\n{text}"
    if told == "x":
        output = "exec command rejected by user"
    answer = {"type": "function_call_output", "call_id": f"t{number}", "output": output}
    yield {"type": "response_item", "payload": answer}


def _copilot(number: int, row: Row) -> Iterator[object]:
    command, told, text, _ = row
    start = {"toolCallId": f"t{number}", "toolName": "bash", "arguments": {"command": command}}
    yield {"type": "tool.execution_start", "data": start}
    if told is None:
        return
    done: dict[str, object] = {"toolCallId": f"t{number}", "success": told != "x"}
    if told == "x":
        done["error"] = {"code": "denied"}
    else:
        done["result"] = {"content": f"{text}\n<shellId: 1 completed with exit code {told}>"}
    yield {"type": "tool.execution_complete", "data": done}


def _gemini(number: int, row: Row) -> Iterator[object]:
    command, told, text, _ = row
    call = {"id": f"t{number}", "name": "run_shell_command", "args": {"command": command}}
    output = f"Output: \n{text}" + (f"\nExit Code: {told}" if told else "")
    result = [{"functionResponse": {"response": {"output": output}}}]
    answer: dict[str, object] = {"status": "success", "result": result}
    if not isinstance(told, int):
        answer = {"status": "cancelled" if told == "x" else "executing"}
    yield {"type": "gemini", "toolCalls": [{**call, **answer}]}


def _opencode(number: int, row: Row) -> Iterator[object]:
    command, told, text, _ = row
    state: dict[str, object] = {"status": "completed", "input": {"command": command}}
    state |= {"output": text, "metadata": {"exit": told}}
    if not isinstance(told, int):
        state["status"] = "error" if told == "x" else "running"
    part = {"type": "tool", "tool": "bash", "callID": f"t{number}", "state": state}
    yield {"info": {"role": "assistant"}, "parts": [part]}


FORMATS = [_claude, _codex, _copilot, _gemini, _opencode]


def test_the_sample_is_large_enough() -> None:
    assert len(ROWS) >= 200
    assert len({(command, told, text) for command, told, text, _ in ROWS}) == len(ROWS)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.__name__.strip("_"))
def test_every_row_is_right(form: Callable[[int, Row], Iterator[object]], tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    lines = [json.dumps(line) for number, row in enumerate(ROWS) for line in form(number, row)]
    path.write_text("\n".join(lines))
    (session,) = audit(Request(paths=(str(path),))).sessions
    said: dict[str, list[Run]] = {}
    for run in session.runs:
        said.setdefault(run.call_id, []).append(run)
    found = [(row[0], label(said.get(f"t{number}", []))) for number, row in enumerate(ROWS)]
    assert found == [(row[0], row[3]) for row in ROWS]
    assert session.skipped == 0
