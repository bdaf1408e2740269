"""Pipes, terminals and clocks misbehave."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

from tests.conftest import PROCTOR
from tests.faults.base import Fault, Scene, Seen, UnavailableError
from tests.faults.killed import wait_for


def closed(scene: Scene) -> Seen:
    """The command closes its outputs and works on."""
    return scene.seen("run", "--", "sh", "-c", "echo x; exec >&- 2>&-; sleep 0.1; exit 3")


def reader_gone(scene: Scene) -> Seen:
    """Nobody reads the output any more: SIGPIPE, as without Proctor."""
    seen = scene.shell("$P run -- yes | head -1 >/dev/null; exit ${PIPESTATUS[0]}")
    assert scene.root["signal"] == "SIGPIPE"
    return seen


def reader_stopped(scene: Scene) -> Seen:
    """The reader stops for a while: the command waits, no byte is lost, memory stays small."""
    line = "$P run -- sh -c 'head -c 20000000 /dev/zero; exit 3' | (sleep 0.5; [ $(wc -c) = 20000000 ])"
    seen = scene.shell(line + "; a=(${PIPESTATUS[*]}); [ ${a[1]} = 0 ] && exit ${a[0]}")
    assert scene.root["stdout_bytes"] == 20_000_000
    return seen


def left_running(scene: Scene) -> Seen:
    """A process outlives the command and holds its output."""
    began = time.monotonic()
    seen = scene.shell("$P run -- sh -c 'sleep 2 & exit 3' </dev/null")
    assert time.monotonic() - began < 20
    return seen


def resized(scene: Scene) -> Seen:
    """The terminal changes its size: the command is told."""
    code = (
        "import os, signal\n"
        "def told(*_): os._exit(3 if os.get_terminal_size().columns == 120 else 9)\n"
        "signal.signal(signal.SIGWINCH, told)\n"
        "print('ready', flush=True); signal.pause(); os._exit(8)"
    )
    pid, fd = _in_terminal(scene, "python3", "-c", code)
    _read_until(fd, b"ready")
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    code_seen = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(fd)
    return Seen(code_seen, "")


def hung_up(scene: Scene) -> Seen:
    """The terminal goes away: the command gets SIGHUP, its end is recorded."""
    mark = scene.folder / "mark"
    pid, fd = _in_terminal(scene, "sh", "-c", f"sh -c 'exit 3'; touch {mark}; sleep 20")
    wait_for(mark)
    os.close(fd)
    status = os.waitpid(pid, 0)[1]
    assert scene.root["signal"] == "SIGHUP"
    assert scene.markers() == []
    return Seen(os.waitstatus_to_exitcode(status), "")


def _in_terminal(scene: Scene, *argv: str) -> tuple[int, int]:
    pid, fd = pty.fork()
    if pid == 0:
        os.execve(PROCTOR, ["proctor", "watch", "--", *argv], scene.env)
    return pid, fd


def _read_until(fd: int, text: bytes) -> None:
    seen, deadline = b"", time.monotonic() + 20
    while text not in seen:
        assert time.monotonic() < deadline, seen
        if select.select([fd], [], [], 0.1)[0]:
            seen += os.read(fd, 4096)


def clock(scene: Scene) -> Seen:
    """The wall clock is set back by a day while the command runs."""
    path = next((p for p in _FAKETIME if os.path.exists(p)), None)
    if path is None:
        raise UnavailableError("libfaketime is not installed")
    setting, mark = scene.folder / "clock", scene.folder / "mark"
    setting.write_text("+0\n")
    env = {
        **scene.env, "LD_PRELOAD": path, "FAKETIME_TIMESTAMP_FILE": str(setting),
        "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }  # fmt: skip
    words = [PROCTOR, "run", "--", "sh", "-c", f"touch {mark}; sleep 0.4; exit 3"]
    with subprocess.Popen(words, env=env, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        wait_for(mark)
        setting.write_text("-86400\n")
        stderr = process.stderr.read().decode()
    root = scene.root
    assert 300 < root["duration_ms"] < 20_000, "durations are not the wall clock's"
    assert root["finished_at"] < root["started_at"], "the clock was not set back"
    return Seen(process.returncode, stderr)


_FAKETIME = [
    f"/usr/lib/{machine}-linux-gnu/faketime/libfaketime.so.1" for machine in ("x86_64", "aarch64")
]

FAULTS = [
    Fault("a child that closes its pipes", "nothing", "", 3, closed),
    Fault("a reader that goes away", "output that nobody reads", "", 141, reader_gone),
    Fault("a reader that stops for a while", "nothing: the command waits", "", 3, reader_stopped),
    Fault("a process left behind that holds the output", "its end, which nobody waits for", "", 3, left_running),
    Fault("a terminal is resized", "nothing", "", 3, resized),
    Fault("a terminal hangs up", "nothing", "", 129, hung_up),
    Fault("the clock is set back a day meanwhile", "nothing; durations are the kernel's own", "", 3, clock),
]  # fmt: skip
