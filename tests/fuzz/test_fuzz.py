"""A seeded minute: whatever an input holds, it is read or refused in one line, soon."""

from pathlib import Path

import hypothesis
import pytest

from proctor.classify.shell import read_line
from proctor.errors import Error
from tests.fuzz.play import play
from tests.fuzz.shell import lines, shells
from tests.fuzz.targets import TARGETS, Target
from tests.shells import contradiction

TIMES = 80
LINES = 60
NO_SHELL_TEXT = "the line is not shell text that can be read"
HOSTILE = {"bomb.zip", "escape.zip", "gate.json"}
"""Inputs of the corpus that are refused as they stand."""


@pytest.mark.heavy
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_what_nobody_wrote_is_read_or_refused(target: Target) -> None:
    assert [why for _, why in play(target, 1, TIMES)] == []


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_the_inputs_that_are_changed_are_good_ones(target: Target, tmp_path: Path) -> None:
    for number, (seed, data) in enumerate(zip(target.seeds, target.inputs(), strict=False)):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / target.file
        path.write_bytes(data)
        if seed.name in HOSTILE:
            with pytest.raises(Error):
                target.read(path, folder)
        else:
            target.read(path, folder)


@pytest.mark.heavy
@hypothesis.settings(max_examples=LINES)
@hypothesis.given(line=lines())
def test_no_line_is_called_the_runners_own_that_is_not(
    line: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for shell in shells(tmp_path_factory.mktemp("shells")):
        assert contradiction(shell, line, random_line=True) is None


@pytest.mark.heavy
def test_the_reading_of_random_lines_stays_useful() -> None:
    said: list[str] = []

    @hypothesis.settings(max_examples=150, phases=[hypothesis.Phase.generate])
    @hypothesis.given(line=lines())
    def count(line: str) -> None:
        said.extend(run.status for run in read_line(line) if run.masked_by != NO_SHELL_TEXT)

    count()
    assert said.count("unknown") < 0.5 * len(said)
    assert said.count("own") > 0.1 * len(said)
