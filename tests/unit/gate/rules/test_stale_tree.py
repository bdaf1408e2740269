from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Level, Outcome
from proctor.gate.beside import OtherJob
from proctor.gate.evidence import Difference

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_an_edit_after_the_run_is_an_error_that_names_the_file(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(tree="t0"))
    assert verdict.outcome is Outcome.FAIL
    found = bench.only(verdict, "stale-tree")
    assert found.paths == ("src/a.py",)
    assert found.message == "src/a.py is not what `pytest -q` ran on"
    assert found.cure == "proctor run -- pytest -q"


def test_many_files_are_counted(bench: Bench) -> None:
    tree = bench.tree(*(bench.edited(f"src/{n}.py") for n in "abcde"))
    found = bench.only(bench.verdict(bench.seen(tree="t0"), tree=tree), "stale-tree")
    assert "src/a.py, src/b.py, src/c.py and 2 more are not" in found.message


def test_a_deleted_file_is_stale(bench: Bench) -> None:
    tree = bench.tree(Difference(path="tests/test_b.py", before="b0", after=None))
    assert "stale-tree" in bench.rules(bench.verdict(bench.seen(tree="t0"), tree=tree))


def test_a_commit_of_exactly_that_content_stays_fresh(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(), tree=bench.tree(head="h2"))
    assert verdict.outcome is Outcome.PASS


def test_what_the_run_wrote_itself_is_not_stale(bench: Bench) -> None:
    made = bench.added("build/lib/a.py")
    tree = bench.tree(made, during={("t0", "t2"): (made,)})
    verdict = bench.verdict(bench.seen(git=bench.git("t0", tree_after="t2")), tree=tree)
    assert verdict.findings == ()


def test_output_that_a_later_run_wrote_is_not_stale(bench: Bench) -> None:
    output = Difference(path=".coverage", before="c0", after="c9")
    tree = bench.tree(
        output,
        untracked=frozenset((".coverage",)),
        during={("x", "y"): (Difference(path=".coverage", before="c1", after="c9"),)},
    )
    assert bench.verdict(bench.seen(tree="t0"), tree=tree).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("path", "is_untracked", "in_run", "outcome"),
    [
        ("test.log", True, True, Outcome.PASS),
        ("test.log", True, False, Outcome.FAIL),
        ("test.log", False, True, Outcome.FAIL),
        ("conftest.py", True, True, Outcome.FAIL),
    ],
)
def test_an_output_file_may_be_thrown_away_after_the_run(
    bench: Bench, path: str, outcome: Outcome, *, is_untracked: bool, in_run: bool
) -> None:
    git = bench.git(tree="t0", tree_after="t1", untracked=((path, "b0"),) if is_untracked else ())
    written = Difference(path=path, before="b0", after="b1")
    tree = bench.tree(
        Difference(path=path, before="b0", after=None),
        during={("t0", "t1"): (written,)} if in_run else {("t0", "t1"): ()},
    )
    verdict = bench.verdict(bench.seen(git=git), tree=tree)
    assert verdict.outcome is outcome
    assert verdict.findings == () or outcome is Outcome.FAIL


def test_code_that_another_run_wrote_is_stale(bench: Bench) -> None:
    made = bench.added("conftest.py")
    tree = bench.tree(made, untracked=frozenset(("conftest.py",)), during={("x", "y"): (made,)})
    assert bench.verdict(bench.seen(tree="t0"), tree=tree).outcome is Outcome.FAIL


def test_a_new_scratch_note_is_a_note(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(tree="t0"), tree=bench.tree(bench.added("notes.txt")))
    assert verdict.outcome is Outcome.PASS
    assert bench.only(verdict, "stale-tree").level is Level.NOTE


def test_a_new_conftest_is_an_error(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(tree="t0"), tree=bench.tree(bench.added("conftest.py")))
    assert verdict.outcome is Outcome.FAIL


def test_a_conftest_that_the_commit_left_out_is_an_error(bench: Bench) -> None:
    git = bench.git(untracked=(("conftest.py", "b"), ("notes.txt", "b")))
    tree = bench.tree(head="h2", untracked=frozenset(("conftest.py", "notes.txt")))
    found = bench.only(bench.verdict(bench.seen(git=git), tree=tree), "stale-tree")
    assert found.level is Level.ERROR
    assert found.paths == ("conftest.py",)


def test_an_untracked_file_is_fine_before_the_commit(bench: Bench) -> None:
    git = bench.git(untracked=(("tests/test_new.py", "b"),))
    tree = bench.tree(untracked=frozenset(("tests/test_new.py",)))
    assert bench.verdict(bench.seen(git=git), tree=tree).findings == ()


def test_an_ignored_path_may_change(bench: Bench) -> None:
    from proctor.gate.evidence import Policy

    tree = bench.tree(bench.edited("README.md"))
    policy = Policy(ignore_paths=("*.md",))
    assert bench.verdict(bench.seen(tree="t0"), tree=tree, policy=policy).findings == ()


def test_a_tree_that_nobody_can_compare_is_unproven(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(tree="gone"))
    assert verdict.outcome is Outcome.UNPROVEN
    assert "nothing shows any more" in bench.only(verdict, "stale-tree").message


@pytest.mark.parametrize(
    ("path", "reported", "elsewhere", "outcome"),
    [
        ("setup.log", None, True, Outcome.PASS),
        ("junit.xml", "junit.xml", True, Outcome.PASS),
        ("junit.xml", None, True, Outcome.FAIL),
        ("conftest.py", "conftest.py", True, Outcome.FAIL),
        ("setup.log", None, False, Outcome.FAIL),
    ],
)
def test_what_only_the_other_jobs_machine_had_is_stale_where_it_can_change_tests(
    bench: Bench, path: str, reported: str | None, elsewhere: bool, outcome: Outcome
) -> None:
    source = f"/work/app/{reported}" if reported else None
    seen = bench.seen(
        git=bench.git("t0", untracked=((path, "b0"),)), report=bench.report(source=source)
    )
    tree = bench.tree(Difference(path=path, before="b0", after=None))
    other = OtherJob(path="b.zip", root="/there", recorded_here=False) if elsewhere else None
    verdict = bench.verdict(seen, tree=tree, other_job=other)
    assert verdict.outcome is outcome
