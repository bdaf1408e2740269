"""Whatever is wrong with the machine or the input is one clear line and the right code."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cheats.stage import GREEN, RED, Stage
from tests.conftest import PROCTOR, Proctor


def told(result: subprocess.CompletedProcess[Any]) -> list[str]:
    """Return the lines of stderr that are Proctor's; never a traceback among them."""
    assert "Traceback" not in result.stderr
    return [line for line in result.stderr.splitlines() if line.startswith("proctor:")]


def shell(proctor: Proctor, line: str, **more: Any) -> subprocess.CompletedProcess[str]:
    more = {"capture_output": True, "text": True, "timeout": 60, **more}
    return subprocess.run(["bash", "-c", line], env=proctor.env, check=False, **more)


@pytest.mark.parametrize("command", ["gate", "log", "doctor", "explain killed"])
def test_a_closed_output_changes_no_exit_code(proctor: Proctor, command: str) -> None:
    plain = shell(proctor, f"{PROCTOR} {command}", cwd="/")
    closed = shell(proctor, f"{PROCTOR} {command} >&-", cwd="/")
    assert closed.returncode == plain.returncode
    assert told(closed) == told(plain)


def test_an_output_that_is_full_is_said(proctor: Proctor) -> None:
    result = shell(proctor, f"{PROCTOR} schema span > /dev/full")
    assert result.returncode == 65
    assert told(result) == ["proctor: the output could not be written: No space left on device"]


@pytest.mark.parametrize(("command", "code"), [("gate", 65), ("log", 65), ("run -- true", 125)])
def test_a_folder_that_is_gone_is_said(
    proctor: Proctor, tmp_path: Path, command: str, code: int
) -> None:
    line = f"mkdir {tmp_path}/gone; cd {tmp_path}/gone; rmdir ../gone; {PROCTOR} {command}"
    result = shell(proctor, line)
    assert result.returncode == code
    assert [line for line in told(result) if "the current folder is gone" in line]


@pytest.mark.parametrize("make", ["mkfifo proctor.toml", "ln -s /dev/zero proctor.toml"])
def test_a_configuration_that_is_no_plain_file_is_refused(
    proctor: Proctor, tmp_path: Path, make: str
) -> None:
    result = shell(proctor, f"git init -q; {make}; {PROCTOR} gate", cwd=tmp_path)
    assert result.returncode == 65
    assert "a device or a pipe, not a file" in told(result)[0]


def test_a_configuration_of_many_megabytes_is_refused(proctor: Proctor, tmp_path: Path) -> None:
    (tmp_path / "proctor.toml").write_bytes(b"#" * (5 << 20))
    result = shell(proctor, f"{PROCTOR} gate", cwd=tmp_path)
    assert "larger than 4 MiB" in told(result)[0]


@pytest.mark.parametrize("content", ["notes", "notes\n"])
def test_a_file_that_is_no_log_is_left_as_it_is(
    proctor: Proctor, tmp_path: Path, content: str
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text(content)
    result = proctor("run", "--log", str(notes), "--", "true")
    assert result.returncode == 125
    assert "is not a span log" in result.stderr
    assert notes.read_text() == content
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_refused_run_leaves_nothing_in_the_repository(proctor: Proctor, tmp_path: Path) -> None:
    shell(proctor, "git init -q", cwd=tmp_path)
    env = {"PROCTOR_STATE_DIR": str(tmp_path / "st")}
    result = proctor("run", "--", "true", cwd=tmp_path, env=env)
    assert result.returncode == 125
    assert not (tmp_path / "st").exists()


def test_every_folder_of_the_state_is_the_owners_alone(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    stage.put("tests/test_app.py", GREEN)
    stage.commit()
    stage.run("pytest", "-q")
    for folder, _, names in os.walk(tmp_path / "s" / "state"):
        assert os.stat(folder).st_mode & 0o077 == 0, folder
        assert not [n for n in names if os.stat(os.path.join(folder, n)).st_mode & 0o022]


@pytest.mark.parametrize(("name", "words"), [("python3", ["-m", "unittest"]), ("node", ["--test"])])
def test_a_program_that_only_has_an_interpreters_name_is_an_impostor(
    tmp_path: Path, name: str, words: list[str]
) -> None:
    stage = Stage(tmp_path / "s")
    stage.put("test/test_app.py", RED)
    stage.put("test/a.test.js", "throw 1\n")
    stage.commit()
    fake = shutil.copy("/bin/true", tmp_path / name)
    stage.run(str(fake), *words)
    assert "impostor-runner" in stage.judge().rules


def test_a_shell_line_under_the_direct_witness_is_no_impostor(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "s")
    stage.put("tests/test_app.py", GREEN)
    stage.commit()
    stage.proctor("run", "--witness", "direct", "--", "bash", "-c", "pytest -q")
    assert stage.judge().code == 0


@pytest.mark.parametrize(
    "lines",
    [
        "#!{python}\n# -*- coding: utf-8 -*-\n",
        "#! {python}\nimport sys\n",
        "#!{python} -E\nimport sys\n",
        "#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\n",
        "#!/bin/sh\n'''exec' {python} \"$0\" \"$@\"\n' '''\n",
        "#!/bin/sh\n'''exec' \"{python}\" -E \"$0\" \"$@\"\n' '''\n",
    ],
)
def test_the_command_starts_whichever_installer_wrote_its_neighbour(
    lines: str, tmp_path: Path
) -> None:
    """pip, uv and pipx note the interpreter each in its own way; a quoted path may have spaces."""
    folder = tmp_path / ("a b" if '"{python}"' in lines else "ab")
    folder.mkdir()
    python = folder / "python"
    python.write_text('#!/bin/sh\necho started "$@"\n')
    python.chmod(0o755)
    (folder / "proctor-python").write_text(lines.format(python=python))
    shutil.copy(Path(__file__).parents[2] / "scripts" / "proctor", folder)
    done = subprocess.run([folder / "proctor", "gate"], capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout[:13]) == ("", "started -I -c")


def test_an_interpreter_that_cannot_be_run_is_said(tmp_path: Path) -> None:
    script = shutil.copy(PROCTOR, tmp_path / "proctor")
    (tmp_path / "proctor-python").write_text("#!/no/such/python\n")
    for words, code in (("run -- true", 125), ("gate", 70)):
        line = f"{shlex.quote(str(script))} {words}"
        result = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
        assert result.returncode == code
        assert "cannot be run; install Proctor again" in result.stderr


@pytest.mark.parametrize("option", ["--receipt", "--oracle", "--quarantine"])
@pytest.mark.parametrize("path", ["pipe", "/dev/zero"])
def test_what_may_have_no_end_is_refused_at_once(tmp_path: Path, option: str, path: str) -> None:
    stage = Stage(tmp_path / "s")
    os.mkfifo(stage.repo / "pipe")
    result = stage.proctor("gate", option, path)
    assert result.returncode == 65
    (line,) = told(result)
    assert path in line


@pytest.mark.parametrize("words", [("gate", "--output"), ("run", "--receipt")])
def test_a_pipe_in_the_place_of_a_result_is_not_replaced(
    tmp_path: Path, words: tuple[str, str]
) -> None:
    stage = Stage(tmp_path / "s")
    pipe = stage.repo / "pipe"
    os.mkfifo(pipe)
    result = stage.proctor(words[0], f"{words[1]}={pipe}", *(["--", "true"] * (words[0] == "run")))
    assert result.returncode == (125 if words[0] == "run" else 65)
    assert pipe.is_fifo()
    assert told(result)[-1].endswith(
        ("choose another place", "choose another place with --receipt=FILE")
    )
