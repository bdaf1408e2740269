"""What names say."""

import pytest

from proctor.repo.names import Own, decides_tests, may_change_tests


@pytest.mark.parametrize(
    "path",
    [
        "src/a.py",
        "a.GO",
        "Makefile",
        "pyproject.toml",
        "x/package.json",
        "tests/README.md",
        "src/__tests__/snap.txt",
        "requirements.txt",
        "spec/notes",
        "data.csv",
        "a/.gitattributes",
        "caf\udce9.py",
    ],
)
def test_code_tests_and_configuration_may_change_tests(path: str) -> None:
    assert may_change_tests(path.encode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    "path", ["README.md", "docs/index.html", "notes.txt", "LICENSE", "a.png", "doc/x/style.css"]
)
def test_prose_and_pictures_may_not(path: str) -> None:
    assert not may_change_tests(path.encode())


@pytest.mark.parametrize(
    "path",
    [
        "conftest.py",
        "a/sitecustomize.py",
        "x.pth",
        ".pytest.ini",
        "jest.config.mjs",
        ".mocharc.yml",
    ],
)
def test_files_that_are_read_unasked_decide_tests(path: str) -> None:
    assert decides_tests(path.encode())


@pytest.mark.parametrize(
    "path", ["a.py", "conftest.pyc", "myconftest.py", "x.pth.txt", "a/conftest.py/b"]
)
def test_other_files_do_not_decide(path: str) -> None:
    assert not decides_tests(path.encode())


@pytest.mark.parametrize(
    ("path", "own"),
    [
        (b"artifacts/test-receipt.json", True),
        (b"artifacts/oracle.json", True),
        (b"evidence/junit.2.xml", True),
        (b"evidence/junit.xml", True),
        (b"evidence/run.exit", True),
        (b"evidence/code.py", False),
        (b"sub/evidence/junit.xml", False),
        (b"log/spans.jsonl", True),
        (b"log/spans.jsonl.torn-12-ab", True),
        (b"log/spans.jsonl.pending/x", True),
        (b"log/objects/ab/cd", True),
        (b"log/index-0123456789abcdef/index", True),
        (b"log/index-of-tests/x.py", False),
        (b"log/test.py", False),
        (b"logs/spans.jsonl", False),
        (b"log/deep/spans.jsonl", False),
    ],
)
def test_only_names_that_proctor_writes_are_its_own(path: bytes, own: bool) -> None:
    assert Own("/repo", "/repo/log").holds(path) is own


def test_a_log_elsewhere_owns_nothing_in_the_tree() -> None:
    assert not Own("/repo", "/state").holds(b"spans.jsonl")
