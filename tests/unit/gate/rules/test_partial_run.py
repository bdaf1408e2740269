from typing import TYPE_CHECKING, Any

from proctor.findings import Outcome
from proctor.gate.evidence import Known, Policy

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_part_of_what_is_known_is_unproven_with_the_count(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("pytest -q tests/test_a.py"))
    assert verdict.outcome is Outcome.UNPROVEN
    found = bench.only(verdict, "partial-run")
    assert "3 of 42 known tests" in found.message
    assert found.cure == "proctor run -- pytest -q"


def test_without_counts_files_are_counted(bench: Bench) -> None:
    known = {"pytest": Known(files=("tests/test_a.py", "tests/test_b.py"))}
    verdict = bench.verdict(bench.seen("pytest tests/test_a.py"), known=known)
    assert "tests in 1 of 2 known test files" in bench.only(verdict, "partial-run").message


def test_a_filter_is_a_part_of_unknown_size(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("pytest -kfoo"), known={})
    found = bench.only(verdict, "partial-run")
    assert found.message == "only a part was run: `pytest -kfoo`"
    assert found.cure == "proctor run -- pytest"


def test_several_parts_are_one_finding(bench: Bench) -> None:
    known = {"pytest": Known(files=("tests/test_a.py", "tests/test_b.py", "tests/test_c.py"))}
    parts = bench.seen("pytest tests/test_a.py"), bench.seen("pytest tests/test_b.py")
    found = bench.only(bench.verdict(*parts, known=known), "partial-run")
    assert "`pytest tests/test_b.py` and 1 more" in found.message
    assert "tests in 2 of 3 known test files" in found.message


def test_several_parts_that_together_leave_nothing_out_are_whole(bench: Bench) -> None:
    parts = bench.seen("pytest tests/test_a.py"), bench.seen("pytest tests/test_b.py")
    assert bench.verdict(*parts).outcome is Outcome.PASS
    red = bench.seen("pytest tests/test_b.py", exit_code=1)
    assert bench.verdict(parts[0], red).outcome is Outcome.FAIL
    assert bench.verdict(parts[0], bench.seen("pytest tests/test_b.py", tree="t0")).findings


def test_a_file_counts_where_one_of_its_tests_is_named(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(["pytest", "tests/test_a.py::test_p[1]"], report=None))
    assert "tests in 1 of 2 known test files" in bench.only(verdict, "partial-run").message


def test_no_number_of_files_is_said_where_an_option_leaves_tests_out(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(["pytest", "-k=one"], report=bench.report(50)))
    assert "known test files" not in bench.only(verdict, "partial-run").message


def test_a_folder_that_holds_every_test_file_is_whole(bench: Bench) -> None:
    assert bench.verdict(bench.seen("pytest tests")).outcome is Outcome.PASS


def test_the_folder_of_the_tests_is_whole_from_within(bench: Bench) -> None:
    run = bench.seen("pytest", cwd="/work/app/tests")
    assert bench.verdict(run).outcome is Outcome.PASS


def test_a_project_of_its_own_is_whole(bench: Bench) -> None:
    known = {"pytest": Known(files=("api/tests/test_a.py", "tests/test_b.py"))}
    run = bench.seen("pytest", cwd="/work/app/api")
    verdict = bench.verdict(run, known=known, projects=frozenset(("", "api")))
    assert verdict.outcome is Outcome.PASS


def test_too_few_tests_for_a_requirement_are_unproven(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest", min_tests=10),))
    verdict = bench.verdict(bench.seen("pytest"), policy=policy)
    assert "at least 10 executed tests; 3 were" in bench.only(verdict, "partial-run").message
    assert (
        bench.verdict(bench.seen("pytest", report=bench.report(10)), policy=policy).findings == ()
    )


def test_an_unknown_count_is_too_few_for_a_requirement(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest", min_tests=10),))
    verdict = bench.verdict(bench.seen("pytest", report=None), policy=policy)
    assert "an unknown number of were" in bench.only(verdict, "partial-run").message


def test_files_are_known_by_the_names_that_links_give_them_too(bench: Bench) -> None:
    known = {"pytest": Known(files=("real/checks/test_a.py",))}
    run = bench.seen("pytest tests")
    links = {"tests": "real/checks"}
    assert bench.verdict(run, known=known, links=links).outcome is Outcome.PASS
    assert bench.verdict(run, known=known).outcome is Outcome.UNPROVEN
    part = bench.seen(["pytest", "tests/test_a.py::test_x"], report=None)
    both = {"pytest": Known(files=("real/checks/test_a.py", "real/test_b.py"))}
    found = bench.only(bench.verdict(part, known=both, links=links), "partial-run")
    assert "tests in 1 of 2 known test files" in found.message
