"""What the runners' files say of a project's files can be read by the rules."""

import pytest

from proctor.assess.families import collected_files, harness_files
from proctor.outline.parts import parts_of, pattern_of
from proctor.requirements import patterns

SPECIFICATIONS = [one for given in harness_files().values() for one in given]


@pytest.mark.parametrize("specification", sorted(set(SPECIFICATIONS)))
def test_every_harness_specification_can_be_read(specification: str) -> None:
    path = pattern_of(specification).replace("*", "x")
    assert patterns([pattern_of(specification)]).match_file(path)
    for text in ("", "x = 1\n", '{"a": 1}\n', "[a]\nb = 1\n", "\0", "a:\n\tb\n"):
        assert isinstance(parts_of(path, text, specification), dict)


def test_every_kind_of_test_file_is_known() -> None:
    assert collected_files()["pytest"]
    assert "mocha" in harness_files()
