"""Selections compared word by word: folders, options, and counts of what is known."""

import shlex

import pytest

from proctor.classify.base import Classification
from proctor.classify.classify import classify_argv
from proctor.classify.selection import count_selected, covers, is_narrowed, selects_whole


def read(line: str) -> Classification:
    found = classify_argv(shlex.split(line), peel=True, environ={})
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("pytest", "pytest -q"),
        ("pytest", "pytest tests/test_a.py"),
        ("pytest", "pytest -k x"),
        ("pytest tests", "pytest tests/test_a.py::test_b"),
        ("pytest ./tests/", "pytest tests"),
        ("pytest tests/a.py", "pytest tests/a.py::T::b"),
        ("pytest a.py::test_x", "pytest 'a.py::test_x[1]'"),
        ("pytest a b", "pytest b/c a"),
        ("pytest --deselect x", "pytest --deselect x --deselect y"),
        ("pytest -k x tests", "pytest -k x tests/a.py"),
        ("pytest -c x.ini", "pytest -c x.ini a.py"),
        ("python -m unittest", "python -m unittest tests.mod.Case"),
        ("python -m unittest tests.mod", "python -m unittest tests/mod.py"),
        ("python -m unittest discover -s tests", "python -m unittest tests.a"),
        ("go test ./...", "go test ./pkg"),
        ("go test ./...", "go test ./pkg/..."),
        ("go test ./...", "go test"),
        ("go test all", "go test ./pkg"),
        ("go test ./pkg/...", "go test ./pkg"),
        ("jest", "jest src/a"),
        ("jest src", "jest src/a"),
        ("jest --passWithNoTests", "jest"),
        ("cargo test", "cargo test foo"),
        ("make test lint", "make test"),
        ("npm test", "npm test"),
    ],
)
def test_a_wider_selection_covers(a: str, b: str) -> None:
    assert covers(read(a), read(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("pytest tests", "pytest"),
        ("pytest tests/a", "pytest tests/ab"),
        ("pytest a.py::test_x", "pytest a.py::test_xy"),
        ("pytest -k x", "pytest"),
        ("pytest -k x", "pytest -k y"),
        ("pytest -k x -k y", "pytest -k x"),
        ("pytest -k x", "pytest -k x -k y"),
        ("pytest --deselect x --deselect y", "pytest --deselect x"),
        ("pytest -c x.ini", "pytest"),
        ("pytest", "pytest -c x.ini"),
        ("pytest -p evil", "pytest"),
        ("pytest --co", "pytest"),
        ("pytest", "tox"),
        ("docker run img pytest", "pytest"),
        ("PYTEST_ADDOPTS='-k x' pytest", "pytest"),
        ("python -m unittest tests.mod", "python -m unittest tests.module"),
        ("go test ./pkg", "go test ./..."),
        ("go test ./pkg/...", "go test ./pkgs"),
        ("go test ./...", "go test example.com/x"),
        ("jest src/a", "jest src"),
        ("jest 'a|b'", "jest 'xa|b'"),
        ("make", "make test"),
        ("make test", "make"),
        ("tox -e py", "tox"),
    ],
)
def test_a_narrower_or_other_selection_does_not_cover(a: str, b: str) -> None:
    assert not covers(read(a), read(b))


def test_folders_make_selections_comparable() -> None:
    assert covers(read("pytest"), read("pytest test_a.py"), "", "sub")
    assert covers(read("pytest test_a.py"), read("pytest sub/test_a.py"), "sub", "")
    assert covers(read("go test ./..."), read("go test"), "", "pkg")
    assert not covers(read("pytest"), read("pytest"), "sub", "")
    assert not covers(read("make test"), read("make test"), "a", "b")


@pytest.mark.parametrize(
    "line", ["pytest -k x", "pytest -c x", "pytest @f", "PYTEST_ADDOPTS=-kx pytest"]
)
def test_options_narrow(line: str) -> None:
    assert is_narrowed(read(line))
    assert not selects_whole(read(line), ["tests/test_a.py"])


@pytest.mark.parametrize("line", ["pytest", "pytest tests", "jest --passWithNoTests", "pytest -x"])
def test_other_options_do_not(line: str) -> None:
    assert not is_narrowed(read(line))


FILES = ["tests/test_a.py", "tests/sub/test_b.py"]


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("pytest", 2),
        ("pytest tests", 2),
        ("pytest tests/sub", 1),
        ("pytest tests/test_a.py tests/sub", 2),
        ("pytest tests/test_a.py::test_x", 0),
        ("pytest other", 0),
        ("python -m unittest", 2),
        ("python -m unittest tests.test_a", 1),
        ("node --test 'tests/*.py'", 1),
        ("node --test 'tests/**/*.py'", 2),
        ("jest sub", 1),
        ("jest 'test_[ab]'", 2),
        ("jest '('", 0),
        ("make test", 2),
        ("go test ./tests/...", 2),
        ("go test ./tests", 1),
    ],
)
def test_known_files_are_counted(line: str, count: int) -> None:
    assert count_selected(read(line), FILES) == count
    assert selects_whole(read(line), FILES) == (count == 2)


def test_test_ids_are_counted_too() -> None:
    ids = ["a.py::test_x[1]", "a.py::test_x[2]", "a.py::test_y"]
    assert count_selected(read("pytest a.py::test_x"), ids) == 2
    assert count_selected(read("pytest 'a.py::test_x[1]'"), ids) == 1


def test_without_known_files_only_no_selectors_are_whole() -> None:
    assert selects_whole(read("pytest"), [])
    assert not selects_whole(read("pytest tests"), [])
    assert selects_whole(read("npm test"), FILES)
