"""Factories that many tests use."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from proctor.records.append import LogWriter
from tests.records import Record, make_record


@pytest.fixture
def record() -> Callable[..., Record]:
    """A factory of records: `record(exit_code=1)`."""
    return make_record


@pytest.fixture
def write_log(tmp_path: Path) -> Callable[[Iterable[Record]], str]:
    """A writer of span logs: `write_log([record(), …])` returns the path."""

    def write(records: Iterable[Record], name: str = "spans.jsonl") -> str:
        path = str(tmp_path / name)
        writer = LogWriter(path, pytest.fail)
        for one in records:
            writer.append(one)
        writer.close()
        return path

    return write
