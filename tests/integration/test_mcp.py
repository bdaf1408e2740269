"""`proctor mcp` with the SDK's own client, over real pipes."""

import asyncio
import importlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.cheats.stage import GREEN, PROCTOR, RED, Stage

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(find_spec("mcp") is None, reason="the extra mcp is not installed"),
]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    made = Stage(tmp_path)
    made.put("tests/test_app.py", GREEN)
    made.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
    made.commit()
    return made


def session(
    stage: Stage, work: Callable[[Any], Awaitable[Any]], words: tuple[str, ...] = ()
) -> Any:
    """Do something with a client that has started the server."""
    # NOTE: here, since its import takes a second, and every collection would wait for it.
    mcp = importlib.import_module("mcp")

    async def main() -> Any:
        command, *arguments = words or (PROCTOR, "mcp")
        server = mcp.StdioServerParameters(
            command=command, args=arguments, env=stage.env, cwd=stage.repo
        )
        with (stage.folder / "stderr").open("w") as errors:
            async with (
                mcp.stdio_client(server, errlog=errors) as (read, write),
                mcp.ClientSession(read, write) as client,
            ):
                await client.initialize()
                return await work(client)

    # NOTE: in a thread, since other tests leave a running loop in this one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, main()).result()


def call(stage: Stage, name: str, given: dict[str, Any], **more: Any) -> Any:
    return session(stage, lambda client: client.call_tool(name, given, **more))


def said(result: Any) -> str:
    return "\n".join(block.text for block in result.content)


def test_the_tools_say_what_they_take_and_give(stage: Stage) -> None:
    listed = session(stage, lambda client: client.list_tools())
    tools = {tool.name: tool for tool in listed.tools}
    assert set(tools) == {"run_tests", "gate", "check_receipt"}
    assert tools["run_tests"].input_schema["required"] == ["argv"]
    assert tools["run_tests"].input_schema["properties"]["argv"]["type"] == "array"
    assert "span_id" in tools["run_tests"].output_schema["properties"]


def test_tests_are_run_and_recorded_with_the_tool_calls_id(stage: Stage) -> None:
    meta = {"claudecode/toolUseId": "toolu_7"}
    result = call(stage, "run_tests", {"argv": ["pytest", "-q"]}, meta=meta)
    found = result.structured_content
    assert (found["exit_code"], found["executed"], found["failed"]) == (0, 2, 0)
    assert "2 passed" in found["output"]
    assert said(result).startswith("exit code 0 · 2 executed, 0 failed, 0 skipped")
    (root,) = [span for span in stage.spans() if span["span_id"] == found["span_id"]]
    assert (root["parent_tool_span"], root["claims"]) == ("toolu_7", "tests")


def test_a_receipt_is_written_and_checked(stage: Stage) -> None:
    missing = call(stage, "check_receipt", {})
    assert missing.structured_content["exit_code"] == 2
    call(stage, "run_tests", {"argv": ["pytest", "-q"], "receipt": True})
    good = call(
        stage, "check_receipt", {"path": "artifacts/test-receipt.json", "command": "pytest"}
    )
    assert (good.structured_content["exit_code"], said(good)[:5]) == (0, "good "), said(good)
    stage.put("tests/test_app.py", RED)
    assert call(stage, "check_receipt", {}).structured_content["exit_code"] == 3


def test_a_failing_suite_is_an_answer_and_not_an_error(stage: Stage) -> None:
    stage.put("tests/test_app.py", RED)
    result = call(stage, "run_tests", {"argv": ["python3", "-m", "pytest", "-q"], "cwd": "tests"})
    assert not result.is_error
    assert result.structured_content["exit_code"] == 1
    assert result.structured_content["failed"] == 1


def test_counts_come_from_below_a_driver(stage: Stage) -> None:
    stage.put("Makefile", "test:\n\tpytest -q\n")
    found = call(stage, "run_tests", {"argv": ["make", "test"]}).structured_content
    assert (found["exit_code"], found["executed"]) == (0, 2)


def test_the_end_of_a_long_output_is_kept(stage: Stage) -> None:
    stage.put("tests/test_app.py", "def test_a():\n    print('x' * 3_000_000)\n    assert 0\n")
    result = call(stage, "run_tests", {"argv": ["pytest", "-q"]})
    found = result.structured_content
    assert found["output_bytes"] > 3_000_000
    assert len(found["output"]) <= 16 << 10
    assert "1 failed" in found["output"]
    assert "bytes before this" in said(result)


def test_the_gate_judges_what_the_tool_recorded(stage: Stage) -> None:
    async def work(client: Any) -> Any:
        before = await client.call_tool("gate", {})
        await client.call_tool("run_tests", {"argv": ["pytest", "-q"]})
        return before, await client.call_tool("gate", {"cwd": "tests"})

    before, after = session(stage, work)
    assert before.structured_content["outcome"] == "unproven"
    assert after.structured_content["outcome"] == "pass"
    assert said(after).startswith("PASS")
    assert said(call(stage, "gate", {"base": "nowhere"})).startswith("gate: ")


