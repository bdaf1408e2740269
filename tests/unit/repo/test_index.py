"""The file git caches a working tree in, written by the real git."""

import os
import shutil
from pathlib import Path

import pytest

from proctor.errors import RepositoryError
from proctor.records.place import find_clone
from proctor.repo.blind import BlindSpots, note_conversions
from proctor.repo.git import Place
from proctor.repo.index import Index, blob_id, empty_index, pack_stat
from proctor.repo.store import Store, Update

from .conftest import Repo


@pytest.fixture
def index(repo: Repo) -> Index:
    repo.git("-c", "index.version=2", "update-index", "--index-version", "2", "--refresh")
    return Index((repo.root / ".git/index").read_bytes(), 20)


def test_entries_are_those_of_git(repo: Repo, index: Index) -> None:
    assert index.ids() == {
        b"a.py": repo.git("rev-parse", "HEAD:a.py"),
        b"test_a.py": repo.git("rev-parse", "HEAD:test_a.py"),
    }


def test_a_stat_is_packed_as_git_does(repo: Repo, index: Index) -> None:
    assert index.entries[b"a.py"][0] == pack_stat(os.lstat(repo.root / "a.py"))


def test_long_names_are_read(repo: Repo) -> None:
    deep = "/".join(["d" * 200] * 21) + "/f.py"
    blob = repo.git("hash-object", "-w", "a.py")
    repo.git(
        "update-index", "--add", "--index-version", "2", "--cacheinfo", f"100644,{blob},{deep}"
    )
    entries = Index((repo.root / ".git/index").read_bytes(), 20).entries
    assert deep.encode() in entries
    assert len(entries) == 3


def test_git_reads_what_was_amended(repo: Repo, index: Index) -> None:
    index.distrust([b"a.py", b"absent"])
    index.remember(b"test_a.py", pack_stat(os.lstat(repo.root / "test_a.py")))
    index.remember(b"absent", bytes(40))
    (repo.root / ".git/index").write_bytes(index.sealed())
    assert repo.git("fsck") == ""
    assert repo.git("status", "--porcelain") == ""
    assert index.sealed()[-20:].hex() == index.checksum()


def test_an_empty_index_is_one_that_git_reads(repo: Repo) -> None:
    (repo.root / ".git/index").write_bytes(empty_index(20).sealed())
    assert repo.git("ls-files") == ""


@pytest.mark.parametrize(
    "data", [b"", b"DIRC", b"NOPE\0\0\0\2\0\0\0\0" + bytes(20), b"DIRC\0\0\0\4\0\0\0\0"]
)
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(RepositoryError, match="damaged"):
        Index(data, 20)


def test_a_blob_is_identified_without_git(repo: Repo) -> None:
    path = os.fsencode(repo.root / "a.py")
    size = os.path.getsize(path)
    assert blob_id(path, size, 20) == repo.git("hash-object", "a.py")
    assert len(blob_id(path, size, 32)) == 64
    with pytest.raises(OSError, match="busy"):
        blob_id(path, size + 1, 20)


def test_a_store_that_is_gone_only_costs_time(repo: Repo, tmp_path: Path) -> None:
    store = Store(find_clone(str(repo.root)), str(tmp_path / "s"), {})
    index = empty_index(20)
    store.keep(index, "t")
    assert store.noted("tree") == f"{index.checksum()} t"
    shutil.rmtree(store.folder)
    store.keep(index, "t")
    store.note("root", "x")
    with pytest.raises(RepositoryError, match="No such file"):
        store.write(index, Update())
    assert (store.noted("tree"), store.load()) == ("", None)


def test_a_file_that_is_gone_meanwhile_counts_as_converted(repo: Repo, index: Index) -> None:
    file = repo.write("a.py", "a = 1\r\n")
    present = {b"a.py": os.lstat(file), b"test_a.py": os.lstat(repo.root / "test_a.py")}
    place = Place(git_dir=str(repo.root / ".git"), work_tree=str(repo.root))
    for expected in ([], ["attributes:a.py"]):
        spots = BlindSpots()
        note_conversions(spots, place, index, present)
        assert spots.texts() == expected
        file.unlink(missing_ok=True)
