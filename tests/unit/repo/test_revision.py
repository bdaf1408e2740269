"""Which commit a base revision is, on real repositories."""

import os
import subprocess
from pathlib import Path

import pytest

from proctor.errors import RepositoryError
from proctor.repo.revision import Revision, resolve_base

from .conftest import ENV, Repo


def base(repo: Repo, name: str) -> Revision:
    return resolve_base(str(repo.root), name)


def branched(repo: Repo) -> str:
    """Return where the branch `work`, checked out and one commit ahead, left `main`."""
    left = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "-b", "work")
    repo.commit(work="w\n")
    return left


@pytest.fixture
def clone(repo: Repo, tmp_path: Path) -> Repo:
    """A clone of `repo`, on a branch of its own."""
    root = tmp_path / "clone"
    repo.git("clone", "-q", str(repo.root), str(root))
    made = Repo(root, tmp_path / "clone-state")
    made.git("checkout", "-q", "-b", "work")
    made.commit(work="w\n")
    return made


def test_a_full_id_is_beyond_doubt(repo: Repo) -> None:
    left = branched(repo)
    found = base(repo, left)
    assert (found.commit, found.how, found.doubt) == (left, "id", "")
    assert (found.merge_base, found.tree) == (left, repo.git("rev-parse", f"{left}^{{tree}}"))
    assert base(repo, left[:12]).how == "id"


def test_the_patch_begins_where_the_histories_part(repo: Repo) -> None:
    left = branched(repo)
    repo.git("checkout", "-q", "main")
    repo.commit(main="m\n")
    repo.git("checkout", "-q", "work")
    found = base(repo, "main")
    assert found.commit == repo.git("rev-parse", "main")
    assert found.merge_base == left
    assert found.merge_tree == repo.git("rev-parse", f"{left}^{{tree}}")
    when = repo.git("show", "-s", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%S", left)
    assert found.merged_at == f"{when}.000000Z"


@pytest.mark.parametrize(
    ("name", "how"),
    [("main", "branch main"), ("v1", "tag v1"), ("HEAD~1", "expression HEAD~1"),
     ("refs/other/x", "name refs/other/x"), ("HEAD", "expression HEAD")],
)  # fmt: skip
def test_a_name_that_can_be_moved_in_the_clone_is_doubted(repo: Repo, name: str, how: str) -> None:
    left = branched(repo)
    repo.git("tag", "-a", "v1", "-m", "t", left)
    repo.git("update-ref", "refs/other/x", left)
    found = base(repo, name)
    assert found.how == how
    assert "can be moved" in found.doubt


def test_a_remote_branch_is_believed_as_cloned_and_as_fetched(repo: Repo, clone: Repo) -> None:
    assert base(clone, "origin/main")[3:5] == ("remote branch origin/main", "")
    assert base(clone, "origin")[3:5] == ("remote branch origin/HEAD", "")
    repo.commit(main="m\n")
    clone.git("fetch", "-q")
    found = base(clone, "origin/main")
    assert (found.commit, found.doubt) == (repo.git("rev-parse", "main"), "")
    assert base(clone, "main").doubt == "a branch can be moved by anything that works in this clone"
    clone.git("fetch", "-q", "origin", "main:main")
    assert base(clone, "main")[3:5] == ("branch main, as fetched", "")


def test_a_remote_branch_that_was_moved_by_hand_is_doubted(clone: Repo) -> None:
    clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert base(clone, "origin/main").doubt == "it was moved after the last fetch"
    log = clone.root / ".git/logs/refs/remotes/origin/main"
    log.unlink()
    assert base(clone, "origin/main").doubt == "no fetch has written it"
    (clone.root / ".git/FETCH_HEAD").write_text(f"{clone.git('rev-parse', 'HEAD')}\t\tbranch\n")
    assert base(clone, "origin/main").doubt == ""


def test_a_remote_branch_without_its_remote_is_doubted(repo: Repo) -> None:
    branched(repo)
    repo.git("update-ref", "refs/remotes/up/main", "main")
    assert base(repo, "up/main").doubt.startswith("there is no remote 'up'")


def test_a_name_with_two_meanings_is_refused(clone: Repo) -> None:
    clone.git("branch", "origin/main", "HEAD")
    with pytest.raises(RepositoryError, match="could be refs/heads/origin/main or refs/remotes/"):
        base(clone, "origin/main")
    assert base(clone, "refs/remotes/origin/main").how == "remote branch origin/main"
    clone.git("tag", "main", clone.git("rev-parse", "HEAD:a.py"))  # names no commit
    assert base(clone, "main").how == "branch main, as fetched"
    clone.git("tag", "twice", "HEAD")
    clone.git("branch", "twice", "HEAD")
    assert base(clone, "twice").how == "tag twice"


@pytest.mark.parametrize("name", ["refs/pull/7/merge", "pull/7/merge", "origin/pull/7/merge"])
def test_a_merge_ref_is_no_base(clone: Repo, name: str) -> None:
    with pytest.raises(RepositoryError, match=r"holds the patch itself; .*--base origin/main"):
        base(clone, name)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("origin/next", "git fetch origin +refs/heads/next:refs/remotes/origin/next"),
        ("next", "git fetch origin +refs/heads/next:refs/remotes/origin/next"),
        ("1" * 40, f"git fetch origin {'1' * 40}"),
        ("beef12", "git fetch origin"),
        ("-q", "git fetch origin +refs/heads/-q:refs/remotes/origin/-q"),
        ("", "git fetch origin"),
        ("a b", "git fetch origin '+refs/heads/a b:refs/remotes/origin/a b'"),
    ],
)
def test_a_missing_commit_is_said_with_the_command_that_fetches_it(
    clone: Repo, name: str, command: str
) -> None:
    with pytest.raises(RepositoryError) as caught:
        base(clone, name)
    assert str(caught.value).endswith(f"fetch it: {command}")


