"""Every cheat is caught by a rule that explains it; no honest run is accused."""

from pathlib import Path

import pytest

from tests.cheats.stage import Case, Judgement, Stage, UnavailableError
from tests.cheats.table import CAUGHT, HONEST


def _parameters(cases: list[Case]) -> list[object]:
    return [pytest.param(case, id=case.id, marks=_marks(case)) for case in cases]


def _marks(case: Case) -> list[pytest.MarkDecorator]:
    if case.large:
        return [pytest.mark.large, pytest.mark.timeout(600)]
    # NOTE: the first case of a tool waits until the tool is installed.
    return [pytest.mark.heavy, pytest.mark.timeout(300)] if case.heavy else []


def _verdict(case: Case, folder: Path) -> Judgement:
    if case.missing:
        pytest.skip(f"{', '.join(case.missing)}: not installed")
    try:
        return case.verdict(Stage(folder / "s"))
    except UnavailableError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("case", _parameters(CAUGHT))
def test_the_cheat_is_caught(case: Case, tmp_path: Path) -> None:
    found = _verdict(case, tmp_path)
    assert found.code != 0, found.text
    assert found.rules & case.rules, found.text


@pytest.mark.parametrize("case", _parameters(HONEST))
def test_the_honest_run_passes(case: Case, tmp_path: Path) -> None:
    found = _verdict(case, tmp_path)
    assert found.code == 0, found.text
