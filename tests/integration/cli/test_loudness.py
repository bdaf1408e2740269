"""`--quiet` and `--verbose`, before a command and behind it, and what directs no terminal."""

import os
import pty
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from proctor.cli import waiting as module
from proctor.cli.waiting import waiting
from proctor.records.append import LogWriter
from tests.conftest import PROCTOR, Proctor
from tests.records import make_record

ODD = "\x1b[31m\u202e"


@pytest.fixture
def noisy(proctor: Proctor, tmp_path: Path) -> Proctor:
    """A repository in whose log nothing holds."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    writer = LogWriter(str(proctor.log), pytest.fail)
    for number in range(20):
        writer.append(make_record(span_id=f"{number:016x}", exit_code=3))
    writer.close()
    return proctor


@pytest.mark.parametrize("words", [("--verbose", "gate"), ("gate", "--verbose")])
def test_verbose_cuts_nothing_and_says_what_was_read(
    noisy: Proctor, tmp_path: Path, words: Sequence[str]
) -> None:
    usual = noisy("gate", "--every", cwd=tmp_path)
    whole = noisy(*words, "--every", cwd=tmp_path)
    assert whole.returncode == usual.returncode == 1
    assert "more findings" in usual.stdout
    assert "more findings" not in whole.stdout
    assert len(whole.stdout.splitlines()) > 20
    assert usual.stderr == ""
    assert "proctor: read log " in whole.stderr
    assert "s of processor time" in whole.stderr


@pytest.mark.parametrize("words", [("--quiet", "log"), ("log", "--quiet")])
def test_quiet_leaves_notes_out_and_keeps_errors(noisy: Proctor, words: Sequence[str]) -> None:
    with noisy.log.open("a") as log:
        log.write("torn")
    loud, quiet = noisy("log"), noisy(*words)
    assert loud.stderr.startswith("proctor: ")
    assert (quiet.stdout, quiet.stderr) == (loud.stdout, "")
    broken = noisy(*words, "--log", "nowhere")
    assert (broken.returncode, broken.stderr.count("\n")) == (65, 1)


def test_the_recorder_and_its_command_keep_their_words(proctor: Proctor) -> None:
    done = proctor("--quiet", "run", "--", "sh", "-c", "echo $1 >&2", "sh", "--quiet")
    assert (done.returncode, done.stderr) == (0, "--quiet\n")
    assert proctor("--quiet", "gaet").stderr.startswith("proctor: unknown command 'gaet' (did you")
    assert proctor("--quite", "gate").stderr.startswith("proctor: unknown option '--quite' (did")


@pytest.mark.parametrize(
    "words",
    [
        ("gate", "--log", ODD), ("log", "--log", ODD), ("receipt", "show", ODD), (ODD,),
        ("verify", ODD), ("oracle", "diff", ODD, ODD), ("flakes", "import", ODD),
        ("evidence", "compare", ODD, ODD), ("audit", ODD), ("explain", ODD), ("run", "--", ODD),
        ("hook", ODD, ODD), ("gate", f"--{ODD}"), ("gate", "--base", ODD),
    ],
)  # fmt: skip
def test_no_error_directs_the_terminal(proctor: Proctor, words: Sequence[str]) -> None:
    done = proctor(*words, stdin=subprocess.DEVNULL)
    assert done.stderr != ""
    for sign in ODD[0], ODD[-1]:
        assert sign not in done.stdout + done.stderr


def test_colour_is_for_a_terminal_that_did_not_decline_it(noisy: Proctor, tmp_path: Path) -> None:
    def on_a_terminal(**environ: str) -> bytes:
        parent, child = pty.openpty()
        with subprocess.Popen(
            [PROCTOR, "gate", "--every"], cwd=tmp_path, env={**noisy.env, "TERM": "xterm", **environ},
            stdout=child, stderr=child, stdin=subprocess.DEVNULL,
        ):  # fmt: skip
            os.close(child)
            parts = []
            try:
                while part := os.read(parent, 4096):
                    parts.append(part)
            except OSError:
                os.close(parent)
        return b"".join(parts)

    assert b"\x1b[31mFAIL" in on_a_terminal()
    assert b"\x1b" not in on_a_terminal(NO_COLOR="1")
    assert "\x1b" not in noisy("gate", "--every", cwd=tmp_path).stdout


class Screen:
    """A stream that says what kind it is, and keeps what was written."""

    def __init__(self, *, terminal: bool) -> None:
        self.terminal = terminal
        self.text = ""

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


@pytest.mark.parametrize(("terminal", "patience", "said"), [
    (True, 0.0, True), (True, 60.0, False), (False, 0.0, False),
])  # fmt: skip
def test_what_takes_long_is_named_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, patience: float, said: bool
) -> None:
    monkeypatch.setattr(module, "PATIENCE", patience)
    screen = Screen(terminal=terminal)
    with waiting(screen, "judging"):  # type: ignore[arg-type]
        deadline = time.monotonic() + (20 if said else 0)
        while "judging" not in screen.text and time.monotonic() < deadline:
            time.sleep(0.01)
    assert ("judging" in screen.text) == said
