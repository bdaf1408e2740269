import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor.records.pending import Marker
from proctor.report.span_log import Choice, LogView
from proctor.report.style import Style

Record = Callable[..., dict[str, Any]]
WriteLog = Callable[..., str]


def view(path: str, **choice: Any) -> LogView:
    return LogView(path, Choice(**choice), Style(), may_be_missing=True)


def rows(path: str, **choice: Any) -> list[str]:
    return list(view(path, **choice).lines())


@pytest.fixture
def mixed(record: Record, write_log: WriteLog) -> str:
    return write_log(
        [
            record(span_id="1", run_id="r1", role="test", argv=["pytest", "one"]),
            record(span_id="2", run_id="r2", role="vcs", argv=["git", "diff"], exit_code=1),
            record(span_id="3", run_id="r3", role="test", argv=["pytest", "two"], exit_code=1),
            record(span_id="4", run_id="r1", argv=["bash"]),
        ]
    )


def test_a_table_has_a_heading_and_a_row_for_each_record(mixed: str) -> None:
    assert [line.split()[-1] for line in rows(mixed)] == ["command", "one", "diff", "two", "bash"]


def test_tests_and_failures_can_be_asked_for(mixed: str) -> None:
    assert [line.split()[-1] for line in rows(mixed, tests=True)][1:] == ["one", "two"]
    assert [line.split()[-1] for line in rows(mixed, failing=True)][1:] == ["diff", "two"]
    assert [line.split()[-1] for line in rows(mixed, tests=True, failing=True)][1:] == ["two"]


def test_the_last_records_are_shown_and_the_others_counted(mixed: str) -> None:
    shown = rows(mixed, last=1)
    assert shown[1].endswith("bash")
    assert shown[2:] == ["3 earlier, shown by --last 0"]
    assert len(rows(mixed, last=0)) == 5


def test_a_screenful_is_shown_where_no_number_is_given(record: Record, write_log: WriteLog) -> None:
    shown = rows(write_log([record() for _ in range(60)]))
    assert len(shown) == 52
    assert shown[-1] == "10 earlier, shown by --last 0"


def test_a_choice_that_fits_nothing_says_so(record: Record, write_log: WriteLog) -> None:
    path = write_log([record()])
    assert rows(path, failing=True) == ["none of the 1 records is of that kind"]
    assert rows(path, failing=True, tree=True) == ["none of the 1 records is of that kind"]


def test_a_tree_shows_each_run_whole(mixed: str) -> None:
    shown = rows(mixed, tree=True, tests=True)
    assert [line.split()[-3] for line in shown] == ["one", "bash", "two"]
    shown = rows(mixed, tree=True, last=2)
    assert [line.split()[-3] for line in shown[:-1]] == ["two", "one", "bash"]
    assert shown[-1] == "1 earlier runs, shown by --last 0"


def test_records_without_a_run_are_trees_of_their_own(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(span_id="1", run_id=""), record(span_id="2", run_id="")])
    assert len(rows(path, tree=True, last=0)) == 2


def test_json_is_an_array_of_the_records_as_they_stand(mixed: str, tmp_path: Path) -> None:
    text = b"".join(view(mixed).json_lines())
    assert json.loads(text) == [json.loads(line) for line in Path(mixed).read_text().splitlines()]
    assert len(json.loads(b"".join(view(mixed, last=2, tests=True).json_lines()))) == 2
    assert b"".join(view(str(tmp_path / "none")).json_lines()) == b"[]\n"
    assert list(view(str(tmp_path / "none")).notes()) == []


def test_where_nothing_is_recorded_the_command_to_start_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "spans.jsonl"
    for _ in range(2):
        shown = rows(str(path))
        assert shown[0] == f"nothing recorded yet in {path}"
        assert shown[1].startswith("start with: proctor run -- pytest -q")
        path.touch()


def test_runs_without_an_end_stand_below(record: Record, write_log: WriteLog) -> None:
    path = write_log([record()])
    start: dict[str, object] = {"run_id": "r1", "argv": ["tox"], "started_at": "now"}
    held = Marker(path, "r1", start)
    os.close(Marker(path, "r2", start | {"run_id": "r2", "argv": []}).fileno())
    shown = rows(path)[-2:]
    assert [line.split() for line in shown] == [
        ["now", "running", "tox"],
        ["now", "?", "no", "end", "r2"],
    ]
    held.remove()


def test_problems_of_the_log_are_noted(record: Record, write_log: WriteLog) -> None:
    path = write_log([record()])
    with open(path, "a") as file:
        file.write("noise\n" * 5)
    shown = view(path)
    assert len(list(shown.lines())) == 2
    notes = list(shown.notes())
    assert notes[0] == f"{path}: line 2 is not JSON"
    assert notes[3].startswith(f"{path}: 2 more problems; see them with: proctor verify ")


def test_a_log_of_noise_alone_is_not_called_empty(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(cwd=7)])
    shown = view(path)
    assert list(shown.lines()) == []
    assert shown.empty
    assert len(list(shown.notes())) == 1
