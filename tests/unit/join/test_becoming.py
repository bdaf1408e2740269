import shlex
from typing import Any

import pytest

from proctor.classify.classify import classify_argv
from proctor.join.becoming import may_become


def what(command: str, **members: Any) -> Any:
    found = classify_argv(shlex.split(command), peel=True)
    assert found is not None
    for name, value in members.items():
        setattr(found, name, value)
    return found


@pytest.mark.parametrize(
    ("asked", "ran"),
    [
        ("pytest tests", "python3 -m pytest -q tests"),
        ("pytest '$FILES' tests/a.py", "pytest tests/a.py tests/b.py"),
        ("pytest --token '***' tests/a.py", "pytest --token x tests/a.py"),
        ("pytest -k '***'", "pytest -k '***'"),
        ("find . -name 'test_*' -exec pytest {} +", "pytest tests/a.py"),
    ],
)
def test_what_a_shell_replaces_may_have_become_it(asked: str, ran: str) -> None:
    assert may_become(what(asked), what(ran))


@pytest.mark.parametrize(
    ("asked", "ran"),
    [
        ("pytest tests/a.py", "pytest tests/b.py"),
        ("pytest tests/a.py", "pytest"),
        ("pytest", "pytest -k x"),
        ("pytest", "pytest --collect-only"),
        ("pytest '$X' tests/a.py", "pytest tests/b.py"),
        ("pytest", "npm test"),
    ],
)
def test_words_that_no_shell_replaces_must_be_there(asked: str, ran: str) -> None:
    assert not may_become(what(asked), what(ran))


def test_an_update_of_expectations_is_no_run() -> None:
    assert not may_become(what("pytest"), what("pytest", updates=("--snapshot-update",)))