def test_without_a_remote_the_cure_adds_one(repo: Repo) -> None:
    with pytest.raises(RepositoryError, match="git remote add origin URL && git fetch origin"):
        base(repo, "origin/main")
    with pytest.raises(RepositoryError, match="--base origin/main"):
        base(repo, "pull/1/merge")
    (repo.root / ".git" / "shallow").write_text(repo.git("rev-parse", "HEAD"))
    with pytest.raises(RepositoryError, match="URL && git fetch --unshallow origin"):
        base(repo, "origin/main")


def test_a_shallow_clone_is_told_how_to_become_whole(repo: Repo, tmp_path: Path) -> None:
    branched(repo)
    repo.git("checkout", "-q", "main")
    repo.commit(main="m\n")
    root = tmp_path / "shallow"
    words = ["git", "clone", "-q", "--depth=1", "--no-single-branch", "-b", "work"]
    subprocess.run(
        [*words, f"file://{repo.root}", str(root)], check=True, env={**os.environ, **ENV}
    )
    with pytest.raises(RepositoryError) as caught:
        resolve_base(str(root), "origin/main")
    command = str(caught.value).partition("fetch them: ")[2]
    assert command == "git fetch --unshallow origin +refs/heads/main:refs/remotes/origin/main"
    subprocess.run(command.split(), cwd=root, check=True, env={**os.environ, **ENV})
    assert resolve_base(str(root), "origin/main").merge_base == repo.git(
        "merge-base", "main", "work"
    )


def test_histories_that_never_met_have_no_merge_base(repo: Repo) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit(other="o\n")
    with pytest.raises(RepositoryError, match="shares no history with HEAD"):
        base(repo, "main")


def test_without_a_commit_of_its_own_there_is_nothing_to_compare(repo: Repo) -> None:
    left = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "--orphan", "other")
    with pytest.raises(RepositoryError, match="no commit has been made here"):
        base(repo, left)


def test_outside_git_a_base_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="--base needs one"):
        resolve_base(str(tmp_path), "main")


def test_a_replaced_commit_changes_nothing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    left = branched(repo)
    before = base(repo, left)
    repo.git("replace", left, "HEAD")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert base(repo, left) == before


def test_a_commit_with_other_bytes_under_its_id_is_refused(repo: Repo) -> None:
    left = branched(repo)
    head = repo.git("rev-parse", "HEAD")
    objects = repo.root / ".git/objects"
    target = objects / left[:2] / left[2:]
    target.chmod(0o644)
    target.write_bytes((objects / head[:2] / head[2:]).read_bytes())
    with pytest.raises(RepositoryError, match=r"other bytes than its id says|git "):
        base(repo, left)


def test_the_default_branch_of_a_remote_that_was_set_by_hand_is_doubted(clone: Repo) -> None:
    clone.git("update-ref", "--no-deref", "refs/remotes/origin/HEAD", "HEAD")
    assert base(clone, "origin").doubt == "it was moved after the last fetch"


def test_a_date_beyond_all_calendars_is_cut(repo: Repo) -> None:
    tree = repo.head_tree()
    lines = f"tree {tree}\nauthor a <a@x> 1 +0000\ncommitter a <a@x> 99999999999999 +0000\n\nm\n"
    commit = repo.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=lines)
    repo.git("checkout", "-q", "--detach", commit)
    assert base(repo, commit).merged_at == "9999-12-31T23:59:59.000000Z"


def test_a_commit_without_a_tree_is_refused(repo: Repo) -> None:
    text = "author a <a@x> 1 +0000\n\nm\n"
    commit = repo.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=text)
    with pytest.raises(RepositoryError):
        base(repo, commit)


def test_a_repository_without_commits_is_told_from_a_name_that_is_missing(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True, env=ENV)
    with pytest.raises(RepositoryError, match="--base HEAD: nothing is committed here yet; commit"):
        resolve_base(str(tmp_path), "HEAD")
