"""Commits and differences, on real repositories."""

import os
from pathlib import Path

import pytest

from proctor.errors import RepositoryError
from proctor.repo import history
from proctor.repo.rebuild import is_here
from proctor.repo.snapshot import snapshot

from .conftest import Repo


def test_a_revision_is_resolved_to_its_commit(repo: Repo) -> None:
    head = repo.git("rev-parse", "HEAD")
    repo.git("tag", "-a", "v1", "-m", "t")
    for revision in ("HEAD", "main", "v1", head[:10]):
        assert history.resolve(str(repo.root), revision) == head


@pytest.mark.parametrize(
    "revision", ["nope", "", "-q", "--all", "HEAD^{tree}", "a\0b", "HEAD..main"]
)
def test_what_is_no_commit_is_not_resolved(repo: Repo, revision: str) -> None:
    assert history.resolve(str(repo.root), revision) is None


def test_a_name_is_never_an_option_to_git(repo: Repo, tmp_path: Path) -> None:
    """A receipt or a record from elsewhere may name its tree as it likes."""
    name = f"--output={tmp_path}/owned"
    root = str(repo.root)
    for call in (
        lambda: history.changed_files(None, root, name, "HEAD"),
        lambda: history.changed_files(None, root, "HEAD", name),
        lambda: history.tree_files(None, root, name),
    ):
        with pytest.raises(RepositoryError, match="names no tree"):
            call()
    assert not is_here(root, None, name)
    assert not (tmp_path / "owned").exists()


def test_outside_a_repository_there_is_an_error_with_a_cure(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="not in a git repository; run this inside one"):
        history.resolve(str(tmp_path), "HEAD")


def test_a_broken_repository_is_an_error_not_a_missing_revision(repo: Repo) -> None:
    (repo.root / ".git/config").write_text("[core\n")
    with pytest.raises(RepositoryError, match="bad config"):
        history.resolve(str(repo.root), "HEAD")


def test_the_merge_base_of_two_lines_is_found(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(side="s\n")
    repo.git("checkout", "-q", "main")
    repo.commit(main="m\n")
    root = str(repo.root)
    assert history.merge_base(root, "main", "side") == base


def test_lines_without_common_history_have_no_merge_base(repo: Repo) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit(other="o\n")
    assert history.merge_base(str(repo.root), "main", "other") is None
    assert history.merge_base(str(repo.root), "main", "nope") is None


def test_a_renamed_file_is_two_differences(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.git("mv", "a.py", "b.py")
    repo.git("config", "diff.renames", "true")
    facts = snapshot(str(repo.root), state_folder=str(repo.state))
    assert facts is not None
    changes = history.changed_files(str(facts["objects"]), str(repo.root), base, str(facts["tree"]))
    blob = repo.git("rev-parse", "HEAD:a.py")
    assert changes == [("a.py", blob, None), ("b.py", None, blob)]


def test_a_change_of_mode_alone_is_a_difference(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    (repo.root / "a.py").chmod(0o755)
    head = repo.commit()
    ((path, old, new),) = history.changed_files(None, str(repo.root), base, head)
    assert (path, old) == ("a.py", new)


def test_names_that_are_not_utf8_are_shown_with_their_bytes(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    with open(os.fsencode(repo.root) + b"/caf\xe9.py", "w") as file:
        file.write("x\n")
    head = repo.commit()
    ((path, _, _),) = history.changed_files(None, str(repo.root), base, head)
    assert path == "caf\\xe9.py"
    assert "caf\\xe9.py" in dict(history.tree_files(None, str(repo.root), head))


def test_receipts_and_evidence_are_no_differences(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.write("evidence/manifest.json", "{}\n")
    repo.write("artifacts/test-receipt.json", "{}\n")
    head = repo.commit()
    assert history.changed_files(None, str(repo.root), base, head) == []


def test_equal_trees_need_no_objects(tmp_path: Path) -> None:
    assert history.changed_files(None, str(tmp_path), "1" * 40, "1" * 40) == []


def test_a_missing_object_is_an_error(repo: Repo) -> None:
    with pytest.raises(RepositoryError):
        history.changed_files(str(repo.state), str(repo.root), "1" * 40, "HEAD")


def test_attributes_do_not_hide_a_difference(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.write(".gitattributes", "*.py -diff linguist-generated binary\n")
    head = repo.commit(a="a = 3\n")
    assert "a.py" in [
        path for path, _, _ in history.changed_files(None, str(repo.root), base, head)
    ]


def test_a_bare_repository_answers_too(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "bare.git"))
    assert history.resolve(str(tmp_path / "bare.git"), "HEAD") == repo.git("rev-parse", "HEAD")


def test_many_pairs_of_trees_are_compared_at_once(repo: Repo) -> None:
    root, none = str(repo.root), "1" * 40
    first = repo.git("rev-parse", "HEAD^{tree}")
    repo.commit(**{"a.py": "2\n"})
    second = repo.git("rev-parse", "HEAD^{tree}")
    repo.commit(b="b\n")
    third = repo.git("rev-parse", "HEAD^{tree}")
    pairs = [(first, second), (third, first), (first, none), (second, third), (none, none)]
    found = history.changes_between(None, root, [*pairs, ("--output=x", first)])
    assert list(found) == [(none, none), *(pair for pair in pairs if none not in pair)]
    for (a, b), changes in found.items():
        assert changes == history.changed_files(None, root, a, b)


def test_a_pair_that_git_gives_up_over_does_not_hide_the_others(repo: Repo) -> None:
    repo.commit(**{"sub/a.py": "1\n"})
    first, folder = repo.git("rev-parse", "HEAD^{tree}"), repo.git("rev-parse", "HEAD:sub")
    repo.commit(b="b\n")
    second, commit = repo.git("rev-parse", "HEAD^{tree}"), repo.git("rev-parse", "HEAD")
    repo.commit(**{"sub/a.py": "2\n"})
    third = repo.git("rev-parse", "HEAD^{tree}")
    lost = repo.root / ".git/objects" / folder[:2] / folder[2:]
    lost.unlink()
    pairs = [(first, second), (second, third), (commit, first), (second, first)]
    found = history.changes_between(None, str(repo.root), pairs)
    assert list(found) == [(first, second), (second, first)]


def test_nothing_to_compare_is_no_question(repo: Repo) -> None:
    assert history.changes_between(None, str(repo.root), []) == {}


def test_the_trees_of_what_a_commit_holds_are_known(repo: Repo) -> None:
    first, tree = repo.git("rev-parse", "HEAD"), repo.head_tree()
    second = repo.commit(b="b\n")
    repo.git("checkout", "-q", "-b", "side", first)
    side = repo.commit(side="s\n")
    root = str(repo.root)
    assert history.reached_trees(root, second, [first, side, "1" * 40]) == {first: tree}
    assert history.reached_trees(root, first, ["1" * 40]) == {}
    assert history.reached_trees(root, first, []) == {}
