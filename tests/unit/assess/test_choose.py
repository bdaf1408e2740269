"""What `--every` chooses of a log, by heads alone."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor.assess.choose import OFFENDING_LIMIT, Offending
from proctor.assess.reading import ArgvReader
from proctor.config import Config
from proctor.records.log import LogRead, read_log

Record = Callable[..., dict[str, Any]]
WriteLog = Callable[..., str]


def offending(path: str, **floors: int) -> tuple[list[str], LogRead, Offending]:
    choice = Offending(ArgvReader(Config()), floors)
    log = read_log(path, choice.wanted)
    found = [span.span_id for span in log]
    return found, log, choice


@pytest.mark.parametrize(
    ("members", "is_offending"),
    [
        ({}, False),
        ({"exit_code": 1}, True),
        ({"exit_code": None, "ended_by": "lost"}, True),
        ({"exit_code": None, "ended_by": "exec"}, False),
        ({"denied_binary": True}, True),
        ({"argv": []}, True),
        ({"duration_ms": None}, True),
        ({"duration_ms": 400}, True),
        ({"duration_ms": 600}, False),
        ({"duration_ms": 600, "argv": ["pytest", "slow"]}, False),
        ({"argv": ["pytest", "\udcff"]}, False),
    ],
)
def test_a_record_offends_or_holds(
    members: dict[str, Any], is_offending: bool, record: Record, write_log: WriteLog
) -> None:
    found, log, choice = offending(write_log([record(**members)] * 2))
    assert (len(found), choice.count) == (2 * is_offending, 2 * is_offending)
    assert log.problem_count == 0


def test_the_floor_is_that_of_what_argv_is(record: Record, write_log: WriteLog) -> None:
    path = write_log([record(), record(argv=["ls"])])
    assert len(offending(path, pytest=5000)[0]) == 1


@pytest.mark.parametrize(
    "argv", ["[1]", '"pytest"', "{}", '["\\ud800",1]', "[" * 20000 + "]" * 20000]
)
def test_arguments_that_are_none_are_no_record(argv: str, record: Record, tmp_path: Path) -> None:
    good = json.dumps(record())
    bad = good.replace('["pytest", "-q"]', argv)
    path = tmp_path / "l.jsonl"
    path.write_text(f"{good}\n{bad}\n{good}\n")
    found, log, _ = offending(str(path))
    assert (found, log.length, log.skipped) == ([], 2, 1)
    assert log.problems[0].line == 2


def test_offending_records_beyond_a_number_are_counted(record: Record, write_log: WriteLog) -> None:
    found, _, choice = offending(write_log([record(exit_code=1)] * (OFFENDING_LIMIT + 5)))
    assert (len(found), choice.count) == (OFFENDING_LIMIT, OFFENDING_LIMIT + 5)
