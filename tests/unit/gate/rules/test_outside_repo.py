from typing import TYPE_CHECKING, Any

from proctor.findings import Outcome

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_run_in_another_clone_is_an_error(bench: Bench) -> None:
    git = bench.git(root="/tmp/copy", repository=("c0ffee", "ffff"))
    verdict = bench.verdict(bench.seen(git=git, cwd="/tmp/copy"))
    assert verdict.outcome is Outcome.FAIL
    assert bench.rules(verdict) == ["outside-repo"]
    assert "ran in /tmp/copy, not in /work/app" in bench.only(verdict, "outside-repo").message


def test_a_run_in_a_plain_folder_is_an_error(bench: Bench) -> None:
    assert bench.rules(bench.verdict(bench.seen(git=None, cwd="/tmp/copy"))) == ["outside-repo"]


def test_a_run_elsewhere_beside_one_here_is_fine(bench: Bench) -> None:
    elsewhere = bench.seen(git=None, cwd="/tmp/scratch", exit_code=1)
    assert bench.verdict(bench.seen(), elsewhere).outcome is Outcome.PASS


def test_a_repository_without_a_commit_yet_is_the_same_later(bench: Bench) -> None:
    git = bench.git(repository=(None, "0123456789abcdef"), head=None)
    assert bench.verdict(bench.seen(git=git)).outcome is Outcome.PASS
