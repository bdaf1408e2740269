"""The measures of `make bench` and the page that is written from them."""

import importlib.util
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent.parent / "bench"


@pytest.fixture
def bench() -> object:
    spec = importlib.util.spec_from_file_location("bench", BENCH / "bench.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_measure_is_run(bench: object) -> None:
    found = {path.stem for path in (BENCH / "measures").glob("*.py")}
    assert found == set(getattr(bench, "MEASURES"))  # noqa: B009 - the module has no stub


def test_a_missed_bar_is_not_hidden(bench: object) -> None:
    rows = [
        {"what": "a ÷ b", "bar": 0.25, "value": 0.312, "met": False, "spread": "0.2–0.4"},
        {"what": "c ÷ d", "bar": 1, "value": 0.5, "met": True},
    ]
    kept = {"machine": "a machine", "measures": {"start": rows}}
    text = getattr(bench, "page")(kept)  # noqa: B009 - the module has no stub
    assert "a machine" in text
    assert "| a ÷ b (spread 0.2–0.4) | 0.312 | 0.25 | **missed** |" in text
    assert "| c ÷ d | 0.5 | 1 | met |" in text
