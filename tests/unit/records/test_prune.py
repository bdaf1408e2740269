"""Closing the older part of a log, and following the chain through it."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proctor.errors import LogError
from proctor.records.append import ZERO, LogWriter
from proctor.records.log import LogRead, read_log
from proctor.records.parts import DIGESTS, closed_parts, damage, holds
from proctor.records.prune import close_older, delete_closed, leftovers, remove_leftovers

Record = Callable[..., dict[str, Any]]
WriteLog = Callable[..., str]
CUTOFF = "2026-01-15T00:00:00.000000Z"


def day(number: int, **more: Any) -> dict[str, Any]:
    return {
        "started_at": f"2026-01-{number:02}T10:00:00.000000Z",
        "run_id": f"r{number}",
        "span_id": f"{number:016x}",
        **more,
    }


@pytest.fixture
def month(record: Record, write_log: WriteLog) -> str:
    """A log of thirty runs, one a day."""
    return write_log([record(**day(number)) for number in range(1, 31)])


def read(path: str) -> tuple[LogRead, list[str]]:
    log = read_log(path)
    return log, [span.run_id for span in log]


def digests(path: str) -> list[str]:
    return [span.digest for span in read_log(path)]


def test_the_chain_goes_on_through_a_closed_part(month: str, record: Record) -> None:
    before = read(month)[0]
    cut = close_older(month, CUTOFF)
    assert cut is not None
    assert cut.records == 14
    log, runs = read(month)
    assert runs == [f"r{n}" for n in range(15, 31)]
    assert (log.problem_count, log.length, log.chain_length) == (0, 16, 30)
    assert log.head == before.head
    assert read(cut.closed)[1] == [f"r{n}" for n in range(1, 15)]
    writer = LogWriter(month, pytest.fail)
    writer.append(record(**day(31)))
    writer.close()
    assert read(month)[0].problem_count == 0


def test_both_files_are_the_owners_alone(month: str) -> None:
    cut = close_older(month, CUTOFF)
    assert cut is not None
    assert {stat.S_IMODE(os.stat(path).st_mode) for path in (month, cut.closed)} == {0o600}


def test_a_log_that_is_all_old_keeps_its_place_in_the_chain(month: str, record: Record) -> None:
    head = digests(month)[-1]
    close_older(month, "2027")
    log, runs = read(month)
    assert (runs, log.head, log.chain_length, log.problem_count) == ([], head, 30, 0)
    writer = LogWriter(month, pytest.fail)
    writer.append(record(**day(31)))
    writer.close()
    log, runs = read(month)
    assert (runs, log.chain_length, log.problem_count) == (["r31"], 31, 0)


def test_nothing_old_is_nothing_to_close(month: str) -> None:
    content = Path(month).read_bytes()
    assert close_older(month, "2025") is None
    assert Path(month).read_bytes() == content


def test_a_dry_run_changes_nothing(month: str) -> None:
    names = sorted(os.listdir(os.path.dirname(month)))
    cut = close_older(month, CUTOFF, dry_run=True)
    assert cut is not None
    assert (cut.records, cut.until) == (14, "2026-01-14T10:00:00.000000Z")
    assert sorted(os.listdir(os.path.dirname(month))) == names


def test_no_run_is_cut_in_two(record: Record, write_log: WriteLog) -> None:
    # Run 3 lasts beyond the cutoff, and run 2 ends after run 3 began.
    numbers = [(1, "a"), (2, "b"), (3, "c"), (4, "b"), (16, "c"), (17, "d")]
    path = write_log([record(**day(number, run_id=run)) for number, run in numbers])
    assert close_older(path, CUTOFF) is not None
    assert read(path)[1] == ["b", "c", "b", "c", "d"]


def test_a_run_that_is_being_recorded_stays(month: str) -> None:
    from proctor.records.pending import Marker

    marker = Marker(month, "r3", {"run_id": "r3"})
    cut = close_older(month, CUTOFF)
    marker.remove()
    assert cut is not None
    assert cut.records == 2


def test_a_log_can_be_pruned_again_and_again(month: str) -> None:
    every = digests(month)
    for cutoff in ("2026-01-05", "2026-01-10", "2026-01-20"):
        assert close_older(month, cutoff) is not None
    assert [part.records for part in closed_parts(month)] == [10, 5, 4]
    assert all(damage(part, thorough=True) is None for part in closed_parts(month))
    assert all(holds(month, digest, n) is True for n, digest in enumerate(every, 1))
    assert all(holds(month, digest, n + 1) is False for n, digest in enumerate(every, 1))
    assert (holds(month, ZERO, 0), holds(month, ZERO, -1)) == (True, False)


def test_what_was_deleted_is_still_known_to_be_of_the_chain(month: str) -> None:
    every = digests(month)
    for cutoff in ("2026-01-05", "2026-01-10", "2026-01-20"):
        close_older(month, cutoff)
    gone = delete_closed(month, "2026-01-10")
    assert [part.records for part in gone] == [5, 4]
    assert not any(os.path.exists(part.path) for part in gone)
    assert [part.state for part in closed_parts(month)] == ["here", "deleted", "deleted"]
    assert [part.records for part in closed_parts(month)] == [10, 5, 4]
    assert all(damage(part, thorough=True) is None for part in closed_parts(month))
    assert all(holds(month, digest, n) is True for n, digest in enumerate(every, 1))
    assert holds(month, every[0], 2) is False
    assert delete_closed(month, "2026-01-10") == []


def test_what_is_gone_cannot_be_told(month: str) -> None:
    every = digests(month)
    cut = close_older(month, CUTOFF)
    assert cut is not None
    os.unlink(cut.closed)
    (part,) = closed_parts(month)
    assert (part.state, part.records, damage(part, thorough=True)) == ("gone", None, None)
    assert holds(month, every[3], 4) is None
    assert holds(month, every[13], 14) is True
    assert holds(month, every[20], 21) is True


def edit(path: str, old: bytes, new: bytes) -> None:
    data = Path(path).read_bytes()
    assert old in data
    Path(path).write_bytes(data.replace(old, new, 1))


def test_an_edited_header_breaks_the_chain(month: str) -> None:
    every = digests(month)
    close_older(month, CUTOFF)
    edit(month, b'"length":14', b'"length":13')
    log = read(month)[0]
    assert [(p.line, p.slug) for p in log.problems] == [(1, "digest")]
    assert holds(month, every[3], 4) is None


def sealed_anew(path: str, **members: Any) -> None:
    """Put other members into a log's header, with a digest that fits them."""
    from proctor._digest import decode
    from proctor.records.append import seal

    first, rest = Path(path).read_bytes().split(b"\n", 1)
    header = decode(first)
    assert isinstance(header, dict)
    del header["digest"]
    Path(path).write_bytes(seal(header | members)[0] + rest)


