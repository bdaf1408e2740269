"""What logs hold of the calls of transcripts, found without keeping all of a log."""

import tracemalloc
from pathlib import Path

import pytest

from proctor.audit.report import Report
from proctor.audit.sessions import _row
from proctor.audit.witnessed import Witnesses
from proctor.classify.shell import read_line
from proctor.join.toolcall import ToolCall
from proctor.records.append import LogWriter
from tests.integration.cli.test_gate_command import CORE


def _log(path: Path, count: int) -> str:
    writer = LogWriter(str(path), pytest.fail)
    for number in range(count):
        argv = ["ls", "x" * 1000]
        at = "2026-03-01T10:00:00.000000Z"
        writer.append({**CORE, "span_id": f"{number:016x}", "argv": argv, "started_at": at})
    writer.close()
    return str(path)


def _peak(log: str) -> int:
    witnesses = Witnesses((log,))
    call = ToolCall(call_id="c", agent="plain", session="s", tool="Bash", command="pytest")
    found = tuple(read_line("pytest"))
    witnesses.keep(call, found, [_row(call, run, "") for run in found])
    tracemalloc.start()
    try:
        witnesses.add_to(Report())
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    short, long = _log(tmp_path / "a.jsonl", 2000), _log(tmp_path / "b.jsonl", 12000)
    _peak(short)
    assert _peak(long) < 1.5 * _peak(short) + 1_000_000


def test_a_log_is_not_read_where_nothing_was_asked_for(tmp_path: Path) -> None:
    log = _log(tmp_path / "a.jsonl", 1)
    report = Report()
    Witnesses((log,)).add_to(report)
    assert report.totals.witnessed == 0
