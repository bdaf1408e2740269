import os
from pathlib import Path

from proctor.records.pending import Marker, folder_of
from proctor.records.starts import read_pending


def marker(log: str, run_id: str, at: str = "2026-03-01T10:00:00Z") -> Marker:
    start: dict[str, object] = {
        "schema": "proctor.pending/1",
        "run_id": run_id,
        "argv": ["bash", "-c", "pytest"],
        "cwd": "/work/app",
        "started_at": at,
        "boot_id": "b1",
        "pid": 7,
        "witness": "tree",
    }
    return Marker(log, run_id, start)


def test_a_running_recorder_holds_its_marker(tmp_path: Path) -> None:
    log = str(tmp_path / "spans.jsonl")
    held = marker(log, "r1")
    held.add({"leaf": ["pytest"], "command_class": "pytest", "span_id": "a1"})
    (found,) = read_pending(log)
    assert (found.run_id, found.locked, found.boot_id) == ("r1", True, "b1")
    assert [(leaf.leaf, leaf.command_class) for leaf in found.leaves] == [(("pytest",), "pytest")]
    held.remove()
    assert read_pending(log) == []


def test_a_marker_that_nobody_holds_is_a_start_without_an_end(tmp_path: Path) -> None:
    log = str(tmp_path / "spans.jsonl")
    for run_id, at in (("r2", "2026-03-01T10:00:02Z"), ("r1", "2026-03-01T10:00:01Z")):
        os.close(marker(log, run_id, at).fileno())
    assert [(run.run_id, run.locked) for run in read_pending(log)] == [("r1", False), ("r2", False)]


def test_a_marker_that_was_torn_still_counts(tmp_path: Path) -> None:
    log = str(tmp_path / "spans.jsonl")
    folder = Path(folder_of(log))
    folder.mkdir()
    (folder / "r9.jsonl").write_bytes(b'{"schema":"proctor.pend')
    (folder / "notes.txt").write_bytes(b"not a marker")
    (folder / "folder.jsonl").mkdir()
    (found,) = read_pending(log)
    assert (found.run_id, found.argv, found.locked, found.leaves) == ("r9", (), False, ())


def test_a_log_without_markers_has_no_pending_runs(tmp_path: Path) -> None:
    assert read_pending(str(tmp_path / "spans.jsonl")) == []
