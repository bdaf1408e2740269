"""Every cheat is caught by a rule that explains it; no honest run is accused."""

import shutil
from pathlib import Path

import pytest

from tests.cheats.stage import Case, Stage
from tests.cheats.table import CAUGHT, HONEST


def _parameters(cases: list[Case]) -> list[object]:
    return [
        pytest.param(case, id=case.id, marks=[pytest.mark.heavy] if case.heavy else [])
        for case in cases
    ]


def _require(case: Case) -> None:
    for program in case.needs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


@pytest.mark.parametrize("case", _parameters(CAUGHT))
def test_the_cheat_is_caught(case: Case, tmp_path: Path) -> None:
    _require(case)
    found = case.verdict(Stage(tmp_path / "s"))
    assert found.code != 0, found.text
    assert found.rules & case.rules, found.text


@pytest.mark.parametrize("case", _parameters(HONEST))
def test_the_honest_run_passes(case: Case, tmp_path: Path) -> None:
    _require(case)
    found = case.verdict(Stage(tmp_path / "s"))
    assert found.code == 0, found.text