def test_a_header_sealed_anew_does_not_fit_what_follows(month: str) -> None:
    close_older(month, CUTOFF)
    other = digests(month)[3]
    sealed_anew(month, head=other, prev=other)
    assert [(p.line, p.slug) for p in read(month)[0].problems] == [(2, "chain")]


def test_a_header_sealed_anew_does_not_fit_its_closed_part(month: str) -> None:
    close_older(month, CUTOFF)
    sealed_anew(month, length=3)
    (part,) = closed_parts(month)
    assert "is not the part that was closed" in str(damage(part, thorough=True))


def test_a_header_whose_link_is_not_its_head_is_no_beginning(month: str) -> None:
    close_older(month, CUTOFF)
    edit(month, b'"prev":"', b'"prev":"0')
    assert read(month)[0].problem_count


def test_a_header_elsewhere_is_no_record(month: str) -> None:
    close_older(month, CUTOFF)
    header, rest = Path(month).read_bytes().split(b"\n", 1)
    Path(month).write_bytes(header + b"\n" + rest + header + b"\n")
    slugs = {(p.line, p.slug) for p in read(month)[0].problems}
    assert slugs == {(18, "chain"), (18, "not-a-span")}


@pytest.mark.parametrize("name", ["../spans.jsonl", "", "a/b"])
def test_a_header_names_only_a_file_beside_the_log(month: str, name: str) -> None:
    cut = close_older(month, CUTOFF)
    assert cut is not None
    edit(month, os.path.basename(cut.closed).encode(), name.encode())
    assert read(month)[0].problem_count
    assert list(closed_parts(month)) == []


def test_an_altered_closed_part_is_found(month: str) -> None:
    every = digests(month)
    cut = close_older(month, CUTOFF)
    assert cut is not None
    edit(cut.closed, b'"exit_code":0', b'"exit_code":1')
    (part,) = closed_parts(month)
    assert "was altered" in str(damage(part, thorough=False))
    assert holds(month, every[3], 4) is None
    with pytest.raises(LogError, match="it stays"):
        delete_closed(month, CUTOFF)
    assert os.path.exists(cut.closed)


def test_a_shortened_closed_part_is_found(month: str) -> None:
    cut = close_older(month, CUTOFF)
    assert cut is not None
    lines = Path(cut.closed).read_bytes().splitlines(keepends=True)
    Path(cut.closed).write_bytes(b"".join(lines[:-1]))
    (part,) = closed_parts(month)
    assert "its last record is another" in str(damage(part, thorough=False))


