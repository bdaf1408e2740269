"""The Python interface, against real commands."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import proctor as package
from proctor import Span, arun_recorded, read_spans, run_recorded
from proctor.api import RecordedProcess
from proctor.errors import RecorderError


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("PROCTOR_LOG", str(tmp_path / "spans.jsonl"))


def test_the_result_is_a_completed_process_with_its_span() -> None:
    result = run_recorded(["sh", "-c", "echo out; exit 3"], text=True)
    assert isinstance(result, subprocess.CompletedProcess)
    assert (result.returncode, result.stdout, result.stderr) == (3, "out\n", "")
    assert isinstance(result.span, Span)
    assert result.span.argv == ("sh", "-c", "echo out; exit 3")


def test_a_signal_is_negative_as_python_has_it() -> None:
    assert run_recorded(["sh", "-c", "kill -9 $$"]).returncode == -signal.SIGKILL


def test_an_empty_argv_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="argv is empty"):
        run_recorded([])


def test_an_unknown_option_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="no option 'tiemout'"):
        run_recorded(["true"], tiemout=3)


def test_a_recorder_that_cannot_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(RecorderError, match="name a file, not a folder"):
        run_recorded(["true"], log=tmp_path)


def test_without_capture_the_output_streams(capfd: pytest.CaptureFixture[str]) -> None:
    result = run_recorded(["echo", "hi"], capture=False)
    assert (result.stdout, capfd.readouterr().out) == (None, "hi\n")


def test_input_environment_and_folder_are_the_callers(tmp_path: Path) -> None:
    env = {**os.environ, "WORD": "there"}
    result = run_recorded(["sh", "-c", "cat; pwd; echo $WORD"], input=b"x\n", cwd=tmp_path, env=env)
    assert result.stdout == f"x\n{tmp_path}\nthere\n".encode()


def test_other_children_of_the_caller_are_not_taken() -> None:
    other = subprocess.Popen(["sh", "-c", "exit 4"])
    run_recorded(["true"])
    assert other.wait() == 4


def test_a_timeout_is_told_by_the_span() -> None:
    result = run_recorded(["sleep", "20"], timeout=0.2)
    assert (result.returncode, result.span.timed_out) == (-signal.SIGTERM, True)


def test_the_event_loop_is_never_stalled() -> None:
    async def main() -> tuple[int, RecordedProcess]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        clock = asyncio.create_task(tick())
        result = await arun_recorded(["sh", "-c", "cat; sleep 0.4; exit 3"], input="x", text=True)
        clock.cancel()
        return ticks, result

    ticks, result = asyncio.run(main())
    assert ticks > 10
    assert (result.returncode, result.stdout, result.span.exit_code) == (3, "x", 3)


def test_a_cancelled_task_ends_its_command_and_leaves_its_record(tmp_path: Path) -> None:
    async def main() -> None:
        task = asyncio.create_task(arun_recorded(["sleep", "30"], capture=False))
        await asyncio.sleep(0.6)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    (span,) = read_spans(tmp_path / "spans.jsonl")
    assert (span.argv, span.signal) == (("sleep", "30"), "SIGTERM")


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys; before = set(sys.modules); import proctor; print(set(sys.modules) - before)"
    shown = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert shown.stdout == "{'proctor'}\n"


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        package.nothing  # noqa: B018
    assert "run_recorded" in dir(package)
