"""Fixtures for the tests of result formats."""

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.results.base import Format, Summary

ReadAs = Callable[[str, str], Summary]


@pytest.fixture
def read_as(tmp_path: Path) -> ReadAs:
    """Return a function that reads a text in a format, by the format's name."""

    def read(name: str, text: str) -> Summary:
        path = tmp_path / "report"
        path.write_text(text)
        found = importlib.import_module(f"proctor.results.formats.{name}").FORMAT
        assert isinstance(found, Format)
        return found.read(str(path))

    return read
