"""Files are whole or as they were."""

import os
import stat
from pathlib import Path

import pytest

from proctor._digest import sha256_hex
from proctor._whole import WholeFile, file_sha256, write_whole


def test_a_file_is_written_whole_with_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_whole(str(path), b"one", mode=0o600, durable=True)
    write_whole(str(path), b"two", mode=0o600)
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["a"]


def test_what_fails_half_way_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), WholeFile(str(path)) as file:
        file.writelines([b"half", None])  # type: ignore[list-item]
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_place_that_cannot_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(str(tmp_path / "a"), b"x")
    assert os.listdir(tmp_path) == ["a"]
    with pytest.raises(FileNotFoundError):
        write_whole(str(tmp_path / "none" / "a"), b"x")


def test_the_digest_of_a_file_is_that_of_its_bytes(tmp_path: Path) -> None:
    data = b"x" * 600_000
    (tmp_path / "a").write_bytes(data)
    assert file_sha256(str(tmp_path / "a")) == sha256_hex(data)


def test_a_pipe_is_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    for name in ("pipe", "link"):
        with pytest.raises(OSError, match="a device or a pipe"):
            write_whole(str(tmp_path / name), b"x")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert sorted(os.listdir(tmp_path)) == ["link", "pipe"]


def test_the_name_of_an_open_stream_is_never_replaced(tmp_path: Path) -> None:
    with (tmp_path / "a").open("w") as file:
        name = f"/proc/self/fd/{file.fileno()}"
        with pytest.raises(OSError, match="a device or a pipe"):
            write_whole(name, b"x")


def test_a_link_to_a_file_is_replaced_and_the_file_is_left(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"theirs")
    (tmp_path / "link").symlink_to("other")
    write_whole(str(tmp_path / "link"), b"ours")
    assert (tmp_path / "other").read_bytes() == b"theirs"
    assert (tmp_path / "link").read_bytes() == b"ours"


def test_what_may_have_no_end_has_no_digest(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), "/dev/zero"):
        with pytest.raises(OSError, match="a device or a pipe"):
            file_sha256(path)
