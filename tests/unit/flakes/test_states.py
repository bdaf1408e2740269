"""Which state follows from which runs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.config import FlakesTable
from proctor.flakes.history import Ran
from proctor.flakes.states import Standing, standing_of, standings, wilson
from tests.unit.flakes.conftest import Runs, make_runs

RULE = FlakesTable()
LITERAL = FlakesTable(rule="literal")


def stand(found: list[Ran], rule: FlakesTable = RULE, trees: set[str] | None = None) -> Standing:
    return standing_of("a::b", "a::b", found, rule, trees)


@pytest.mark.parametrize(
    ("marks", "state"),
    [
        ("", "unknown"),
        ("..", "unknown"),
        ("...", "stable"),
        ("..........", "stable"),
        ("sss", "unknown"),
        ("F", "suspect"),
        ("...F", "suspect"),
        ("...F......", "suspect"),
        ("F.F.", "flaky"),
        ("..F..F", "flaky"),
        ("R...R...", "flaky"),
        ("FF", "broken"),
        ("FFFFFFFFFF", "broken"),
        ("........FF", "broken"),
        ("........FFFFFFFFFF", "broken"),
        ("F.F.FFFFFFFFFF", "broken"),
        (".F.F.F.FF", "flaky"),
        ("F.F.......", "flaky"),
        ("F.F..........", "stable"),
    ],
)
def test_runs_on_one_tree_have_their_state(runs: Runs, marks: str, state: str) -> None:
    assert stand(runs(marks)).state == state


def test_a_failure_and_a_pass_on_two_trees_are_no_flake(runs: Runs) -> None:
    found = [*runs("F", "t1"), *runs(".", "t2"), *runs("F", "t3"), *runs(".", "t4")]
    assert stand(found).state == "suspect"


@pytest.mark.parametrize("member", ["command", "toolchain"])
def test_nor_under_two_commands_or_toolchains(runs: Runs, member: str) -> None:
    found = [*runs("FF", **{member: "x"}), *runs("....", **{member: "y"})]
    assert stand(found).state == "suspect"


def test_runs_without_a_tree_are_no_evidence(runs: Runs) -> None:
    assert stand(runs("F.F.F.", tree=None)).state == "suspect"


def test_what_a_patch_brings_is_a_regression_whatever_its_rate(runs: Runs) -> None:
    found = [*runs(".....", "base"), *runs("F..F.", "patch")]
    assert stand(found).state == "flaky"
    standing = stand(found, trees={"base"})
    assert standing.state == "suspect"
    assert standing.why.endswith("a regression")


def test_a_flake_that_was_there_before_the_patch_is_one(runs: Runs) -> None:
    found = [*runs("F..F.", "base"), *runs("F.", "patch")]
    standing = stand(found, trees={"base"})
    assert standing.state == "flaky"
    assert all(run.startswith("base") for run in standing.evidence)


def test_a_new_test_has_no_evidence_from_before(runs: Runs) -> None:
    assert stand(runs("F.F.F.", "patch"), trees={"base"}).state == "suspect"


@pytest.mark.parametrize(
    ("marks", "state"),
    [("FFFFFFFFFF", "flaky"), ("........FF", "flaky"), ("...F", "suspect"), ("....", "stable")],
)
def test_the_literal_rule_asks_for_failures_and_nothing_else(
    runs: Runs, marks: str, state: str
) -> None:
    assert stand(runs(marks), LITERAL).state == state


def test_a_run_in_which_most_of_the_suite_fails_says_nothing(runs: Runs) -> None:
    ill = runs("FF", failed=80, tests=100)
    assert stand([*runs("....."), *ill]).state == "stable"
    few = runs("FF", failed=2, tests=2)
    assert stand([*runs("....."), *few]).state == "broken"


def test_a_standing_tells_what_it_rests_on(runs: Runs) -> None:
    standing = stand(runs("..F.R.s..."))
    assert standing.timeline == "..F.R.s..."
    assert (standing.failures, standing.runs) == (2, 9)
    assert standing.flips[0] == ("t-2", "passed → failed")
    assert ("t-4", "passed → passed on a retry") in standing.flips
    assert {"t-2", "t-4", "t-9"} == set(standing.evidence)
    assert standing.fingerprints == ("00000000000000f1",)
    assert standing.last_failure == "2026-03-01T10:00:04Z"


def test_the_interval_holds_the_rate() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(2, 10)
    assert (round(low, 3), round(high, 3)) == (0.057, 0.51)


@settings(deadline=None)
@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_is_one(pair: tuple[int, int]) -> None:
    low, high = wilson(*pair)
    assert 0 <= low <= pair[0] / pair[1] <= high <= 1


@settings(deadline=None)
@given(st.text("F.", min_size=2, max_size=40))
def test_what_never_passed_since_it_failed_is_never_flaky(marks: str) -> None:
    state = stand(make_runs(marks)).state
    if "F" in marks[-10:] and "." not in marks[-10:].partition("F")[2]:
        assert state in ("broken", "suspect")


def test_each_test_of_a_history_gets_its_standing(runs: Runs) -> None:
    tests = [("a", "a", runs("...")), ("b", "b", runs("FFF"))]
    assert [one.state for one in standings(tests, RULE)] == ["stable", "broken"]
