import fcntl
import os
import time
from pathlib import Path

import pytest

from proctor.errors import LogError
from proctor.records.lines import BLOCK, _unreadable, blocks, open_log, settled_size


def test_blocks_hold_whole_lines_only(tmp_path: Path) -> None:
    path = tmp_path / "log"
    lines = [b"%d" % n * (n % 700) for n in range(2000)]
    path.write_bytes(b"\n".join(lines))
    fd = open_log(str(path))
    size = settled_size(fd)
    found = list(blocks(fd, size))
    os.close(fd)
    assert len(found) > size // BLOCK
    assert b"\n".join(found).split(b"\n") == lines


def test_nothing_is_read_beyond_the_size_at_opening(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\n")
    fd = open_log(str(path))
    size = settled_size(fd)
    with path.open("ab") as file:
        file.write(b"two\n")
    assert list(blocks(fd, size)) == [b"one"]
    os.close(fd)


def test_a_log_that_shrinks_while_it_is_read_ends_there(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\ntwo\n")
    fd = open_log(str(path))
    size = settled_size(fd)
    os.truncate(path, 4)
    assert list(blocks(fd, size)) == [b"one"]
    os.close(fd)


def test_a_lock_that_is_never_released_delays_by_a_second(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\n")
    with path.open("rb") as writer:
        fcntl.flock(writer, fcntl.LOCK_EX)
        begun = time.monotonic()
        fd = open_log(str(path))
        size = settled_size(fd)
    os.close(fd)
    assert size == 4
    assert 0.9 < time.monotonic() - begun < 5


def test_a_read_error_is_one_line() -> None:
    ours, theirs = os.pipe()
    with pytest.raises(LogError, match="cannot be read: Illegal seek"):
        list(blocks(ours, 10))
    os.close(ours)
    os.close(theirs)


def test_where_nothing_can_be_locked_the_size_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\n")
    fd = os.open(path, os.O_PATH)
    assert settled_size(fd) == 4
    os.close(fd)


def test_a_log_of_somebody_else_is_named_with_a_cure() -> None:
    assert _unreadable("a", PermissionError()) == (
        "a: the span log may not be read by this user; run as its owner"
    )
