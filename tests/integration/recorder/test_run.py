"""`proctor run` is the command, as far as anybody below or above can tell."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PROCTOR, Proctor

PYTHON = sys.executable
WITNESSES = ["tree", "direct"]


@pytest.fixture(params=WITNESSES)
def run(request: pytest.FixtureRequest, proctor: Proctor) -> Any:
    """`proctor run` under each witness."""

    def call(*argv: str, options: tuple[str, ...] = (), **more: Any) -> Any:
        return proctor("run", "--witness", request.param, *options, "--", *argv, **more)

    return call


def test_output_and_exit_code_are_the_commands_own(run: Any, proctor: Proctor) -> None:
    result = run("sh", "-c", "echo out; echo err >&2; exit 3")
    assert (result.returncode, result.stdout, result.stderr) == (3, "out\n", "err\n")
    assert proctor.root["stdout_sha256"] == hashlib.sha256(b"out\n").hexdigest()
    assert proctor.root["stderr_bytes"] == 4


def test_stdin_is_the_commands(run: Any) -> None:
    assert run("cat", input="hello").stdout == "hello"


def test_every_byte_of_a_large_output_arrives_in_order(run: Any, proctor: Proctor) -> None:
    code = "import sys; [sys.stdout.buffer.write(bytes([i % 251]) * 65537) for i in range(300)]"
    result = run(PYTHON, "-c", code, text=False)
    assert hashlib.sha256(result.stdout).hexdigest() == proctor.root["stdout_sha256"]
    assert len(result.stdout) == proctor.root["stdout_bytes"] == 300 * 65537


def test_a_hash_limit_bounds_what_is_digested_not_what_is_passed(
    run: Any, proctor: Proctor
) -> None:
    result = run("printf", "0123456789", options=("--hash-limit", "4"))
    assert result.stdout == "0123456789"
    assert proctor.root["stdout_sha256"] == hashlib.sha256(b"0123").hexdigest()
    assert proctor.root["hashed_bytes"] == 4


def test_a_command_that_is_not_there_is_127(run: Any, proctor: Proctor) -> None:
    result = run("no-such-command-anywhere")
    assert result.returncode == 127
    assert result.stderr == "proctor: no-such-command-anywhere: command not found\n"
    assert proctor.root["exit_code"] == 127


@pytest.mark.parametrize(
    ("line", "cure"),
    [
        ("pytest -q", "give it without quotes: -- pytest -q"),
        ("pytest -q | tail -3", "a shell line wants a shell: -- bash -c '…'"),
    ],
)
def test_a_line_given_as_one_word_is_told_its_cure(run: Any, line: str, cure: str) -> None:
    result = run(line)
    assert result.returncode == 127
    assert result.stderr == f"proctor: {line}: command not found; {cure}\n"


def test_a_file_that_may_not_run_is_126(run: Any, tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\n")
    result = run(str(tmp_path / "tool"))
    assert result.returncode == 126
    assert "cannot be executed: Permission denied" in result.stderr


def test_a_script_without_a_first_line_is_run_by_sh(run: Any, tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("exit 6\n")
    (tmp_path / "tool").chmod(0o755)
    assert run(str(tmp_path / "tool")).returncode == 6


def test_an_empty_argv_is_125_with_the_cure(proctor: Proctor) -> None:
    result = proctor("run", "--")
    assert result.returncode == 125
    assert result.stderr == "proctor: run: no command is given; try: proctor run -- pytest -q\n"


def test_an_unknown_option_is_125_with_the_nearest_word(proctor: Proctor) -> None:
    result = proctor("run", "--timeut", "3", "--", "true")
    assert result.returncode == 125
    assert "did you mean --timeout?" in result.stderr


def test_a_timeout_ends_the_whole_tree(run: Any, proctor: Proctor) -> None:
    began = time.monotonic()
    result = run("sh", "-c", "sleep 30 & sleep 31; :", options=("--timeout", "0.3"))
    assert time.monotonic() - began < 10
    assert result.returncode == 143
    assert (proctor.root["timed_out"], proctor.root["signal"]) == (True, "SIGTERM")
    assert "ended after 0.3 s" in result.stderr


@pytest.mark.parametrize("witness", WITNESSES)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1])
def test_a_signal_is_forwarded_once(proctor: Proctor, witness: str, number: int) -> None:
    code = (
        "import signal, sys, time\n"
        "seen = []\n"
        f"signal.signal({int(number)}, lambda *_: seen.append(1))\n"
        "print('ready', flush=True)\n"
        "end = time.monotonic() + 0.6\n"
        "while time.monotonic() < end: time.sleep(0.05)\n"
        "print(len(seen)); sys.exit(9)\n"
    )
    process = proctor.start(
        "run", "--witness", witness, "--", PYTHON, "-c", code, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(number)
    assert process.stdout.read() == b"1\n"
    assert process.wait() == 9
    process.stdout.close()


def test_a_signal_to_the_whole_group_arrives_once(proctor: Proctor) -> None:
    code = (
        "import signal, sys, time\n"
        "seen = []\n"
        "signal.signal(15, lambda *_: seen.append(1))\n"
        "print('ready', flush=True)\n"
        "end = time.monotonic() + 0.6\n"
        "while time.monotonic() < end: time.sleep(0.05)\n"
        "print(len(seen))\n"
    )
    process = proctor.start(
        "run", "--", PYTHON, "-c", code, stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    os.killpg(process.pid, signal.SIGTERM)
    assert process.stdout.read() == b"1\n"
    process.wait()
    process.stdout.close()


def test_a_signalled_command_is_128_plus_the_signal(run: Any) -> None:
    assert run("sh", "-c", "kill -TERM $$").returncode == 143


@pytest.mark.parametrize("missing", ["HOME", "PATH", "USER"])
def test_a_bare_environment_is_enough(proctor: Proctor, missing: str) -> None:
    env = {k: v for k, v in proctor.env.items() if k != missing}
    result = subprocess.run([PROCTOR, "run", "--", "/bin/sh", "-c", "exit 2"], env=env, check=False)
    assert result.returncode == 2


def test_nothing_starts_when_the_log_cannot_be_written(proctor: Proctor, tmp_path: Path) -> None:
    mark = tmp_path / "started"
    result = proctor("run", "--log", str(tmp_path), "--", "touch", str(mark))
    assert result.returncode == 125
    assert result.stderr.count("\n") == 1
    assert "name a file, not a folder" in result.stderr
    assert not mark.exists()


def test_a_log_that_is_a_link_is_refused(proctor: Proctor, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    result = proctor("run", "--log", str(tmp_path / "link"), "--", "true")
    assert result.returncode == 125
    assert not (tmp_path / "elsewhere").exists()


def test_a_log_inside_the_repository_is_refused_unless_asked_for(
    proctor: Proctor, tmp_path: Path
) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    inside = str(tmp_path / "spans.jsonl")
    refused = proctor("run", "--log", inside, "--", "true", cwd=tmp_path)
    assert refused.returncode == 125
    assert "--unsafe-log-in-repo" in refused.stderr
    allowed = proctor("run", "--unsafe-log-in-repo", "--log", inside, "--", "true", cwd=tmp_path)
    assert allowed.returncode == 0


def test_the_log_is_for_its_owner_alone(proctor: Proctor) -> None:
    proctor("run", "--", "true")
    assert oct(proctor.log.stat().st_mode & 0o777) == "0o600"


def test_no_marker_is_left_after_an_end(run: Any, proctor: Proctor) -> None:
    run("true")
    assert list(Path(f"{proctor.log}.pending").iterdir()) == []


def test_descriptors_of_the_caller_reach_the_command(proctor: Proctor) -> None:
    read, write = os.pipe()
    proctor("run", "--", "bash", "-c", f"echo hi >&{write}", pass_fds=(write,))
    os.close(write)
    assert os.read(read, 10) == b"hi\n"
    os.close(read)


def test_no_descriptor_of_ours_reaches_the_command(proctor: Proctor) -> None:
    result = proctor("run", "--", "sh", "-c", "ls /proc/self/fd")
    assert result.stdout.split() == ["0", "1", "2", "3"]


def test_a_terminal_of_its_own_for_its_output(proctor: Proctor) -> None:
    code = "import sys; print(sys.stdout.isatty(), sys.stderr.isatty(), sys.stdin.isatty())"
    result = proctor("run", "--pty", "--", PYTHON, "-c", code, input="")
    assert result.stdout == "True True False\n"
    assert proctor.root["stdout_bytes"] == len("True True False\r\n")
    assert proctor.root["stderr_sha256"] is None


def test_exit_code_and_signals_pass_a_terminal_too(proctor: Proctor) -> None:
    assert proctor("run", "--pty", "--", "sh", "-c", "exit 9", stdin=-3).returncode == 9
    process = proctor.start("run", "--pty", "--", "sleep", "30", stdin=-3, stdout=-3)
    time.sleep(0.5)
    process.terminate()
    assert process.wait(10) == 143


def test_a_terminal_is_not_for_watch(proctor: Proctor) -> None:
    assert proctor("watch", "--pty", "--", "true").returncode == 125


def test_the_core_fields_have_their_names_and_types(proctor: Proctor) -> None:
    proctor("run", "--", "sh", "-c", "exit 1")
    span = proctor.root
    kinds = {
        "span_id": str, "argv": list, "cwd": str, "exit_code": int, "duration_ms": int,
        "stdout_sha256": str, "stderr_sha256": str, "stdout_bytes": int, "stderr_bytes": int,
        "env_names": list, "duration_floor_ms": int, "duration_ok": bool, "denied_binary": bool,
    }  # fmt: skip
    assert {name: type(span[name]) for name in kinds} == kinds
    assert span["parent_tool_span"] is None
