"""What the tools refuse, and what they say; the protocol itself is tested with a client."""

import asyncio
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from proctor import mcp
from proctor.records.span import Report, Span


def call(name: str, given: dict[str, Any] | None, **meta: Any) -> Any:
    context, params = (
        SimpleNamespace(meta=meta or None),
        SimpleNamespace(name=name, arguments=given),
    )
    return asyncio.run(mcp._call_tool(context, params))  # type: ignore[arg-type]


def said(result: Any) -> str:
    return "\n".join(block.text for block in result.content)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROCTOR_STATE_DIR", str(tmp_path / "state"))
    return tmp_path


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"argv": ["bash", "-c", "pytest -q; rm -rf x"]}, "argv goes to no shell"),
        ({"argv": ["env", "sh", "-c", "pytest"]}, "argv goes to no shell"),
        ({"argv": ["curl", "http://127.0.0.1"]}, "no test command"),
        ({"argv": ["echo", "5 passed"]}, "no test command"),
        ({"argv": "pytest -q"}, "Expected `array`"),
        ({"argv": []}, "length"),
        ({}, "argv"),
        ({"argv": ["pytest"], "shell": True}, "shell"),
        ({"argv": ["pytest"], "timeout": 0}, "timeout"),
        ({"argv": ["pytest"], "cwd": "nowhere"}, "is no folder"),
    ],
)
def test_what_cannot_be_done_is_told_to_the_agent(
    folder: Path, given: dict[str, Any], words: str
) -> None:
    result = call("run_tests", given)
    assert result.is_error
    assert words in said(result)
    assert not list((folder / "state").glob("*/spans.jsonl"))


def test_a_tool_that_is_not_there_is_an_error() -> None:
    assert "known: run_tests, gate" in said(call("receipts", None))


def test_a_bad_configuration_is_one_line(folder: Path) -> None:
    (folder / "proctor.toml").write_text("[gate]\nenforse = 1\n")
    result = call("run_tests", {"argv": ["pytest"]})
    assert result.is_error
    assert "enforse" in said(result)


def test_a_tool_is_described_by_its_types() -> None:
    listed = asyncio.run(mcp._list_tools(None, None))  # type: ignore[arg-type]
    tools = {tool.name: tool for tool in listed.tools}
    assert set(tools) == set(mcp.TOOLS)
    run_tests = tools["run_tests"].input_schema
    assert run_tests["required"] == ["argv"]
    assert run_tests["properties"]["argv"]["minItems"] == 1
    assert run_tests["additionalProperties"] is False


def test_the_gate_says_what_its_command_says() -> None:
    result = call("gate", {})
    assert result.structured_content["outcome"] == "unproven"
    assert said(result).startswith("UNPROVEN")
    assert "is no folder" in said(call("gate", {"cwd": "nowhere"}))


def told(**members: Any) -> Any:
    span = Span(
        **{
            "span_id": "a" * 16, "argv": ("pytest",), "cwd": "/w", "exit_code": 1, "duration_ms": 7,
            "duration_floor_ms": 0, "duration_ok": True, "denied_binary": False,
            "stdout_sha256": None, "stderr_sha256": None, "stdout_bytes": None,
            "stderr_bytes": None, "env_names": (), **members,
        }
    )  # fmt: skip
    return mcp._told(span, [], -9, "end", 1003)


def test_what_was_witnessed_is_told_in_one_line_before_the_output() -> None:
    report = Report(
        path="", sha256="", format="f", executed=5, passed=3, failed=2, skipped=1, ids_sha256=""
    )
    found = told(report=report)
    head = "exit code 1 · 5 executed, 2 failed, 1 skipped · 7 ms · span aaaaaaaaaaaaaaaa"
    assert mcp._in_words(found) == f"{head}\n[1,000 bytes before this]\nend"
    killed = told(exit_code=137, signal="SIGKILL", timed_out=True)
    assert mcp._in_words(killed).startswith("signal SIGKILL · tests not counted · 7 ms")
    assert "ended by the time limit" in mcp._in_words(killed)
    assert told(exit_code=None).exit_code == 137


def test_without_the_extra_one_line_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['mcp'] = None\n"
        "from proctor.cli.main import main; sys.argv = ['proctor', 'mcp']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 64
    assert "pip install '.[mcp]'" in done.stderr
    assert done.stderr.count("\n") == 1
