"""`--anyway`: the command matters more than its record."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Proctor

VERBS = pytest.mark.parametrize("verb", ["run", "watch"])


@VERBS
def test_a_command_is_recorded_as_without_it(proctor: Proctor, verb: str) -> None:
    done = proctor(verb, "--anyway", "--parent=t1", "--", "sh", "-c", "echo out; exit 7")
    assert (done.returncode, done.stdout, done.stderr) == (7, "out\n", "")
    assert (proctor.root["exit_code"], proctor.root["parent_tool_span"]) == (7, "t1")


@VERBS
def test_a_command_that_cannot_be_recorded_runs_and_that_is_said(
    proctor: Proctor, verb: str
) -> None:
    words = ("--", "sh", "-c", "cat; exit 7")
    done = proctor(verb, "--anyway", *words, env={"PROCTOR_LOG": "/dev/null/x"}, input="given")
    assert (done.returncode, done.stdout) == (7, "given")
    assert done.stderr.endswith("; the command runs, but is not recorded (--anyway)\n")
    assert done.stderr.count("\n") == 1
    assert proctor(verb, *words, env={"PROCTOR_LOG": "/dev/null/x"}).returncode == 125


def test_a_broken_configuration_does_not_stop_a_command(proctor: Proctor, tmp_path: Path) -> None:
    (tmp_path / "proctor.toml").write_text("[gate")
    done = proctor("watch", "--anyway", "--timeout=20", "--", "sh", "-c", "exit 3", cwd=tmp_path)
    assert done.returncode == 3
    assert "not TOML" in done.stderr


def test_a_command_that_is_not_there_is_still_127(proctor: Proctor) -> None:
    done = proctor("run", "--anyway", "--", "no-such-program", env={"PROCTOR_LOG": "/dev/null/x"})
    assert done.returncode == 127


def test_a_disk_that_fills_up_meanwhile_costs_the_record_alone(
    proctor: Proctor, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs root to mount a small disk")
    try:
        words = ("sh", "-c", f"cat /dev/zero > {disk}/fill 2>/dev/null; exit 9")
        env = {"PROCTOR_LOG": f"{disk}/spans.jsonl"}
        done = proctor("watch", "--anyway", "--", *words, env=env)
        assert done.returncode == 9
        assert "No space left on device" in done.stderr
        (disk / "fill").unlink()
        assert proctor("watch", "--", *words, env=env).returncode == 125
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_it_does_not_go_with_a_run_at_the_base(proctor: Proctor) -> None:
    done = proctor("run", "--anyway", "--at-base", "--", "true")
    assert done.returncode == 125
    assert "--anyway and --at-base exclude each other" in done.stderr
