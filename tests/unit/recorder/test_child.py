"""How the command that is to be recorded is found and started."""

import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
from proctor.recorder.child import exec_command
sys.exit(exec_command(["tool", "x"], {"PATH": sys.argv[1]}))
"""
ENOENT, EACCES = 2, 13


@pytest.mark.parametrize(
    ("modes", "code", "said"),
    [
        ((None, 0o755), 0, "second x\n"),
        ((0o644, 0o755), 0, "second x\n"),
        ((0o755, 0o755), 0, "first x\n"),
        ((0o644, None), EACCES, ""),
        ((None, None), ENOENT, ""),
    ],
)
def test_a_command_is_looked_for_as_execvp_does(
    modes: tuple[int | None, ...], code: int, said: str, tmp_path: Path
) -> None:
    for name, mode in zip(("first", "second"), modes, strict=True):
        (tmp_path / name).mkdir()
        if mode is not None:
            tool = tmp_path / name / "tool"
            tool.write_text(f"#!/bin/sh\necho {name} $1\n")
            tool.chmod(mode)
    path = f"{tmp_path}/none:{tmp_path}/first:{tmp_path}/second"
    ended = subprocess.run(
        [sys.executable, "-c", CODE, path], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (code, said)
