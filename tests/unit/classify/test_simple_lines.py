"""A line of plain words is read without a parser, and read the same."""

import pytest

from proctor.classify import shell
from proctor.classify.shell import ShellRun, read_line

LINES = (
    "pytest -q tests/test_a.py::test_b",
    "  uv run pytest -k x --maxfail=2 ",
    "python -m pytest",
    "time pytest",
    "exec pytest",
    "command pytest",
    "A=1 pytest",
    "nohup pytest",
    "timeout 5 pytest",
    "xargs pytest",
    "./pytest",
    "echo pytest",
    "eval pytest",
    "if pytest",
    "npm test",
    "make test",
    "cargo test -p a",
    "true",
    "ssh host pytest",
    "bash -c pytest",
    "env A=1 pytest",
    "pytest\tx",
)


def _told(runs: list[ShellRun]) -> list[tuple[object, ...]]:
    return [(run[0], run.found.command_class, run.wrappers, *run[2:]) for run in runs]


@pytest.mark.parametrize("line", LINES)
def test_a_simple_line_is_read_as_the_parser_reads_it(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = _told(read_line(line))
    monkeypatch.setattr(shell, "_LONGEST_SIMPLE", -1)
    assert quick == _told(read_line(line))
