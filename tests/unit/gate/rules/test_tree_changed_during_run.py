from typing import TYPE_CHECKING, Any

from proctor.gate.evidence import Difference

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def _verdict(bench: Bench, *changes: Difference, **git: Any) -> Any:
    tree = bench.tree(since={"t1": ()}, during={("t1", "t2"): changes})
    return bench.verdict(bench.seen(git=bench.git(tree_after="t2", **git)), tree=tree)


def test_a_file_edited_during_the_run_is_an_error(bench: Bench) -> None:
    verdict = _verdict(bench, bench.edited("src/a.py"))
    assert bench.only(verdict, "tree-changed-during-run").paths == ("src/a.py",)


def test_a_file_edited_and_put_back_is_an_error(bench: Bench) -> None:
    verdict = _verdict(bench, touched=("src/a.py",))
    assert bench.rules(verdict) == ["tree-changed-during-run"]


def test_a_file_that_the_run_adds_is_fine(bench: Bench) -> None:
    assert _verdict(bench, bench.added("out.log")).findings == ()


def test_an_untracked_output_that_the_run_writes_anew_is_fine(bench: Bench) -> None:
    verdict = _verdict(bench, bench.edited(".coverage"), untracked=((".coverage", "b"),))
    assert verdict.findings == ()


def test_a_leaf_whose_end_was_not_seen_shows_no_change(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(git=bench.git(tree_after=None)))
    assert bench.rules(verdict) == ["missing-junit"]
