"""Something is killed."""

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.conftest import PROCTOR
from tests.faults.base import Fault, Scene, Seen

READY = b"ready\n"
GOES_ON = "trap '' PIPE; sh -c 'exit 3'; echo ready; sleep 0.3; touch {mark}; exit 4"


def wait_for(path: Path) -> None:
    """Wait until a file is there."""
    wait_until(path.exists, f"{path} is there")


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, f"never came about: {what}"
        time.sleep(0.01)


def recorder(scene: Scene) -> Seen:
    """SIGKILL the recorder, which is the tracer; what it watched goes on."""
    mark = scene.folder / "mark"
    line = GOES_ON.format(mark=mark)
    words = ("watch", "--keep", "all", "--", "sh", "-c", line)
    with scene.start(*words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == READY
        wait_until(lambda: 3 in scene.codes(), "what had ended is recorded")
        process.kill()
        process.wait()
    wait_for(mark)
    assert 3 in scene.codes(), "what had ended is recorded"
    assert len(scene.markers()) == 1
    gate = scene("gate", "--every")
    assert "missing-exit" in gate.stdout
    return Seen(128 - process.returncode, "")


def helper_of_the_api(scene: Scene) -> Seen:
    """SIGKILL the helper process in which `run_recorded` keeps the witness."""
    code = (
        "import os, signal, threading, time, proctor\n"
        "def kill():\n"
        "    deadline = time.monotonic() + 20\n"
        "    while not os.path.exists('mark'): time.sleep(0.01)\n"
        "    kids = open(f'/proc/self/task/{os.getpid()}/children').read().split()\n"
        "    kids += [k for t in os.listdir('/proc/self/task')\n"
        "             for k in open(f'/proc/self/task/{t}/children').read().split()]\n"
        "    os.kill(int(kids[0]), signal.SIGKILL)\n"
        "threading.Thread(target=kill).start()\n"
        "try: proctor.run_recorded(['sh', '-c', 'touch mark; sleep 1'])\n"
        "except proctor.errors.Error as error: raise SystemExit(f'proctor: {error}') from None\n"
    )
    python = str(Path(PROCTOR).parent / "python")
    done = subprocess.run(
        [python, "-c", code], env=scene.env, cwd=scene.folder, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert len(scene.markers()) == 1
    return Seen(done.returncode, done.stderr)


def child(scene: Scene) -> Seen:
    """SIGKILL the command."""
    seen = scene.seen("run", "--", "sh", "-c", "sh -c 'exit 3'; kill -9 $$")
    assert scene.root["signal"] == "SIGKILL"
    assert scene.markers() == []
    return seen


def descendant(scene: Scene) -> Seen:
    """SIGKILL a process below, whose end a shell above hides."""
    seen = scene.seen("run", "--keep", "all", "--", "sh", "-c", "sh -c 'kill -9 $$'; exit 0")
    assert 137 in scene.codes()
    return seen


def parent(scene: Scene) -> Seen:
    """SIGKILL who started the recorder."""
    mark = scene.folder / "mark"
    line = f"$P run -- sh -c 'touch {mark}; sleep 0.3; exit 3' & wait"
    with subprocess.Popen(
        ["bash", "-c", line], env={**scene.env, "P": PROCTOR}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        wait_for(mark)
        process.kill()
        stderr = process.stderr.read().decode()
        process.wait()
    deadline = time.monotonic() + 20
    while not scene.codes() or scene.markers():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return Seen(scene.root["exit_code"], stderr)


def stopped_recorder(scene: Scene) -> Seen:
    """SIGSTOP the recorder for a while."""
    mark = scene.folder / "mark"
    line = f"touch {mark}; for i in 1 2 3 4 5; do sh -c 'exit 3'; done; exit 4"
    with scene.start("run", "--keep", "all", "--", "sh", "-c", line) as process:
        wait_for(mark)
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.3)
        process.send_signal(signal.SIGCONT)
        code = process.wait(30)
    assert scene.codes().count(3) == 5
    return Seen(code, "")


FAULTS = [
    Fault("SIGKILL of the recorder, which is the tracer",
          "its own end, and what ended in the last millisecond and is no test command; what ended "
          "before is in the log, a marker says that an end is missing, the command goes on", "", 137, recorder),
    Fault("SIGKILL of the helper of `run_recorded`", "its own end, as above",
          "the recorder ended without a record", 1, helper_of_the_api),
    Fault("SIGKILL of the command", "nothing", "", 137, child),
    Fault("SIGKILL of a process below it", "nothing", "", 0, descendant),
    Fault("SIGKILL of who started the recorder", "nothing", "", 3, parent),
    Fault("SIGSTOP of the recorder for a while", "nothing", "", 4, stopped_recorder),
]  # fmt: skip
