"""What is witnessed of one process."""

import os
import sys
import time
from pathlib import Path

import pytest

from proctor.oracle import spawn as spawning
from proctor.oracle.spawn import Ended, Start, spawn

ENV = {"PATH": "/usr/bin:/bin"}


def run(script: str, folder: Path, **more: object) -> Ended:
    start = {"argv": ["/bin/sh", "-c", script], "cwd": str(folder), "env": ENV, **more}
    return spawn(Start(**start))  # type: ignore[arg-type]


def test_both_streams_and_the_exit_code_are_kept(tmp_path: Path) -> None:
    ended = run("printf 'a\\377'; echo b >&2; exit 7", tmp_path)
    assert (ended.exit_code, ended.signal, ended.stdout, ended.stderr) == (
        7,
        None,
        b"a\xff",
        b"b\n",
    )


@pytest.mark.parametrize(("argv", "code"), [(["/none"], 127), (["/etc/passwd"], 126)])
@pytest.mark.parametrize("tty", [False, True])
def test_what_cannot_be_started_ends_as_in_a_shell(
    argv: list[str], code: int, tty: bool, tmp_path: Path
) -> None:
    ended = run("", tmp_path, argv=argv, tty=tty)
    assert ended.exit_code == code
    assert ended.stderr


@pytest.mark.parametrize("size", [0, 10, 60_001, 1 << 20])
def test_standard_input_of_any_length_is_read_to_its_end(size: int, tmp_path: Path) -> None:
    assert run("wc -c", tmp_path, stdin=b"x" * size).stdout.split() == [str(size).encode()]


def test_a_signal_has_its_name(tmp_path: Path) -> None:
    ended = run("kill -TERM $$", tmp_path)
    assert (ended.exit_code, ended.signal) == (None, "SIGTERM")
    assert run("kill -40 $$", tmp_path).signal == "SIG40"


def test_a_timeout_kills_the_whole_group(tmp_path: Path) -> None:
    began = time.monotonic()
    ended = run("echo x; sleep 60 & sleep 60", tmp_path, timeout_s=0.5)
    assert ended.timed_out
    assert ended.stdout == b"x\n"
    assert time.monotonic() - began < 20


def test_what_is_left_behind_is_counted_and_killed(tmp_path: Path) -> None:
    ended = run("sleep 61 & echo $!", tmp_path)
    assert ended.left_running == 1
    pid = int(ended.stdout)
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        if "Z" in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]:
            break
        time.sleep(0.02)
    else:
        assert not Path(f"/proc/{pid}").exists()


def test_output_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spawning, "MOST_OUTPUT", 100_000)
    ended = run("yes", tmp_path)
    assert (ended.exit_code, ended.signal) == (None, "SIGXFSZ")


def test_a_terminal_is_one_and_is_read_to_the_end(tmp_path: Path) -> None:
    ended = run("test -t 0 && test -t 1 && test -t 2 && seq 3000; stty size", tmp_path, tty=True)
    assert ended.stdout.splitlines()[2999] == b"3000"
    assert ended.stdout.splitlines()[-1] == b"24 80"
    typed = run("read x; echo got=$x", tmp_path, tty=True, stdin=b"line\n")
    assert b"got=line" in typed.stdout


def test_limits_hold(tmp_path: Path) -> None:
    ended = run("sleep 0.2; ulimit -c; ulimit -n", tmp_path)
    assert ended.stdout.split() == [b"0", b"1024"]


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    run("true", tmp_path)
    before = len(os.listdir("/proc/self/fd"))
    for tty in (False, True):
        run("echo x", tmp_path, tty=tty, stdin=b"y")
        run("", tmp_path, argv=["/none"], tty=tty)
    time.sleep(0.2)
    assert len(os.listdir("/proc/self/fd")) == before
    assert sys.version_info >= (3, 11)


def test_a_bare_name_is_looked_for_in_the_steps_own_path(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\necho ran $0\n")
    (tmp_path / "tool").chmod(0o755)
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    assert run("", tmp_path, argv=["tool"], env=path).stdout == f"ran {tmp_path}/tool\n".encode()
    # Only its PATH counts: that it lies in the step's folder does not.
    assert run("", tmp_path, argv=["tool"]).exit_code == 127


def test_a_relative_program_is_the_one_of_the_steps_folder(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\npwd -P\n")
    (tmp_path / "tool").chmod(0o755)
    assert run("", tmp_path, argv=["./tool"]).stdout == f"{tmp_path}\n".encode()


@pytest.mark.parametrize("argv", [["/bin/sh", "-c"], ["sh", "-c"]])
def test_a_step_inherits_its_streams_and_its_environment_only(
    argv: list[str], tmp_path: Path
) -> None:
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    script = "grep SigIgn /proc/self/status; ls /proc/$$/fd; ps -o pgid= $$; echo $$; env"
    ended = run("", tmp_path, argv=[*argv, script])
    os.close(reader)
    os.close(writer)
    ignored, *rest = ended.stdout.decode().split("\n")
    assert int(ignored.split()[1], 16) & (1 << 12 | 1 << 24) == 0  # SIGPIPE and SIGXFSZ
    assert rest[:3] == ["0", "1", "2"]
    assert rest[3].strip() == rest[4]
    assert [line for line in rest[5:] if not line.startswith(("PWD=", "_=", "OLDPWD="))] == [
        f"PATH={ENV['PATH']}",
        "",
    ]


@pytest.mark.parametrize("more", [{"argv": ["/bin/echo", "a\0b"]}, {"env": {"A": "a\0b"}}])
def test_what_no_process_can_be_given_is_refused_not_cut(
    more: dict[str, object], tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match="null byte"):
        run("true", tmp_path, **more)
