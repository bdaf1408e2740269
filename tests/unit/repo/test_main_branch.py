"""Where a branch began, if nobody says."""

from proctor.repo.main_branch import default_base

from .conftest import Repo


def test_the_main_branch_is_found_by_its_usual_names(repo: Repo) -> None:
    left = repo.git("rev-parse", "HEAD")
    repo.git("branch", "-M", "master")
    repo.git("checkout", "-q", "-b", "work")
    repo.commit(work="w\n")
    found = default_base(str(repo.root))
    assert (found.name, found.merge_base) == ("master", left)


def test_without_such_a_branch_it_is_head(repo: Repo) -> None:
    repo.git("branch", "-M", "trunk")
    found = default_base(str(repo.root))
    assert (found.name, found.merge_base) == ("HEAD", repo.git("rev-parse", "HEAD"))
