"""The installed command in real processes."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import PROCTOR, Proctor

GOLDEN = Path(__file__).parents[2] / "golden"


def test_the_short_help_is_as_published(proctor: Proctor) -> None:
    shown = proctor("--help", env={"COLUMNS": "100"}).stdout
    assert shown == (GOLDEN / "help.txt").read_text()


def test_no_line_of_the_help_is_wider_than_the_terminal(proctor: Proctor) -> None:
    for words in (("--help",), ("--help", "--all")):
        shown = proctor(*words, env={"COLUMNS": "50"}).stdout
        assert max(map(len, shown.splitlines())) <= 50


def test_a_reader_that_leaves_early_is_no_error(proctor: Proctor) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{PROCTOR} schema span | head -1; echo ${{PIPESTATUS[0]}}"],
        env=proctor.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    code = done.stdout.splitlines()[-1]
    assert code in ("0", "141")  # it may have finished before the reader left


@pytest.mark.parametrize("words", [["schema", "span"], ["--version"]])
def test_a_reader_that_has_left_is_the_end_of_it(words: list[str], proctor: Proctor) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = proctor(*words, capture_output=False, stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_full_disk_is_one_line(proctor: Proctor) -> None:
    with open("/dev/full", "w") as full:
        done = proctor("--version", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 70
    assert done.stderr == "proctor: the output could not be written: No space left on device\n"


def test_closed_streams_are_no_error(proctor: Proctor) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{PROCTOR} --version >&- 2>&-"], env=proctor.env, check=False
    )
    assert done.returncode == 0
    done = subprocess.run(["bash", "-c", f"{PROCTOR} nonsense 2>&-"], env=proctor.env, check=False)
    assert done.returncode == 64


def test_an_interrupt_leaves_with_130_and_no_word(proctor: Proctor, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    started = proctor.start("verify", str(fifo), stderr=subprocess.PIPE)
    with open(fifo, "wb"):
        time.sleep(0.2)
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=20)
    assert (started.returncode, err) == (130, b"")


def test_nothing_is_imported_from_the_current_folder(proctor: Proctor, tmp_path: Path) -> None:
    (tmp_path / "proctor").mkdir()
    (tmp_path / "proctor" / "__init__.py").write_text("raise SystemExit(99)")
    (tmp_path / "argparse.py").write_text("raise SystemExit(98)")
    done = proctor("--version", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 0


@pytest.mark.parametrize("name", ["proctor", "proctor.txt"])
def test_a_module_run_refuses_a_folder_that_holds_a_proctor(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "proctor", "--version"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if name == "proctor":
        assert done.returncode == 64
        assert done.stderr.startswith("proctor: this folder holds 'proctor', which could")
        assert done.stderr.count("\n") == 1
        safe = [sys.executable, "-P", "-m", "proctor", "--version"]
        assert subprocess.run(safe, cwd=tmp_path, check=False).returncode == 0
    else:
        assert done.returncode == 0


def test_an_ascii_terminal_shows_signs_it_has(proctor: Proctor, tmp_path: Path) -> None:
    done = proctor("log", env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
    assert "Traceback" not in done.stderr
    line = f"{shlex.quote(PROCTOR)} --help > {tmp_path}/out"
    subprocess.run(["bash", "-c", line], env={"LC_ALL": "C"}, check=True)
    assert b"usage: proctor" in (tmp_path / "out").read_bytes()
