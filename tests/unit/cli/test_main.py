import importlib
import os
import py_compile
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.cli import main as main_module
from proctor.cli.base import Command
from proctor.errors import Error, Fault, LogError, RecorderError


def take_a_word(parser: ArgumentParser) -> None:
    parser.add_argument("word", nargs="?")


@pytest.fixture
def with_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., int]:
    """Run a command line in which the first word names a command that does as told."""
    monkeypatch.setenv("PROCTOR_STATE_DIR", str(tmp_path))

    def run(do: Callable[[], int], *words: str, failure_code: int | None = None) -> int:
        command = Command(
            summary="do as told",
            example="proctor told",
            configure=take_a_word,
            run=lambda _: do(),
            failure_code=failure_code,
        )
        monkeypatch.setattr(main_module, "_named", lambda _: command)
        return main_module.run(["told", *words])

    return run


def raising(error: BaseException) -> Callable[[], int]:
    def do() -> int:
        raise error

    return do


def test_a_commands_code_is_the_exit_code(with_command: Callable[..., int]) -> None:
    assert with_command(lambda: 2) == 2


def test_an_error_is_one_line_and_its_exit_code(
    with_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert with_command(raising(LogError("a.jsonl: torn\nat the end"))) == 65
    assert capfd.readouterr().err == "proctor: a.jsonl: torn at the end\n"


def test_the_recorders_code_is_the_recorders_alone(with_command: Callable[..., int]) -> None:
    assert with_command(raising(RecorderError("no home"))) == 65
    assert with_command(raising(RecorderError("no home")), failure_code=125) == 125
    assert with_command(raising(LogError("torn")), failure_code=125) == 125
    assert with_command(raising(KeyError("x")), failure_code=125) == 125


def test_a_fault_is_one_line_that_names_a_report(
    with_command: Callable[..., int], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    assert with_command(raising(KeyError(f"where {secret}")), "hunter2") == 70
    line = capfd.readouterr().err
    assert line.startswith("proctor: a fault in Proctor itself (KeyError); please report it with ")
    report = Path(line.rstrip("\n").rpartition(" ")[2])
    assert report.parent == tmp_path / "faults"
    assert "KeyError: 'where " in report.read_text()
    assert secret not in report.read_text()
    assert "hunter2" not in report.read_text()
    assert report.stat().st_mode & 0o077 == 0


def test_a_report_goes_elsewhere_where_the_state_folder_cannot_be_written(tmp_path: Path) -> None:
    program = (
        "import os; from proctor.cli.fault import write_report; "
        "print(write_report(KeyError('where'), 'log', os.environ))"
    )
    env = {**os.environ, "PROCTOR_STATE_DIR": "/dev/null/state", "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    assert Path(done.stdout.strip()).parent == tmp_path


def test_a_fault_that_cannot_be_written_down_is_still_one_line(
    with_command: Callable[..., int],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("proctor.cli.fault.write_report", refuse)
    assert with_command(raising(KeyError("where"))) == 70
    assert "no report could be written: No space left on device" in capfd.readouterr().err


def test_a_compiled_module_that_is_cut_off_is_no_fault_of_ours(
    with_command: Callable[..., int],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    module = tmp_path / "cut_off_module.py"
    module.write_text("x = 1\n")
    compiled = Path(py_compile.compile(str(module), doraise=True) or "")
    compiled.write_bytes(compiled.read_bytes()[:16])
    monkeypatch.syspath_prepend(str(tmp_path))
    assert with_command(lambda: int(bool(importlib.import_module("cut_off_module")))) == 65
    assert "compiled files are cut off, as a full disk leaves them" in capfd.readouterr().err
    assert with_command(raising(EOFError())) == 70


@pytest.mark.parametrize(
    "error", [MemoryError(), ImportError("x.so: failed to map segment from shared object")]
)
def test_a_lack_of_memory_is_said(
    with_command: Callable[..., int], capfd: pytest.CaptureFixture[str], error: Exception
) -> None:
    assert with_command(raising(error), failure_code=125) == 125
    assert capfd.readouterr().err == "proctor: out of memory; allow more (ulimit -v)\n"


def test_an_interrupt_is_quiet(
    with_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert with_command(raising(KeyboardInterrupt())) == 130
    assert capfd.readouterr().err == ""


def test_words_that_cannot_be_encoded_are_shown_escaped(
    with_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    with_command(raising(Fault("odd: \udcff")))
    assert capfd.readouterr().err == "proctor: odd: \\xff\n"


def test_a_light_command_gets_its_words_as_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    def take(words: list[str]) -> int:
        seen.append(words)
        return 7

    command = Command(
        summary="",
        example="",
        configure=take_a_word,
        run=lambda _: 0,
        main=take,
    )
    monkeypatch.setattr(main_module, "_named", lambda _: command)
    assert main_module.run(["told", "--", "--help"]) == 7
    assert seen == [["--", "--help"]]


def test_main_reads_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["proctor", "--version"])
    with pytest.raises(SystemExit) as left:
        main_module.main()
    assert left.value.code == 0


@pytest.mark.parametrize("word", ["", "_family", "no-such", "a/b", "merge_check", "base"])
def test_a_word_that_is_no_command_names_none(word: str) -> None:
    assert main_module._named([word]) is None


def test_an_error_of_no_kind_is_a_fault() -> None:
    assert Error.exit_code == 70


@pytest.mark.parametrize(("before", "torn"), [("", ""), ("import atexit\n", "torn down")])
def test_a_light_command_leaves_the_interpreter_as_it_is(
    before: str, torn: str, tmp_path: Path
) -> None:
    code = (
        f"{before}import os, sys\n"
        "class Watched:\n    def __del__(self, write=os.write): write(1, b'torn down')\n"
        "watched = Watched(); sys.argv = ['proctor', 'run', '--', 'sh', '-c', 'exit 7']\n"
        "from proctor.cli.main import main; main()"
    )
    # Without `site`, whose hooks of the tests' own would load `atexit`.
    words = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{code}"]
    env = {"PROCTOR_STATE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    subprocess.run(words, env=env, check=False, capture_output=True)
    # The second time the settings are at hand, and nothing heavy is loaded for them.
    ended = subprocess.run(words, env=env, check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (7, torn, "")