def test_an_altered_list_of_digests_is_found(month: str) -> None:
    every = digests(month)
    cut = close_older(month, CUTOFF)
    assert cut is not None
    delete_closed(month, CUTOFF)
    edit(cut.closed + DIGESTS, every[3].encode(), every[4].encode())
    (part,) = closed_parts(month)
    assert "is not the list that was kept" in str(damage(part, thorough=False))
    assert holds(month, every[4], 4) is None


def test_a_closed_part_that_cannot_be_read_is_said(month: str) -> None:
    cut = close_older(month, CUTOFF)
    assert cut is not None
    (part,) = closed_parts(month)
    os.unlink(cut.closed)
    assert "cannot be read" in str(damage(part, thorough=False))


def test_a_broken_chain_is_not_closed_away(month: str) -> None:
    edit(month, b'"exit_code":0', b'"exit_code":1')
    with pytest.raises(LogError, match=r"line 1 was altered.*proctor verify"):
        close_older(month, CUTOFF)


def test_a_chain_broken_after_the_cut_stays_to_be_seen(month: str) -> None:
    edit(month, b'"run_id":"r20"', b'"run_id":"rXX"')
    every = digests(month)
    assert close_older(month, CUTOFF) is not None
    assert [p.slug for p in read(month)[0].problems] == ["digest"]
    assert holds(month, every[16], 17) is True
    assert holds(month, every[25], 26) is None


def test_a_log_without_digests_cannot_be_pruned(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text('{"span_id":"1"}\n')
    with pytest.raises(LogError, match="carry no digests"):
        close_older(str(path), CUTOFF)


def test_a_torn_end_stays_for_the_next_writer(month: str, record: Record) -> None:
    with open(month, "a") as file:
        file.write('{"span_id":"to')
    close_older(month, CUTOFF)
    warned: list[str] = []
    writer = LogWriter(month, warned.append)
    writer.append(record(**day(31)))
    writer.close()
    assert len(warned) == 1
    assert (read(month)[0].problem_count, read(month)[0].length) == (0, 17)


def test_a_writer_that_has_the_old_file_open_goes_on_in_the_new_one(
    month: str, record: Record
) -> None:
    writer = LogWriter(month, pytest.fail)
    number = writer.fileno()
    close_older(month, CUTOFF)
    writer.append(record(**day(31)))
    assert writer.fileno() == number
    writer.close()
    log, runs = read(month)
    assert (runs[-1], log.problem_count, log.chain_length) == ("r31", 0, 31)


def test_a_writer_whose_log_was_removed_begins_anew(month: str, record: Record) -> None:
    writer = LogWriter(month, pytest.fail)
    os.unlink(month)
    writer.append(record(**day(31)))
    writer.close()
    assert read(month)[1] == ["r31"]


def test_a_reader_that_has_the_old_file_open_reads_it_to_its_end(month: str) -> None:
    log = read_log(month)
    close_older(month, CUTOFF)
    assert len(list(log)) == 30
    assert log.problem_count == 0


def test_a_prune_that_comes_second_does_nothing(
    month: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from proctor.records import prune

    real = prune._latest

    def slow(fd: int, end: int) -> str:
        monkeypatch.undo()
        close_older(month, "2026-01-05")
        return real(fd, end)

    monkeypatch.setattr(prune, "_latest", slow)
    with pytest.raises(LogError, match="another prune was quicker"):
        close_older(month, CUTOFF)
    assert read(month)[0].chain_length == 30
    assert leftovers(month) == []


def test_what_a_stopped_prune_left_is_a_copy_and_goes(month: str) -> None:
    data = Path(month).read_bytes()
    copy = f"{month}.closed-000000007-abcdef01"
    Path(copy).write_bytes(b"".join(data.splitlines(keepends=True)[:7]))
    scratch = f"{month}.closing-1-2"
    Path(scratch).write_bytes(data)
    other = f"{month}.closed-000000001-00000000"
    Path(other).write_bytes(data.replace(b"pytest", b"pytesx"))
    Path(f"{month}.closed-x").mkdir()
    assert leftovers(month) == [copy, scratch]
    assert remove_leftovers(month) == [copy, scratch]
    assert not os.path.exists(copy)
    assert os.path.exists(other)


def test_what_stands_in_the_way_is_said_in_one_line(month: str) -> None:
    cut = close_older(month, CUTOFF, dry_run=True)
    assert cut is not None
    content = Path(month).read_bytes()
    os.mkdir(cut.closed)
    with pytest.raises(LogError, match="cannot be pruned: Is a directory"):
        close_older(month, CUTOFF)
    assert Path(month).read_bytes() == content
    assert leftovers(month) == []
