"""What is lost when something breaks: nothing that had finished."""

import fcntl
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from proctor._digest import sha256_hex
from proctor.records.append import ZERO, LogWriter
from tests.conftest import Proctor

PYTHON = sys.executable


def check_chain(log: Path) -> int:
    """Verify every link by hand; return the number of lines."""
    before = ZERO
    lines = log.read_bytes().splitlines()
    for line in lines:
        body, _, digest = line.rpartition(b',"digest":"')
        assert digest[:64].decode() == sha256_hex(body + b"}")
        assert f'"prev":"{before}"'.encode() in body
        before = digest[:64].decode()
    return len(lines)


def kill_at(proctor: Proctor, after: float) -> None:
    """Start a chain of short commands and kill the recorder after so many seconds."""
    line = "for i in 1 2 3 4 5 6 7 8 9 10; do sh -c 'exit 3'; done; sleep 0.05"
    process = proctor.start("run", "--keep", "all", "--", "bash", "-c", line)
    time.sleep(after)
    process.kill()
    process.wait()


def markers(proctor: Proctor) -> list[Path]:
    """Return the markers that no recorder holds."""
    found = []
    for path in Path(f"{proctor.log}.pending").glob("*"):
        with open(path, "rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            found.append(path)
    return found


def roots(proctor: Proctor) -> set[str]:
    return {span["run_id"] for span in proctor.spans() if span["host"]}


def kill_often(proctor: Proctor, times: int) -> None:
    """Kill at random moments and check after each that nothing finished is lost."""
    moments = random.Random(7)
    began = time.monotonic()
    proctor("run", "--", "true")
    longest = max(0.16, 3 * (time.monotonic() - began))
    for _ in range(times):
        kill_at(proctor, moments.uniform(0.0, longest))
    check_chain(proctor.log)
    begun = {span["run_id"] for span in proctor.spans()}
    deadline = time.monotonic() + 10
    # NOTE: a child that was just forked holds its parent's lock for a moment more.
    while not begun <= {path.stem for path in markers(proctor)} | roots(proctor):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_killed_recorder_loses_no_finished_span(proctor: Proctor) -> None:
    kill_often(proctor, 20)


@pytest.mark.large
def test_two_hundred_killed_recorders_lose_no_finished_span(proctor: Proctor) -> None:
    kill_often(proctor, 200)


def write_many(log: str, count: int) -> None:
    writer = LogWriter(log, print)
    for number in range(count):
        writer.append({"schema": "proctor.span/1", "argv": [str(os.getpid()), str(number)]})
    writer.close()


def writers(log: Path, processes: int, each: int) -> None:
    """Let many processes write to one log at once."""
    code = (
        "import sys; from tests.integration.recorder.test_faults import write_many;"
        "write_many(sys.argv[1], int(sys.argv[2]))"
    )
    with ThreadPoolExecutor(processes) as pool:
        jobs = [
            pool.submit(subprocess.run, [PYTHON, "-c", code, str(log), str(each)], check=True)
            for _ in range(processes)
        ]
    for job in jobs:
        job.result()
    assert check_chain(log) == processes * each


def test_eight_writers_lose_and_tear_nothing(tmp_path: Path) -> None:
    writers(tmp_path / "spans.jsonl", 8, 200)


@pytest.mark.heavy
def test_sixty_four_writers_of_a_thousand_spans_lose_and_tear_nothing(tmp_path: Path) -> None:
    writers(tmp_path / "spans.jsonl", 64, 1000)


FORGETFUL = """
import sys
import proctor.recorder.ptrace as ptrace
seen, kernel = [], ptrace.next_event
def next_event(flags):
    event = kernel(flags)
    if event[0] > 0:
        seen.append(event)
        if len(seen) == int(sys.argv[1]):
            raise MemoryError
    return event
ptrace.next_event = next_event
from proctor.cli.main import run
sys.exit(run(["run", "--", "sh", "-c", "/bin/true; echo a | cat; exit 3"]))
"""


@pytest.mark.heavy
@pytest.mark.parametrize("number", range(1, 10))
def test_an_event_that_is_lost_for_want_of_memory_stops_nobody_for_ever(
    proctor: Proctor, number: int
) -> None:
    words = [PYTHON, "-c", FORGETFUL, str(number)]
    done = subprocess.run(
        words, env=proctor.env, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout == "a\n"
    assert done.returncode == 125
    assert "out of memory" in done.stderr
