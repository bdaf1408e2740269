"""Running git."""

import os
import signal
from pathlib import Path

import pytest

from proctor.errors import RepositoryError
from proctor.repo import git
from proctor.repo.git import Place, run_git

from .conftest import Repo


@pytest.fixture
def place(repo: Repo) -> Place:
    return Place(git_dir=str(repo.root / ".git"), work_tree=str(repo.root))


def test_an_answer_is_returned_as_bytes(place: Place) -> None:
    assert run_git(place, ["ls-files", "-z"]) == b"a.py\0test_a.py\0"


def test_a_failure_is_one_line_that_says_why(place: Place) -> None:
    with pytest.raises(RepositoryError, match=r"^git cat-file: fatal: Not a valid object name x$"):
        run_git(place, ["cat-file", "-p", "x"])


def test_a_failure_without_words_names_the_exit_code(place: Place) -> None:
    with pytest.raises(RepositoryError, match="exit code 1"):
        run_git(place, [b"config", "--get", "no.such"])


def test_a_folder_that_is_gone_is_an_error(place: Place) -> None:
    place.work_tree += "/gone"
    with pytest.raises(RepositoryError, match="No such file"):
        run_git(place, ["version"])


def test_an_answer_that_never_comes_is_an_error(place: Place) -> None:
    with pytest.raises(RepositoryError, match="no answer in 0 s"):
        run_git(place, ["cat-file", "--batch"], timeout_s=0)


def test_a_nul_in_an_argument_is_an_error(place: Place) -> None:
    with pytest.raises(RepositoryError, match="null byte"):
        run_git(place, ["cat-file", "a\0b"])


def test_a_git_first_on_the_path_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "git"
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    git.find_git.cache_clear()
    assert git.find_git() != str(fake)
    monkeypatch.setattr(git, "_SYSTEM_PATH", ())
    git.find_git.cache_clear()
    try:
        assert git.find_git() == str(fake)
        fake.chmod(0o644)
        monkeypatch.setenv("PATH", f".:{tmp_path}")
        git.find_git.cache_clear()
        with pytest.raises(RepositoryError, match="git is not installed"):
            run_git(Place(git_dir="/", work_tree="/"), ["version"])
    finally:
        git.find_git.cache_clear()


def test_exit_codes_are_seen_where_the_parent_ignores_children(place: Place) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with pytest.raises(RepositoryError):
            run_git(place, ["cat-file", "-p", "x"])
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_settings_reach_git_whatever_they_hold(place: Place) -> None:
    place.settings = (("filter.a=b.clean", "x=\ny"),)
    assert run_git(place, ["config", "filter.a=b.clean"]) == b"x=\ny\n"


def test_an_object_store_may_have_any_name(repo: Repo, place: Place) -> None:
    for name in ('odd:na"me\\', '"q'):
        store = repo.root.parent / name / "objects"
        store.mkdir(parents=True)
        writer = Place(git_dir=place.git_dir, work_tree=place.work_tree, objects=str(store))
        blob = (
            run_git(writer, ["hash-object", "-w", "--stdin"], stdin=name.encode()).decode().strip()
        )
        reader = Place(git_dir=place.git_dir, work_tree=place.work_tree, alternates=[str(store)])
        assert run_git(reader, ["cat-file", "blob", blob]) == name.encode()


def test_no_records_are_split_from_nothing() -> None:
    assert list(git.split_nul(b"")) == []
    assert list(git.split_nul(b"a\0\0b\0")) == [b"a", b"", b"b"]


def test_the_users_home_is_only_named_where_there_is_one(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOME")
    assert run_git(place, ["ls-files", "-z", "a.py"]) == b"a.py\0"
    place.alternates = (str(Path(place.git_dir) / "objects"),)
    place.sealed = True
    assert run_git(place, ["config", "core.bare"]) == b"false\n"
