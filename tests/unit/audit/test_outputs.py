"""What printed text suggests; the labelled sample holds most of it."""

import time

import pytest

from proctor.audit.outputs import shown_by


def test_colours_do_not_hide_a_failure() -> None:
    text = "\x1b[31m=== \x1b[1m1 failed\x1b[0m, 4 passed in 0.2s ==="
    assert shown_by(text, "pytest", ("pytest",))[0] == "failures"


def test_the_words_are_shown_on_one_line() -> None:
    assert shown_by("\n  1 failing\n\n  2) x", "npm test", ("npm", "test")) == (
        "failures",
        "1 failing",
    )


@pytest.mark.parametrize(
    ("text", "runner", "argv"),
    [
        ("No module named flask", "pytest", ("pytest",)),
        ("jq: command not found", "pytest", ("pytest",)),
        ('npm error Missing script: "test"', "pytest", ("pytest",)),
        ("Error: no test specified", "pytest", ("pytest",)),
    ],
)
def test_what_something_else_lacks_says_nothing_of_the_runner(
    text: str, runner: str, argv: tuple[str, ...]
) -> None:
    assert shown_by(text, runner, argv) == ("", "")


def test_a_runner_by_its_path_is_the_same_runner() -> None:
    text = "bash: .venv/bin/pytest: not found"
    assert shown_by(text, "pytest", (".venv/bin/pytest",))[0] == "nothing ran"


@pytest.mark.parametrize(
    "piece", ["1 failed ", "=", "9", "\n", "a: ", "-", "No module named a", "0 of ", "\x1b[", " "]
)
def test_64_kib_of_anything_takes_no_time(piece: str) -> None:
    began = time.process_time()
    shown_by(piece * (65_536 // len(piece)), "pytest", ("pytest",))
    assert time.process_time() - began < 2
