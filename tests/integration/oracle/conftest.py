from pathlib import Path

import pytest

from tests.integration.oracle.builds import Pair


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """Two builds, to be written."""
    return Pair(tmp_path / "project")
