import shlex

import pytest

from proctor.classify.base import Classification
from proctor.classify.classify import classify_argv
from proctor.gate.cures import Wrong, not_testing, selecting, without


@pytest.mark.parametrize(
    ("line", "wrong", "cure"),
    [
        ("pytest -p plg", selecting, "pytest"),
        ("pytest -pplg", selecting, "pytest"),
        ("pytest -o addopts=-q tests", selecting, "pytest"),
        ("pytest -x -k 'a b' --deselect=c tests/a.py::b", selecting, "pytest -x"),
        ("python -m pytest -v tests", selecting, "python -m pytest -v"),
        ("python -m unittest discover -s t -k a", selecting, "python -m unittest discover"),
        ("python -m unittest discover -s t -v", selecting, "python -m unittest discover -v"),
        (
            "python -m unittest discover -s t -p 'x*.py' -v",
            selecting,
            "python -m unittest discover -v",
        ),
        ("python -m unittest discover -p x.py", selecting, "python -m unittest discover"),
        ("cargo test nothing", selecting, "cargo test"),
        ("ctest --test-dir build -I 2,2", selecting, "ctest --test-dir build"),
        ("ctest --test-dir build -R x -j 2", selecting, "ctest --test-dir build -j 2"),
        ("pytest --help -x", not_testing, "pytest -x"),
        ("pytest -k a --co", not_testing, "pytest -k a"),
        ("make -n test", not_testing, "make test"),
        ("go test -c ./...", not_testing, "go test ./..."),
        ("jest --listTests", not_testing, "jest"),
        ("pytest --snapshot-update", not_testing, "pytest"),
        ("pytest -x", selecting, "pytest -x"),
    ],
)
def test_a_command_loses_what_is_wrong_with_it(line: str, wrong: Wrong, cure: str) -> None:
    what = classify_argv(shlex.split(line), peel=False)
    assert what is not None
    assert shlex.join(without(what, wrong)) == cure


def test_what_cannot_be_read_anew_loses_the_words_as_they_stand() -> None:
    what = Classification(["check.sh", "--list", "a"], "own", "test", "leaf")
    what.not_a_run = "--list"
    assert without(what, not_testing) == ["check.sh", "a"]