def test_the_time_limit_ends_the_whole_tree(stage: Stage) -> None:
    stage.put("tests/test_app.py", SLEEPER)
    found = call(stage, "run_tests", {"argv": ["pytest", "-q"], "timeout": 2}).structured_content
    assert found["timed_out"]
    assert_gone(stage)


def test_a_cancelled_call_leaves_no_process_and_a_record(stage: Stage) -> None:
    stage.put("tests/test_app.py", SLEEPER)

    async def work(client: Any) -> None:
        task = asyncio.create_task(client.call_tool("run_tests", {"argv": ["pytest", "-q"]}))
        await started(stage)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await gone(stage)
        assert (await client.call_tool("gate", {})).structured_content["outcome"] == "fail"

    session(stage, work)
    assert_gone(stage)


def test_a_client_that_hangs_up_leaves_no_process(stage: Stage) -> None:
    stage.put("tests/test_app.py", SLEEPER)

    async def work(client: Any) -> None:
        task = asyncio.create_task(client.call_tool("run_tests", {"argv": ["pytest", "-q"]}))
        await started(stage)
        task.cancel()

    session(stage, work)
    assert_gone(stage)


def test_a_server_that_is_told_to_stop_ends_what_it_runs(stage: Stage) -> None:
    stage.put("tests/test_app.py", SLEEPER)

    async def work(client: Any) -> None:
        task = asyncio.create_task(client.call_tool("run_tests", {"argv": ["pytest", "-q"]}))
        await started(stage)
        (server,) = [
            pid for pid in processes() if "proctor.cli.main" in argv(pid) and "mcp" in argv(pid).split("\0")
            and stage.folder.name in environ(pid)
        ]  # fmt: skip
        os.kill(server, signal.SIGTERM)
        await gone(stage)
        task.cancel()

    session(stage, work)
    assert_gone(stage)


def test_a_client_that_closes_its_ears_is_no_fault(stage: Stage) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [PROCTOR, "mcp"], cwd=stage.repo, env=stage.env, stdout=write, stderr=subprocess.PIPE,
        input=json.dumps(hello) + "\n", text=True, check=False,
    )  # fmt: skip
    os.close(write)
    assert done.returncode in (0, 141)
    assert "fault" not in done.stderr


def test_under_watch_there_is_one_recorder(stage: Stage) -> None:
    async def work(client: Any) -> Any:
        meta = {"claudecode/toolUseId": "toolu_8"}
        return await client.call_tool("run_tests", {"argv": ["pytest", "-q"]}, meta=meta)

    found = session(stage, work, (PROCTOR, "watch", "--", PROCTOR, "mcp")).structured_content
    assert (found["exit_code"], found["executed"]) == (0, 2)
    tests = [span for span in stage.spans() if span["role"] == "test"]
    assert {span["parent_tool_span"] for span in tests} == {"toolu_8"}
    assert len({span["run_id"] for span in stage.spans()}) == 1


def test_the_trace_of_a_request_is_handed_on(stage: Stage) -> None:
    context = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    call(stage, "run_tests", {"argv": ["pytest"]}, meta={"traceparent": context})
    assert {span["traceparent"] for span in stage.spans()} == {context}


def test_stdout_carries_the_protocol_and_nothing_else(stage: Stage) -> None:
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }  # fmt: skip
    text = "not JSON\n" + json.dumps(hello) + "\n"
    done = stage.proctor("mcp", input=text)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert any(answer.get("id") == 1 for answer in answers)
    assert done.returncode == 0


SLEEPER = """
import pathlib, signal, subprocess, time

def test_sleeps():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(300)"
    child = subprocess.Popen(["python3", "-c", code], start_new_session=True)
    time.sleep(0.3)
    pathlib.Path("started").write_text(str(child.pid))
    child.wait()
"""


async def started(stage: Stage) -> None:
    for _ in range(400):
        if (stage.repo / "started").exists():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it never started")


async def gone(stage: Stage) -> None:
    pid = int((stage.repo / "started").read_text())
    for _ in range(200):
        if not alive(pid):
            return
        await asyncio.sleep(0.05)


def assert_gone(stage: Stage) -> None:
    deadline = time.monotonic() + 8
    pid = int((stage.repo / "started").read_text())
    while (alive(pid) or ours(stage)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(pid)
    assert ours(stage) == []


def ours(stage: Stage) -> list[str]:
    """The processes that still run in the stage's environment."""
    return [argv(pid) for pid in processes() if str(stage.folder) in environ(pid) and alive(pid)]


def processes() -> list[int]:
    return [
        int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()
    ]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def argv(pid: int) -> str:
    return _read(f"/proc/{pid}/cmdline")


def environ(pid: int) -> str:
    return _read(f"/proc/{pid}/environ")


def _read(path: str) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""
