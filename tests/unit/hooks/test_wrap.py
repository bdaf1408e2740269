import subprocess
import sys
from pathlib import Path

import pytest

from proctor.hooks.wrap import only_looks, program, recorded


@pytest.mark.parametrize(
    "text",
    [
        "ls -la",
        "git status",
        "cd src && grep -n 'x' a.py | head -5",
        "cat a.py 2>&1 | wc -l",
        "find . -name '*.py'",
        "(pwd; ls)\ngit log --oneline",
        "",
    ],
)
def test_what_only_looks_is_left_alone(text: str) -> None:
    assert only_looks(text)
    assert recorded(text, "id") is None


@pytest.mark.parametrize(
    "text",
    [
        "pytest -q",
        "ls && pytest",
        "ls\npytest",
        "cat $(pytest)",
        "cat `pytest`",
        "cat <(pytest)",
        "find . -name 'test_*' -exec pytest {} +",
        "find . -okdir x",
        "git commit -m x",
        "git",
        "X=1 ls",
        "./ls",
        "make",
        "echo 5 passed",
        "grep 'a;b' x",
        "ls \\\npytest",
    ],
)
def test_what_may_start_something_is_recorded(text: str) -> None:
    assert not only_looks(text)
    assert recorded(text, "id") is not None


@pytest.mark.parametrize("text", ["proctor run -- pytest", "/x/proctor watch -- make"])
def test_what_is_recorded_already_is_left_alone(text: str) -> None:
    assert recorded(text, "id") is None


@pytest.mark.parametrize("text", ["proctor-x run y", "proctor gate && pytest", "proctor"])
def test_the_name_alone_is_no_record(text: str) -> None:
    assert recorded(text, "id") is not None


@pytest.mark.parametrize(("text", "fits"), [("x" * 110_000, True), ("'" * 40_000, False)])
def test_a_text_that_would_grow_too_long_is_left_alone(text: str, fits: bool) -> None:
    assert (recorded(f"echo {text}", "id") is not None) is fits


def test_the_id_stands_before_the_command() -> None:
    found = recorded("pytest -q | tail", "call_1")
    assert found == (
        f'{program()} watch --anyway --parent=call_1 -- "${{BASH:-${{ZSH_NAME:-sh}}}}" '
        "-c 'pytest -q | tail'"
    )
    assert "--parent" not in str(recorded("pytest", ""))


@pytest.mark.parametrize("shell", ["bash", "dash", "zsh"])
def test_the_text_is_read_by_the_shell_it_was_meant_for(shell: str, tmp_path: Path) -> None:
    text = 'echo "it\'s $((1+1))"; test -n "${BASH_VERSION}$ZSH_VERSION" && echo yes; exit 3'
    fresh = recorded(text, "a b")
    assert fresh is not None
    try:
        done = subprocess.run(
            [shell, "-c", fresh], capture_output=True, text=True, check=False,
            env={"PATH": "/usr/bin:/bin", "PROCTOR_STATE_DIR": str(tmp_path)},
        )  # fmt: skip
    except FileNotFoundError:
        pytest.skip(f"{shell} is not installed")
    assert done.returncode == 3, done.stderr
    assert done.stdout == ("it's 2\n" if shell == "dash" else "it's 2\nyes\n")


def test_a_program_that_stands_nowhere_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert program() == "proctor"
