from typing import TYPE_CHECKING, Any

from proctor.findings import Finding, Level, Outcome

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any

OFFERED = ("PROCTOR_REPORT=/tmp/x",)


def dark(bench: Bench, argv: str = "python -I -m pytest", **members: Any) -> Any:
    """A green pytest without a report."""
    found = members.pop("what", None) or bench.what("pytest")
    return bench.seen(argv, what=found, **{"report": None, "injected": OFFERED, **members})


def finding(bench: Bench, *seen: Any) -> Finding:
    return bench.only(bench.verdict(*seen), "missing-junit")


def test_an_uncounted_green_of_pytest_is_a_warning(bench: Bench) -> None:
    verdict = bench.verdict(dark(bench))
    assert verdict.outcome is Outcome.PASS
    found = bench.only(verdict, "missing-junit")
    assert found.level is Level.WARNING
    assert "was not loaded or wrote nothing" in found.message


def test_it_is_unproven_where_the_same_selection_was_counted_before(bench: Bench) -> None:
    found = finding(bench, bench.seen("pytest", tree="t0"), dark(bench))
    assert found.level is Level.UNPROVEN
    assert "3 tests of the same selection were counted before" in found.message


def test_another_selection_that_was_counted_says_nothing_of_this_one(bench: Bench) -> None:
    earlier = bench.seen("pytest tests/test_a.py")
    assert finding(bench, earlier, dark(bench)).level is Level.WARNING


def test_a_later_count_says_nothing_of_an_earlier_run(bench: Bench) -> None:
    run, later = dark(bench), bench.seen("pytest", tree="t0")
    assert finding(bench, run, later).level is Level.WARNING


def test_a_report_that_was_switched_off_is_said_so(bench: Bench) -> None:
    assert "--report off" in finding(bench, dark(bench, injected=())).message


def test_a_driver_that_clears_the_environment_makes_it_a_note(bench: Bench) -> None:
    for command, level in (("tox", Level.NOTE), ("make test", Level.WARNING)):
        driver = bench.seen(command)
        leaf = bench.below(
            driver, "pytest", what=bench.what("pytest"), report=None, injected=OFFERED
        )
        assert finding(bench, bench.seen("pytest", tree="t0"), driver, leaf).level in (
            level,
            Level.UNPROVEN if level is Level.WARNING else level,
        )


def test_a_report_that_argv_names_and_is_not_there_is_missed(bench: Bench) -> None:
    what = bench.what("jest", report=("junit", "out.xml"))
    found = finding(bench, bench.seen("jest", what=what, report=None))
    assert "the junit report out.xml that it names was not written by it" in found.message


def test_other_runners_without_a_report_are_not_accused(bench: Bench) -> None:
    assert bench.rules(bench.verdict(bench.seen("node --test", report=None))) == []


def test_a_leaf_that_could_not_be_examined_is_said(bench: Bench) -> None:
    found = finding(bench, bench.seen("pytest", git=bench.git(tree_after=None)))
    assert "could not be examined when it ended" in found.message


def test_a_red_run_needs_no_count(bench: Bench) -> None:
    assert bench.rules(bench.verdict(dark(bench, exit_code=1))) == ["nonzero-exit"]


def test_the_cure_lets_the_plugin_in(bench: Bench) -> None:
    words = ["python", "-I", "-m", "pytest", "-p", "no:proctor_report", "--disable-plugin-autoload"]
    what = bench.what(["pytest", *words[4:]], selectors=("-p=no:proctor_report",))
    what.argv = tuple(words)
    found = finding(bench, bench.seen(words, what=what, report=None, injected=OFFERED))
    assert found.cure == "let Proctor count: proctor run -- python -m pytest"


def test_a_node_that_was_asked_and_wrote_nothing_is_held_against_its_earlier_count(
    bench: Bench,
) -> None:
    node = bench.what("jest", command_class="node --test")
    earlier = bench.seen("node --test", what=node, tree="t0")
    asked = dark(bench, "node --test", what=node, injected=("NODE_OPTIONS+=--test-reporter=x",))
    found = finding(bench, earlier, asked)
    assert found.level is Level.UNPROVEN
    assert "the reporter that Proctor offered wrote down no test; 3 tests" in found.message
    for seen in ((asked,), (earlier, dark(bench, "node --test", what=node))):
        assert "missing-junit" not in bench.rules(bench.verdict(*seen))
