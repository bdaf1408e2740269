"""Fixtures for the tests of result formats."""

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.results.base import Format, Summary
from proctor.results.read import read_summary

ReadAs = Callable[[str, str], Summary]
Attempts = Callable[[str, str], list[tuple[str, str]]]


@pytest.fixture
def read_as(tmp_path: Path) -> ReadAs:
    """Return a function that reads a text in a format, by the format's name."""

    def read(name: str, text: str) -> Summary:
        path = tmp_path / "report"
        path.write_text(text)
        found = importlib.import_module(f"proctor.results.formats.{name}").FORMAT
        assert isinstance(found, Format)
        return found.read(str(path), False)

    return read


@pytest.fixture
def attempts(tmp_path: Path) -> Attempts:
    """Return a function that reads the attempts of a report, as id and outcome."""

    def read(name: str, text: str) -> list[tuple[str, str]]:
        path = tmp_path / "detailed"
        path.write_text(text)
        results = read_summary(str(path), name, detailed=True).results
        assert results is not None
        return [(result.test, result.outcome) for result in results]

    return read
