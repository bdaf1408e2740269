from pathlib import Path

import pytest

from tests.unit.oracle.traces import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A folder in which traces are written and compared."""
    return Bench(tmp_path)
