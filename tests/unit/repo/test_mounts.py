"""Processes that see other files under the same paths, in real mount namespaces."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proctor.repo.mounts import other_mounts
from proctor.repo.snapshot import snapshot

from .conftest import Repo

UNSHARE = shutil.which("unshare")


def can_mount() -> bool:
    if UNSHARE is None:
        return False
    words = [UNSHARE, "-m", "sh", "-c", "mount --bind /tmp /mnt"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


needs_mounts = pytest.mark.skipif(not can_mount(), reason="no mounts may be made here")


class Elsewhere:
    """A process in a mount namespace of its own."""

    def __init__(self, folder: Path, command: str) -> None:
        assert UNSHARE is not None
        self.process = subprocess.Popen(
            [UNSHARE, "-m", "sh", "-c", f"{command}; echo ready; read line"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"


@pytest.fixture
def elsewhere(repo: Repo) -> Iterator[Callable[[str], int]]:
    started: list[Elsewhere] = []

    def start(command: str) -> int:
        started.append(Elsewhere(repo.root, command))
        return started[-1].process.pid

    yield start
    for item in started:
        item.process.communicate(b"\n")


def spots(repo: Repo, pid: int) -> object:
    facts = snapshot(str(repo.root), state_folder=str(repo.state), environ_pid=pid)
    assert facts is not None
    return facts["blind_spots"]


def test_a_process_that_sees_the_same_files_is_no_blind_spot(repo: Repo) -> None:
    assert spots(repo, os.getpid()) == []


def test_a_process_that_is_gone_tells_nothing() -> None:
    assert other_mounts(2**22 + 1, "/", "/") == []


@needs_mounts
def test_a_namespace_with_the_same_files_is_no_blind_spot(
    repo: Repo, elsewhere: Callable[[str], int]
) -> None:
    assert spots(repo, elsewhere("true")) == []


@needs_mounts
def test_another_folder_under_the_same_path_is_named(
    repo: Repo, elsewhere: Callable[[str], int]
) -> None:
    other = repo.root.parent / "other"
    other.mkdir()
    pid = elsewhere(f"mount --bind {other} {repo.root}; cd {repo.root}")
    assert spots(repo, pid) == ["other-mount"]


@needs_mounts
def test_another_folder_within_the_tree_is_named(
    repo: Repo, elsewhere: Callable[[str], int]
) -> None:
    repo.commit(**{"s rc__m": "m\n"})
    other = repo.root.parent / "other"
    other.mkdir()
    pid = elsewhere(f"mount --bind {other} '{repo.root}/s rc'")
    assert spots(repo, pid) == ["other-mount:s rc"]


@needs_mounts
def test_a_folder_that_only_the_process_has_is_named(
    repo: Repo, elsewhere: Callable[[str], int]
) -> None:
    assert other_mounts(elsewhere("true"), str(repo.root / "absent"), str(repo.root)) == [""]


@needs_mounts
def test_a_mount_table_that_cannot_be_read_tells_nothing(
    repo: Repo, elsewhere: Callable[[str], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = elsewhere("true")
    real = open

    def refuse(path: object, *rest: object, **options: object) -> object:
        if str(path).endswith("/mountinfo"):
            raise PermissionError
        return real(path, *rest, **options)  # type: ignore[call-overload]

    monkeypatch.setattr("builtins.open", refuse)
    assert other_mounts(pid, str(repo.root), str(repo.root)) == []
