from typing import TYPE_CHECKING, Any

from proctor.findings import Level, Outcome
from proctor.gate.evidence import Known, LineRun

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_zero_executed_tests_are_an_error(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(report=bench.report(0)))
    assert verdict.outcome is Outcome.FAIL
    assert bench.rules(verdict) == ["no-tests-ran"]


def test_tests_that_were_all_skipped_did_not_run(bench: Bench) -> None:
    report = bench.report(4, passed=0, skipped=4)
    assert bench.rules(bench.verdict(bench.seen(report=report))) == ["no-tests-ran"]


def test_one_skipped_among_many_is_fine(bench: Bench) -> None:
    report = bench.report(5000, passed=4999, skipped=1)
    assert bench.verdict(bench.seen(report=report)).outcome is Outcome.PASS


def test_only_expected_failures_are_executed_tests(bench: Bench) -> None:
    report = bench.report(2, passed=0)
    assert bench.verdict(bench.seen(report=report)).outcome is Outcome.PASS


def test_a_package_without_tests_beside_one_with_tests_is_fine(bench: Bench) -> None:
    npm = bench.seen("npm test")
    empty = bench.below(npm, "jest", report=bench.report(0))
    assert bench.verdict(npm, empty, bench.below(npm, "jest")).outcome is Outcome.PASS


def test_a_driver_that_started_nothing_is_an_error(bench: Bench) -> None:
    found = bench.only(bench.verdict(bench.seen("npm test")), "no-tests-ran")
    assert found.level is Level.ERROR
    assert found.message == "`npm test` returned 0 and started no test runner"


def test_a_driver_above_something_unknown_is_unproven(bench: Bench) -> None:
    npm = bench.seen("npm test")
    for verdict in (
        bench.verdict(npm, bench.below(npm, "ava")),
        bench.verdict(bench.seen("npm test", tree={"seen": 4})),
    ):
        found = bench.only(verdict, "no-tests-ran")
        assert found.level is Level.UNPROVEN
        assert "[classes.NAME]" in found.cure


def test_a_driver_that_the_root_became_has_the_roots_processes(bench: Bench) -> None:
    root = bench.seen("env node /usr/bin/npm test", pid=7, ended_by="exec", tree={"seen": 4})
    npm = bench.below(root, "npm test", pid=7)
    found = bench.only(bench.verdict(root, npm), "no-tests-ran")
    assert found.level is Level.UNPROVEN
    other = bench.below(root, "npm test", pid=8)
    assert bench.only(bench.verdict(root, other), "no-tests-ran").level is Level.ERROR


def test_a_cached_go_test_is_unproven_with_the_cure(bench: Bench) -> None:
    found = bench.only(bench.verdict(bench.seen("go test ./...")), "no-tests-ran")
    assert found.level is Level.UNPROVEN
    assert found.cure == "proctor run -- go test -count=1 ./..."


def test_a_driver_seen_by_the_direct_witness_is_unproven(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("npm test", witness="direct"))
    assert bench.only(verdict, "no-tests-ran").level is Level.UNPROVEN


def test_a_line_that_names_a_runner_that_never_ran_is_an_error(bench: Bench) -> None:
    line = (LineRun(what=bench.what("pytest -q"), status="masked", masked_by="tail"),)
    shell = bench.seen(["bash", "-c", "pytest -q | tail -5"], line=line)
    missing = bench.below(shell, [], exit_code=127)
    verdict = bench.verdict(shell, missing)
    assert bench.rules(verdict) == ["no-tests-ran"]
    found = bench.only(verdict, "no-tests-ran")
    assert "names `pytest -q`; no such program ever ran" in found.message
    assert found.cure.endswith("proctor run -- pytest -q")


def test_a_runner_that_a_line_only_may_start_is_not_missed(bench: Bench) -> None:
    line = (LineRun(what=bench.what("pytest"), status="own", conditional=True),)
    shell = bench.seen(["bash", "-c", "cd app && pytest"], exit_code=1, line=line)
    assert "no-tests-ran" not in bench.rules(bench.verdict(shell))


def test_a_runner_that_a_line_names_and_that_ran_is_not_missed(bench: Bench) -> None:
    line = (LineRun(what=bench.what("pytest"), status="own"),)
    shell = bench.seen(["bash", "-c", "pytest"], line=line)
    assert bench.verdict(shell, bench.below(shell, "pytest")).outcome is Outcome.PASS


