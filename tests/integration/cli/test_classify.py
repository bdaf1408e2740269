"""`proctor classify`: how a command is read."""

import json

import pytest

from tests.conftest import Proctor


def test_a_line_is_shown_as_json(proctor: Proctor) -> None:
    done = proctor("classify", "--format", "json", "--shell", "uv run pytest -q -k x t | tail -3")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {
        "runners": [
            {
                "argv": ["pytest", "-q", "-k", "x", "t"],
                "command_class": "pytest",
                "role": "test",
                "kind": "leaf",
                "wrappers": ["uv run"],
                "selectors": ["t"],
                "narrowing": ["-k=x"],
                "not_a_run": None,
                "masked_by": "| tail -3",
                "status": "masked",
            }
        ]
    }


def test_arguments_are_shown_as_text(proctor: Proctor) -> None:
    done = proctor("classify", "--", "bash", "-c", "pytest --co; tox")
    assert done.stdout.split("\n\n")[0].splitlines() == [
        "pytest --co",
        "  class        pytest (leaf)",
        "  wrappers     bash -c",
        "  not a run    --collect-only",
        "  exit code    masked: the line may return 0 although it fails (; tox)",
    ]


def test_a_command_without_a_runner_says_so(proctor: Proctor) -> None:
    assert proctor("classify", "--shell", "echo pytest").stdout == "no test runner\n"
    done = proctor("classify", "--format", "json", "--", "git", "status")
    assert json.loads(done.stdout) == {"runners": []}


@pytest.mark.parametrize("words", [(), ("--shell", "x", "--", "y"), ("--",)])
def test_either_a_line_or_arguments_are_given(proctor: Proctor, words: tuple[str, ...]) -> None:
    done = proctor("classify", *words)
    assert (done.returncode, done.stderr.count("\n")) == (64, 1)
    assert "--shell LINE" in done.stderr
