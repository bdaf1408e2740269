"""What the tree witness must hold, each point with real processes."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from proctor.recorder.untraced import is_supported
from tests.conftest import PROCTOR, Proctor

PYTHON = sys.executable
WITHOUT_CAPABILITIES = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
"""As an ordinary user is to the kernel: the uid alone decides."""


def test_a_masked_exit_code_is_seen_below_the_shell(proctor: Proctor) -> None:
    result = proctor("run", "--keep", "all", "--", "bash", "-c", "sh -c 'exit 3' | cat")
    assert result.returncode == 0
    assert proctor.root["exit_code"] == 0
    inner = proctor.only(lambda s: s["argv"][:2] == ["sh", "-c"])
    assert (inner["exit_code"], inner["parent_span_id"]) == (3, proctor.root["span_id"])


def test_argv_is_exact_whatever_it_holds(proctor: Proctor) -> None:
    words = ["", "a\nb", "\t", "é", "x" * 5000]
    proctor("run", "--keep", "all", "--", "bash", "-c", 'env "$@"; :', "x", "true", *words)
    assert proctor.only(lambda s: s["argv"][:1] == ["true"])["argv"] == ["true", *words]


def test_bytes_that_are_not_utf8_survive(proctor: Proctor) -> None:
    proctor("run", "--", b"true", b"\xff\xfe", text=False)
    span = proctor.root
    assert span["argv"][1] == "\\xff\\xfe"
    import base64

    assert base64.b64decode(span["argv_b64"][1]) == b"\xff\xfe"


def test_a_script_is_seen_as_its_interpreter(proctor: Proctor, tmp_path: Path) -> None:
    script = tmp_path / "tool"
    script.write_text("#!/bin/sh\nexit 4\n")
    script.chmod(0o755)
    proctor("run", "--", str(script), "-q")
    assert proctor.root["argv"] == ["/bin/sh", str(script), "-q"]
    assert proctor.root["exit_code"] == 4


def test_the_executable_is_recorded_beside_a_false_name(proctor: Proctor) -> None:
    proctor("run", "--keep", "all", "--", "bash", "-c", "(exec -a pytest /bin/true -q); :")
    span = proctor.only(lambda s: s["argv"] == ["pytest", "-q"])
    assert Path(span["exe"]).name == "true"
    assert span["denied_binary"] is True


def test_an_unreadable_program_gives_null_not_empty(proctor: Proctor, tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("needs root to make a program that nobody may read")
    program = tmp_path / "secret"
    program.write_bytes(Path("/bin/true").read_bytes())
    program.chmod(0o711)
    os.chown(program, 65534, 65534)
    line = f"{PROCTOR} run --keep all -- bash -c '{program}; :'"
    result = subprocess.run([*WITHOUT_CAPABILITIES, "sh", "-c", line], env=proctor.env, check=False)
    assert result.returncode == 0
    span = proctor.only(lambda s: s["argv"] == [str(program)])
    assert span["exe"] is None
    assert span["exit_code"] == 0


def test_an_image_that_execs_is_two_spans(proctor: Proctor) -> None:
    proctor("run", "--keep", "all", "--", "sh", "-c", "exec env X=1 sh -c 'exit 6'")
    by_argv = {s["argv"][0] + str(len(s["argv"])): s for s in proctor.spans()}
    shell, env, last = by_argv["sh3"], by_argv["env5"], proctor.spans()[-2]
    assert [s["ended_by"] for s in proctor.spans()].count("exec") == 2
    assert env["ended_by"] == "exec"
    assert last["pid"] == env["pid"] == proctor.root["pid"]
    assert proctor.root["exit_code"] == 6
    assert shell["pid"] == env["pid"]


def test_an_exec_from_a_thread_keeps_the_process(proctor: Proctor) -> None:
    code = (
        "import os, threading, time\n"
        "threading.Thread(target=lambda: time.sleep(9), daemon=True).start()\n"
        "threading.Thread(target=lambda: os.execv('/bin/sh', ['sh', '-c', 'exit 7'])).start()\n"
        "time.sleep(9)\n"
    )
    result = proctor("run", "--keep", "all", "--", PYTHON, "-c", code)
    assert result.returncode == 7
    assert proctor.only(lambda s: s["argv"][0] == "sh")["exit_code"] == 7


@pytest.mark.parametrize("how", ["fork", "vfork", "posix_spawn", "subprocess"])
def test_children_of_every_kind_are_followed(proctor: Proctor, how: str) -> None:
    ways = {
        "fork": "import os; p=os.fork(); p or os.execv('/bin/sh', ['sh','-c','exit 5']); os.wait()",
        "vfork": "import subprocess; subprocess._USE_VFORK=True; "
        "subprocess.run(['sh','-c','exit 5'], close_fds=False)",
        "posix_spawn": "import os; os.posix_spawn('/bin/sh', ['sh','-c','exit 5'], {}); os.wait()",
        "subprocess": "import subprocess; subprocess.run(['sh','-c','exit 5'])",
    }
    proctor("run", "--keep", "all", "--", PYTHON, "-c", ways[how])
    assert proctor.only(lambda s: s["argv"][0] == "sh")["exit_code"] == 5


def test_the_end_of_the_leader_is_the_end_of_the_process(proctor: Proctor) -> None:
    code = (
        "import ctypes, threading, time\n"
        "threading.Thread(target=lambda: time.sleep(0.4)).start()\n"
        "ctypes.CDLL(None).pthread_exit(None)\n"
    )
    proctor("run", "--", PYTHON, "-c", code)
    assert proctor.root["duration_ms"] >= 400


def test_a_killed_process_is_128_plus_its_signal(proctor: Proctor) -> None:
    result = proctor("run", "--", "sh", "-c", "kill -KILL $$")
    assert result.returncode == 137
    assert (proctor.root["exit_code"], proctor.root["signal"]) == (137, "SIGKILL")


def test_a_real_sigtrap_is_passed_on(proctor: Proctor) -> None:
    result = proctor("run", "--", "bash", "-c", "trap 'exit 9' TRAP; kill -TRAP $$; exit 1")
    assert result.returncode == 9


def test_job_control_goes_on_below_the_witness(proctor: Proctor) -> None:
    line = "sleep 0.2 & p=$!; kill -STOP $p; sleep 0.3; grep State /proc/$p/status; kill -CONT $p; wait $p"
    result = proctor("run", "--", "bash", "-c", line)
    assert result.returncode == 0
    assert re.search(r"State:\s+[tT]", result.stdout)
    assert proctor.root["duration_ms"] >= 300


def test_sigchld_ignored_above_hides_no_exit_code(proctor: Proctor) -> None:
    line = f"trap '' CHLD; exec {PROCTOR} run -- sh -c 'exit 5'"
    result = subprocess.run(["bash", "-c", line], env=proctor.env, check=False)
    assert result.returncode == 5
    assert proctor.root["exit_code"] == 5


def test_what_is_left_running_is_named_and_not_waited_for(proctor: Proctor) -> None:
    began = time.monotonic()
    result = proctor(
        "run", "--keep", "all", "--", "bash", "-c", "sleep 3.1 >/dev/null 2>&1 & exit 0"
    )
    assert time.monotonic() - began < 2.5
    assert result.returncode == 0
    left = proctor.only(lambda s: s["argv"][0] == "sleep")
    assert (left["left_running"], left["ended_by"], left["exit_code"]) == (True, "lost", None)
    assert proctor.root["tree"]["left_running"] == 1
    os.kill(left["pid"], signal.SIGKILL)


def test_the_pipe_of_a_process_left_running_keeps_flowing(proctor: Proctor) -> None:
    result = proctor("run", "--", "bash", "-c", "(sleep 0.5; echo late; echo $? >&2) & echo early")
    assert result.stdout == "early\nlate\n"
    assert result.stderr == "0\n"


def test_a_command_below_a_shell_that_does_not_exist_leaves_its_127(proctor: Proctor) -> None:
    proctor(
        "run", "--", "bash", "-c", "pytest-of-nobody -q; pytest --nothing || true; no-such | tail"
    )
    codes = [s["exit_code"] for s in proctor.spans() if s["argv"] == []]
    assert 127 in codes


def test_a_deep_chain_of_forks_is_followed(proctor: Proctor) -> None:
    code = (
        "import os, sys\n"
        "for _ in range(60):\n"
        "    if os.fork(): os._exit(os.waitstatus_to_exitcode(os.wait()[1]))\n"
        "os.execv('/bin/sh', ['sh', '-c', 'exit 8'])\n"
    )
    result = proctor("run", "--keep", "all", "--", PYTHON, "-c", code)
    assert result.returncode == 8
    assert proctor.root["tree"]["seen"] == 61


def test_memory_and_time_come_from_the_kernel(proctor: Proctor) -> None:
    proctor("run", "--", PYTHON, "-c", "x = bytearray(80_000_000); sum(range(3_000_000))")
    assert proctor.root["max_rss_kb"] > 75_000
    assert proctor.root["cpu_ms"] > 20


def test_an_ordinary_user_is_witnessed_too(proctor: Proctor) -> None:
    if os.getuid() != 0:
        pytest.skip("the other tests run as an ordinary user then")
    line = f"{PROCTOR} run --keep all -- bash -c \"sh -c 'exit 3' | cat\""
    result = subprocess.run([*WITHOUT_CAPABILITIES, "sh", "-c", line], env=proctor.env, check=False)
    assert result.returncode == 0
    assert proctor.root["witness"] == "tree"
    assert 3 in [s["exit_code"] for s in proctor.spans()]


def test_another_tracer_below_is_refused_by_the_kernel_and_survives(proctor: Proctor) -> None:
    code = (
        "import ctypes, os\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "p = os.fork()\n"
        "if not p: import time; time.sleep(0.3); os._exit(0)\n"
        "r = libc.ptrace(0x4206, p, 0, 0); print(r, ctypes.get_errno()); os.wait()\n"
    )
    result = proctor("run", "--", PYTHON, "-c", code)
    assert result.stdout == "-1 1\n"


def test_an_inner_run_hands_over(proctor: Proctor) -> None:
    line = f"{PROCTOR} run --parent toolu_7 -- sh -c 'exit 3'; echo $?"
    result = proctor("run", "--keep", "all", "--", "bash", "-c", line)
    assert result.stdout == "3\n"
    assert len([s for s in proctor.spans() if s["argv"] == ["sh", "-c", "exit 3"]]) == 1
    assert (
        proctor.only(lambda s: s["argv"] == ["sh", "-c", "exit 3"])["parent_tool_span"] == "toolu_7"
    )
    assert not [
        s for s in proctor.spans() if "proctor" in " ".join(s["argv"][:3]) and s["host"] is None
    ]


def test_twenty_thousand_signals_lose_nothing(proctor: Proctor) -> None:
    code = (
        "import os, signal\n"
        "seen = 0\n"
        "def count(*_):\n"
        "    global seen; seen += 1\n"
        "signal.signal(signal.SIGUSR1, count)\n"
        "for _ in range(3000): os.kill(os.getpid(), signal.SIGUSR1)\n"
        "print(seen)\n"
    )
    assert proctor("run", "--", PYTHON, "-c", code).stdout == "3000\n"


@pytest.mark.skipif(not is_supported(), reason="needs Linux 6.15")
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_program_that_traces_runs_untraced_and_its_exit_is_recorded(proctor: Proctor) -> None:
    line = "strace -f -o /dev/null sh -c 'exit 7'; echo $?"
    result = proctor("run", "--keep", "all", "--", "bash", "-c", line)
    assert (result.stdout, result.stderr) == ("7\n", "")
    span = proctor.only(lambda s: s["argv"][0] == "strace")
    assert (span["exit_code"], span["ended_by"]) == (7, "exit")


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_root_that_traces_runs_untraced_too(proctor: Proctor) -> None:
    result = proctor("run", "--", "strace", "-f", "-o", os.devnull, "sh", "-c", "exit 7")
    assert (result.returncode, result.stderr) == (7, "")
    assert proctor.root["exit_code"] == 7


@pytest.mark.skipif(not is_supported(), reason="needs Linux 6.15")
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_a_leak_checker_does_not_fail_below_the_witness(proctor: Proctor, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    build = ["cc", "-fsanitize=address", "-o", f"{tmp_path}/a", f"{tmp_path}/a.c"]
    if subprocess.run(build, capture_output=True, check=False).returncode:
        pytest.skip("the compiler has no address sanitizer")
    result = proctor("run", "--keep", "all", "--", "bash", "-c", f"{tmp_path}/a; echo $?")
    assert result.stdout == "0\n", result.stderr
    assert proctor.only(lambda s: s["argv"] == [f"{tmp_path}/a"])["exit_code"] == 0
