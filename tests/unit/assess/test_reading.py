"""What the witness of a line alone may be believed."""

import pytest

from proctor.assess.reading import ArgvReader
from proctor.config import Config


@pytest.mark.parametrize(
    ("line", "bypassed"),
    [("git pull && pytest", False), ("pytest", False), ("make || pytest", True)],
)
def test_a_line_tells_whether_its_zero_needs_its_runner(line: str, bypassed: bool) -> None:
    runs = [
        run for run in ArgvReader(Config()).line(("bash", "-c", line)) if "pytest" in run.what.argv
    ]
    assert [run.bypassed for run in runs] == [bypassed]
