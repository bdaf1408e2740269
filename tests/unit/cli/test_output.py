from pathlib import Path

import pytest

from proctor.cli.output import write_whole
from proctor.errors import EvidenceError
from proctor.gate.rules.nonzero_exit import _REPORT
from proctor.repo.names import Own


def test_the_folder_of_an_output_is_made(tmp_path: Path) -> None:
    write_whole(str(tmp_path / "artifacts" / "oracle.json"), "{}", "the report")
    assert (tmp_path / "artifacts" / "oracle.json").read_text() == "{}"


def test_an_output_below_a_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "artifacts").touch()
    with pytest.raises(EvidenceError, match="the report cannot be written"):
        write_whole(str(tmp_path / "artifacts" / "oracle.json"), "{}", "the report")


def test_the_report_that_a_cure_asks_for_makes_no_tree_stale(tmp_path: Path) -> None:
    own = Own(str(tmp_path), str(tmp_path / "state"))
    assert own.holds(_REPORT.encode())
