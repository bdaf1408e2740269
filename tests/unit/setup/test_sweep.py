"""What goes from a state folder, and what a doubt keeps."""

import json
import time
from pathlib import Path

import pytest

from proctor.records.append import LogWriter
from proctor.records.place import find_clone
from proctor.setup.sweep import Sweep, sweep
from tests.records import make_record

SOON = 60.0


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder with one record, outside git."""
    folder = tmp_path / "state" / "app-1"
    folder.mkdir(parents=True)
    writer = LogWriter(str(folder / "spans.jsonl"), pytest.fail)
    writer.append(make_record())
    writer.close()
    return folder


def swept(state: Path, *, dry_run: bool = False) -> Sweep:
    clone = find_clone(str(state.parent.parent))
    return sweep(clone, str(state), time.time() + SOON, dry_run=dry_run)


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    return path


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert swept(tmp_path / "a" / "b") == Sweep()


def test_what_nothing_refers_to_goes_by_kind(state: Path) -> None:
    gone = [
        put(state / "reports" / f"{'a' * 64}.json"),
        put(state / "reports" / "new-1-2"),
        put(state / "index-1" / "index"),
        put(state / "index-2" / "scratch-1"),
        put(state / "plugin-0" / "proctor_report-1-py3-none-any.whl"),
        put(state.parent / "cache" / "settings-1.json"),
        put(Path(f"{state}/spans.jsonl.pending/r.jsonl")),
    ]
    stays = [put(state / "reports" / "other.txt"), put(state.parent / "cache" / "other")]
    found = swept(state, dry_run=True)
    assert all(path.exists() for path in gone)
    assert [one.kind for one in found.swept] == [
        "reports",
        "indexes of working trees",
        "plugins of other versions",
        "markers",
        "cached settings",
        "scraps",
    ]
    assert swept(state) == found
    assert not any(path.exists() for path in gone)
    assert all(path.exists() for path in stays)
    assert swept(state) == Sweep()


def test_a_line_that_cannot_be_read_keeps_everything(state: Path) -> None:
    report = put(state / "reports" / f"{'a' * 64}.json")
    with open(state / "spans.jsonl", "a") as file:
        file.write("noise\n")
    assert "see: proctor verify" in str(swept(state).refusal)
    assert report.exists()


def test_a_list_of_logs_that_cannot_be_read_keeps_everything(state: Path) -> None:
    (state / "logs").write_text("noise\n")
    assert swept(state).refusal is not None


def test_a_noted_log_that_is_gone_refers_to_nothing(state: Path) -> None:
    (state / "logs").write_text(json.dumps("/none/spans.jsonl") + "\n")
    assert swept(state) == Sweep()


def test_objects_of_a_repository_that_is_gone_stay(state: Path) -> None:
    blob = put(state / "objects" / "ab" / ("c" * 38))
    put(state / "objects" / "ab" / "tmp_obj_x")
    put(state / "objects" / "info" / "x")
    assert "the repository is gone" in str(swept(state).refusal)
    assert blob.exists()


def test_what_goes_meanwhile_is_no_matter(state: Path) -> None:
    from proctor.setup.sweep import _remove

    _remove(str(state / "none"))
