"""Arguments that leave tests out, and the warning that goes with each."""

import pytest

from proctor.flakes.exclude import RUNNERS, arguments


@pytest.mark.parametrize("runner", RUNNERS)
def test_each_runner_has_its_arguments_and_its_warning(runner: str) -> None:
    line, warning = arguments(runner, ["shop::TestPay", "a b::c.d"])
    assert "TestPay" in line
    assert len(warning) > 20
    assert arguments(runner, [])[0] == ""


def test_patterns_are_escaped() -> None:
    assert arguments("go", ["shop::Test.A"])[0] == "-skip '^(?:Test\\.A)$'"
    assert arguments("jest", ["adds"])[0] == "-t '^(?!(?:adds)$)'"
    assert arguments("pytest", ["t.py::a[x y]"])[0] == "'--deselect=t.py::a[x y]'"
