"""Nothing that had finished is lost, at most one line is said, the code is right."""

from pathlib import Path

import pytest

from tests.faults.base import Fault, Scene, UnavailableError
from tests.faults.table import FAULTS, page

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, id=fault.name, marks=[pytest.mark.heavy] if fault.heavy else [])
        for fault in FAULTS
    ],
)
def test_the_fault_costs_what_the_table_says(fault: Fault, tmp_path: Path) -> None:
    if fault.missing:
        pytest.skip(f"not installed: {', '.join(fault.missing)}")
    try:
        assert fault.wrong(Scene(tmp_path)) is None
    except UnavailableError as error:
        pytest.skip(str(error))


def test_the_page_lists_every_fault() -> None:
    assert PAGE.read_text() == page(), "run: make pages"
