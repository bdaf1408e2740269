"""What must not be traced is known, and its exit is still the kernel's."""

import os
import subprocess
from pathlib import Path

import pytest

from proctor.recorder.untraced import Watched, is_supported, reason


@pytest.mark.parametrize("name", ["gdb", "strace", "dlv"])
def test_programs_that_trace_are_known_by_name(name: str) -> None:
    assert reason(f"/usr/bin/{name}") == f"{name} traces what it runs"


def test_a_sanitized_program_is_known_by_what_it_holds(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF" + b"x" * 5000 + b"__lsan_do_leak_check\0")
    assert reason(str(program)) == "program checks for leaks"
    assert reason(str(program)) == "program checks for leaks"


@pytest.mark.parametrize("content", [b"", b"\x7fELF plain"])
def test_an_ordinary_program_may_be_traced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "program").write_bytes(content)
    assert reason(str(tmp_path / "program")) is None


def test_what_cannot_be_read_may_be_traced() -> None:
    assert reason(None) is None
    assert reason("/no/such/program") is None


@pytest.mark.skipif(not is_supported(), reason="needs Linux 6.15")
def test_the_exit_of_a_grandchild_comes_from_its_descriptor() -> None:
    line = "sleep 0.3 & echo $!; (sleep 0.2; exit 7) & echo $!; wait; exit 0"
    with subprocess.Popen(["bash", "-c", line], stdout=subprocess.PIPE, text=True) as shell:
        assert shell.stdout is not None
        first, second = int(shell.stdout.readline()), int(shell.stdout.readline())
        watched = [Watched(first), Watched(second)]
        assert watched[0].wait(0) is None
        statuses = [one.wait(5000) for one in watched]
    assert [os.waitstatus_to_exitcode(s) for s in statuses if s is not None] == [0, 7]
    for one in watched:
        one.close()
