"""Which files can change the result of a test."""

import pytest

from proctor.gate.matters import can_change_tests, is_code, is_prose


@pytest.mark.parametrize(
    "path",
    [
        "conftest.py",
        "src/a.rs",
        "Makefile",
        "pytest.ini",
        "package.json",
        "requirements-dev.txt",
        "tests/__snapshots__/a.test.js.snap",
        ".npmrc",
        "a.PY",
    ],
)
def test_code_tests_and_configuration_can(path: str) -> None:
    assert can_change_tests(path)


@pytest.mark.parametrize(
    "path",
    [
        "notes.txt",
        "README.md",
        "logo.png",
        ".coverage",
        "node_modules/x/index.js",
        "pkg.egg-info/x.py",
        "web/dist/app.js",
    ],
)
def test_notes_pictures_and_build_output_cannot(path: str) -> None:
    assert not can_change_tests(path)


def test_configuration_is_no_code() -> None:
    assert not is_code("coverage.json")


@pytest.mark.parametrize(
    "path", ["README.md", "docs/a.rst", "LICENSE", "docs/logo.PNG", "notes.txt"]
)
def test_text_and_pictures_for_people_are_prose(path: str) -> None:
    assert is_prose(path)


@pytest.mark.parametrize(
    "path",
    ["src/a.py", "tests/data/a.txt", "Tests/a.md", "requirements.txt", "CMakeLists.txt", "a.toml",
     "data.csv", "templates/a.html", "run", "a.unknown"],
)  # fmt: skip
def test_what_a_test_may_read_is_no_prose(path: str) -> None:
    assert not is_prose(path)