def test_a_narrowed_run_without_a_count_is_unproven(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("jest -knothing", report=None))
    assert bench.rules(verdict) == ["no-tests-ran"]
    assert verdict.outcome is Outcome.UNPROVEN


def test_a_whole_run_without_a_count_passes(bench: Bench) -> None:
    assert bench.verdict(bench.seen("jest", report=None)).outcome is Outcome.PASS


def test_a_run_where_no_test_file_is_known_is_unproven(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("jest", report=None), known={"jest": Known()})
    assert bench.rules(verdict) == ["no-tests-ran"]


def test_a_selection_that_holds_no_test_file_is_unproven(bench: Bench) -> None:
    known = {"pytest": Known(files=("tests/test_a.py",))}
    for argv, rules in (("pytest empty", ["no-tests-ran"]), ("pytest tests", ["missing-junit"])):
        verdict = bench.verdict(bench.seen(argv, report=None), known=known)
        assert bench.rules(verdict) == rules


def test_workers_show_that_test_files_were_found(bench: Bench) -> None:
    leaf = bench.seen("node --test", report=None)
    worker = bench.below(leaf, "node a.test.js", what=bench.what("node", kind="worker"))
    known = {"node --test": Known()}
    assert bench.verdict(leaf, worker, known=known).outcome is Outcome.PASS
    assert bench.rules(bench.verdict(leaf, known=known)) == ["no-tests-ran"]


def test_a_script_named_like_a_test_is_unproven(bench: Bench) -> None:
    what = bench.what("ls", command_class="python script")
    verdict = bench.verdict(bench.seen("python test_x.py", what=what))
    assert verdict.outcome is Outcome.UNPROVEN
    found = bench.only(verdict, "no-tests-ran")
    assert found.cure.endswith("proctor run -- python -m pytest test_x.py")


def test_a_script_beside_a_run_says_nothing(bench: Bench) -> None:
    what = bench.what("ls", command_class="python script")
    script = bench.seen("python test_x.py", what=what, exit_code=1)
    assert bench.verdict(script, bench.seen()).findings == ()


def test_a_driver_may_count_the_tests_itself(bench: Bench) -> None:
    go = bench.seen("go test ./...", report=bench.report(2))
    assert bench.verdict(go, bench.below(go, "jest", report=None)).suites[0].executed == 2
    none = bench.seen("go test ./...", report=bench.report(0))
    found = bench.only(bench.verdict(none, bench.below(none, "jest", report=None)), "no-tests-ran")
    assert found.level is Level.ERROR


def test_files_that_only_skip_execute_no_test(bench: Bench) -> None:
    known = {"node --test": Known(files=("a.test.js", "b.test.js"))}
    idle = frozenset(("a.test.js",))
    leaf = bench.seen("node --test", report=None)
    worker = bench.below(leaf, "node a.test.js", what=bench.what("node", kind="worker"))
    assert bench.verdict(leaf, worker, known=known, idle=idle).outcome is Outcome.PASS
    verdict = bench.verdict(leaf, worker, known=known, idle=idle | {"b.test.js"})
    assert "are empty or only skip" in bench.only(verdict, "no-tests-ran").message
    part = bench.seen(
        "node a.test.js", what=bench.what("node", selectors=("a.test.js",)), report=None
    )
    assert "no-tests-ran" in bench.rules(bench.verdict(part, known=known, idle=idle))


def test_a_pattern_that_matches_no_known_file_is_narrowing(bench: Bench) -> None:
    what = bench.what("jest nothing", selectors=("nothing",), matching="pattern")
    known = {"jest": Known(files=("a.test.js",))}
    verdict = bench.verdict(bench.seen("jest nothing", what=what, report=None), known=known)
    assert bench.only(verdict, "no-tests-ran").cure == "proctor run -- jest"


def test_variables_are_unset_in_the_cure_of_a_narrowed_run(bench: Bench) -> None:
    what = bench.what("pytest", narrowing=("-k=x",), narrowing_env=("PYTEST_ADDOPTS: -k=#1",))
    what.argv = ("pytest", "-k", "x")
    verdict = bench.verdict(bench.seen(["pytest", "-k", "x"], what=what, report=None))
    cure = bench.only(verdict, "no-tests-ran").cure
    assert cure == "unset PYTEST_ADDOPTS; proctor run -- pytest"
