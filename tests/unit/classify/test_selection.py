"""How selections of one runner compare."""

import pytest

from proctor.classify.base import Classification
from proctor.classify.classify import classify_argv
from proctor.classify.selection import covers, is_narrowed, selects_whole

FILES = ["tests/test_a.py", "tests/sub/test_b.py"]
GO_FILES = ["a_test.go", "pkg/b_test.go"]


def read(line: str) -> Classification:
    found = classify_argv(line.split(), peel=False)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("pytest", "pytest tests/test_a.py"),
        ("pytest .", "pytest tests/test_a.py::test_x"),
        ("pytest tests", "pytest tests/sub/test_b.py"),
        ("pytest ./tests/", "pytest tests/test_a.py::T::test_x"),
        ("pytest tests/test_a.py", "pytest tests/test_a.py::test_x[1]"),
        ("pytest tests/test_a.py::test_x", "pytest tests/test_a.py::test_x[1]"),
        ("pytest tests/test_a.py::T", "pytest tests/test_a.py::T::test_x"),
        ("pytest", "pytest -k word"),
        ("pytest -k word", "pytest -k word tests"),
        ("pytest -q -x --tb=short", "pytest -v"),
        ("pytest --ignore=a", "pytest --ignore=a --ignore=b"),
        ("python -m unittest", "python -m unittest tests.mod.Case.test_x"),
        ("python -m unittest tests.mod", "python -m unittest tests.mod.Case"),
        ("python -m unittest tests/mod.py", "python -m unittest tests.mod"),
        ("go test ./...", "go test ./pkg"),
        ("go test ./pkg/...", "go test ./pkg/sub"),
        ("go test", "go test ."),
        ("jest", "jest app"),
        ("jest app", "jest app/sub"),
        ("jest --passWithNoTests", "jest app"),
        ("make test lint", "make test"),
    ],
)
def test_a_wider_selection_covers_a_narrower_one(outer: str, inner: str) -> None:
    assert covers(read(outer), read(inner))


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("pytest tests/test_a.py", "pytest"),
        ("pytest tests/test_a.py", "pytest tests/test_ab.py"),
        ("pytest tests/test_a.py::test_x", "pytest tests/test_a.py::test_xy"),
        ("pytest tests/test_a", "pytest tests/test_a.py"),
        ("pytest tests/test_a.py", "pytest tests"),
        ("pytest -k word", "pytest"),
        ("pytest --ignore=a", "pytest"),
        ("pytest --ignore=a", "pytest --ignore=b"),
        ("pytest @list.txt", "pytest tests"),
        ("pytest -c other.ini", "pytest"),
        ("pytest", "pytest -c other.ini"),
        ("python -m unittest tests.mod", "python -m unittest tests.model"),
        ("go test", "go test ./..."),
        ("go test ./pkg", "go test ./pkg/sub"),
        ("go test ./...", "go test ../other"),
        ("jest a.*b", "jest a.*b.c"),
        ("make", "make test"),
        ("make test", "make"),
        ("tox", "tox -e py311"),
    ],
)
def test_a_selection_that_leaves_something_out_does_not_cover(outer: str, inner: str) -> None:
    assert not covers(read(outer), read(inner))


@pytest.mark.parametrize(
    "line",
    [
        "pytest -k x",
        "pytest --lf",
        "pytest @f",
        "pytest -c o.ini",
        "jest -t name",
        "go test -run X",
    ],
)
def test_options_that_leave_tests_out_narrow(line: str) -> None:
    assert is_narrowed(read(line))


@pytest.mark.parametrize("line", ["pytest -q", "jest --passWithNoTests", "pytest tests"])
def test_other_options_do_not_narrow(line: str) -> None:
    assert not is_narrowed(read(line))


@pytest.mark.parametrize("line", ["pytest", "pytest tests", "pytest tests/test_a.py tests/sub"])
def test_folders_that_hold_every_test_file_are_whole(line: str) -> None:
    assert selects_whole(read(line), FILES)


@pytest.mark.parametrize(
    "line", ["pytest tests/sub", "pytest tests/test_a.py::test_x tests/sub", "pytest test"]
)
def test_a_missing_file_makes_a_selection_partial(line: str) -> None:
    assert not selects_whole(read(line), FILES)


def test_packages_are_whole_when_they_hold_every_test_file() -> None:
    assert selects_whole(read("go test ./..."), GO_FILES)
    assert not selects_whole(read("go test"), GO_FILES)
    assert selects_whole(read("go test . ./pkg"), GO_FILES)


def test_modules_and_patterns_are_matched_with_files() -> None:
    assert selects_whole(read("python -m unittest tests"), ["tests/test_a.py"])
    assert selects_whole(read("jest src"), ["src/a.test.js"])
    assert not selects_whole(read("jest src"), ["src/a.test.js", "lib/b.test.js"])
    assert not selects_whole(read("jest a(b"), ["src/a.test.js"])


def test_with_no_known_file_only_no_selector_is_whole() -> None:
    assert selects_whole(read("pytest"), [])
    assert not selects_whole(read("pytest tests"), [])
