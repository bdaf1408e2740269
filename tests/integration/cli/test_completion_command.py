"""`proctor completion`: what the shells themselves offer, asked of real shells."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Proctor

BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_proctor
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
compdef() { :; }; _files() { print FILES; }; _normal() { print NORMAL $words; }
compadd() { shift; print -rl -- "$@"; }; compset() { :; }
_describe() { print -rl -- "${(@P)3}"; }
source "$1"; shift
words=("$@"); CURRENT=$#
_proctor
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    proctor = Proctor(folder)
    for shell in ("bash", "zsh", "fish"):
        done = proctor("completion", shell)
        assert done.returncode == 0, done.stderr
        (folder / shell).write_text(done.stdout)
    return folder


def offered(scripts: Path, shell: str, *words: str) -> list[str]:
    """What a shell offers after `proctor WORDS`, the last of them begun."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    script = str(scripts / shell)
    line = " ".join(("proctor", *words))
    command = {
        "bash": [program, "--norc", "-c", BASH, "bash", script, "proctor", *words],
        "zsh": [program, "-fc", ZSH, "zsh", script, "proctor", *words],
        "fish": [program, "--no-config", "-c", f"source {script}; complete -C '{line}'"],
    }[shell]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=scripts,
        env={"PATH": "/usr/bin:/bin", "HOME": str(scripts)},
    )  # fmt: skip
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    return (
        lines if shell == "bash" else [line.partition("\t")[0].partition(":")[0] for line in lines]
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_commands_verbs_options_and_choices_are_offered(scripts: Path, shell: str) -> None:
    first = offered(scripts, shell, "")
    assert {"gate", "watch", "report", "completion"} <= set(first)
    assert "prune" in offered(scripts, shell, "log", "")
    options = offered(scripts, shell, "gate", "--")
    assert {"--base", "--format", "--output"} <= set(options)
    assert "--older-than" not in options
    assert "--older-than" in offered(scripts, shell, "log", "prune", "--")
    assert {"text", "json"} <= set(offered(scripts, shell, "log", "--format", ""))
    assert {"bash", "zsh", "fish"} <= set(offered(scripts, shell, "completion", ""))
    assert "--sandbox" in offered(scripts, shell, "oracle", "check", "--")
    assert "gate" not in offered(scripts, shell, "gate", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_values_of_options_and_names_are_offered(scripts: Path, shell: str) -> None:
    formats = {"text", "json", "html", "markdown", "github", "gitlab", "sarif", "junit"}
    for words in (("gate",), ("receipt", "check"), ("oracle", "diff"), ("audit",)):
        assert set(offered(scripts, shell, *words, "--format", "")) == formats
    assert "otlp" in offered(scripts, shell, "report", "--format", "")
    assert "direct" in offered(scripts, shell, "run", "--witness", "")
    assert "masked-exit" in offered(scripts, shell, "explain", "")
    assert "receipt-check" in offered(scripts, shell, "schema", "")
    assert "claude-code" in offered(scripts, shell, "hook", "")
    assert "--quiet" in offered(scripts, shell, "gate", "--")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_value_may_stand_behind_an_equals_sign(scripts: Path, shell: str) -> None:
    # NOTE: bash takes the sign for a word of its own.
    words = ("--format", "=", "sa") if shell == "bash" else ("--format=sa",)
    found = offered(scripts, shell, "gate", *words)
    assert "sarif" in [word.removeprefix("--format=") for word in found]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_stands_after_two_dashes_is_another_program(scripts: Path, shell: str) -> None:
    found = offered(scripts, shell, "run", "--", "env")
    assert "env" in found or found == ["NORMAL env"]
    assert "--witness" not in offered(scripts, shell, "run", "--", "--")


def test_a_value_that_is_a_path_is_a_file(scripts: Path) -> None:
    assert "bash" in offered(scripts, "bash", "gate", "--log", "b")
    assert offered(scripts, "zsh", "gate", "--log", "") == ["FILES"]
    assert "fish" in offered(scripts, "fish", "gate", "--log", "f")


def test_an_unknown_shell_is_named_with_the_nearest(proctor: Proctor) -> None:
    done = proctor("completion", "bsh")
    assert done.returncode == 64
    assert "did you mean 'bash'?" in done.stderr
