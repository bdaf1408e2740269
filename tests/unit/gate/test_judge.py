"""The algorithm as a whole: honest work passes, absence and cheats do not."""

import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.findings import Level, Outcome
from proctor.gate.evidence import Base, Known, LogFacts, Pending, Policy

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


def test_a_green_run_of_everything_passes(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("pytest -q"))
    assert verdict.outcome is Outcome.PASS
    assert verdict.findings == ()
    assert verdict.executed == 3
    assert verdict.sentence == "`pytest -q` passed on these files"
    assert verdict.tree == "t1"


def test_no_evidence_is_never_a_pass(bench: Bench) -> None:
    verdict = bench.verdict()
    assert verdict.outcome is Outcome.UNPROVEN
    assert bench.rules(verdict) == ["no-records"]


def test_no_evidence_is_no_pass_even_where_its_rule_is_lowered(bench: Bench) -> None:
    policy = Policy(levels={"no-records": Level.NOTE})
    verdict = bench.verdict(policy=policy)
    assert verdict.outcome is Outcome.UNPROVEN
    assert verdict.sentence == "nothing shows that the tests passed"


def test_a_lowered_rule_turns_no_red_run_into_a_pass(bench: Bench) -> None:
    policy = Policy(levels={"nonzero-exit": Level.WARNING})
    assert bench.verdict(bench.seen(exit_code=1), policy=policy).outcome is Outcome.UNPROVEN


def test_a_raised_rule_fails(bench: Bench) -> None:
    policy = Policy(levels={"odd-environment": Level.ERROR})
    verdict = bench.verdict(bench.seen(odd_env=("LD_PRELOAD",)), policy=policy)
    assert verdict.outcome is Outcome.FAIL


def test_a_lowered_rule_weighs_less(bench: Bench) -> None:
    policy = Policy(levels={"retried-to-green": Level.NOTE})
    red = bench.seen(exit_code=1, report=bench.report(failed=1))
    verdict = bench.verdict(red, bench.seen(), policy=policy)
    assert verdict.outcome is Outcome.PASS


def test_a_log_without_a_test_attempt_owes_nothing(bench: Bench) -> None:
    base = Base(name="m", commit="c1", tree="t", how="id", merge_base="c0", merge_tree="t")
    verdict = bench.verdict(bench.seen("ls"), base=base)
    assert verdict.outcome is Outcome.PASS
    assert verdict.sentence.startswith("nothing owed")


def test_without_a_base_a_harmless_record_is_no_reason_to_owe_nothing(bench: Bench) -> None:
    assert bench.verdict(bench.seen("ls")).outcome is Outcome.UNPROVEN


def test_nothing_is_taken_as_owed_nothing_from_a_damaged_log(bench: Bench) -> None:
    from proctor.gate.evidence import Problem

    log = LogFacts(path="l", records=1, problems=(Problem(line=1, why="torn", broken=False),))
    assert bench.verdict(bench.seen("ls"), logs=(log,)).outcome is Outcome.UNPROVEN


def test_without_git_nothing_is_proven(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(git=None), tree=None)
    assert verdict.outcome is Outcome.UNPROVEN
    assert bench.rules(verdict) == ["stale-tree"]
    assert bench.verdict(bench.seen("ls"), tree=None).outcome is Outcome.UNPROVEN


def test_a_masked_green_run_passes_under_the_tree_witness(bench: Bench) -> None:
    shell = bench.seen(["bash", "-c", "pytest -q | tail -5"])
    assert bench.verdict(shell, bench.below(shell, "pytest -q")).outcome is Outcome.PASS


def test_a_suite_that_runs_failing_suites_passes(bench: Bench) -> None:
    outer = bench.seen("pytest")
    inner = bench.below(outer, "pytest inner", exit_code=1, git=None, report=None)
    assert bench.verdict(outer, inner).outcome is Outcome.PASS


def test_test_driven_work_passes(bench: Bench) -> None:
    red = bench.seen("pytest tests/test_a.py", exit_code=1, tree="t0")
    assert bench.verdict(red, bench.seen("pytest")).outcome is Outcome.PASS


def test_red_early_and_green_on_the_final_tree_passes(bench: Bench) -> None:
    red = bench.seen("pytest", exit_code=1, tree="t0")
    assert bench.verdict(red, bench.seen("pytest")).outcome is Outcome.PASS


def test_a_driver_covers_what_its_leaf_covers(bench: Bench) -> None:
    red = bench.seen("pytest tests/test_a.py", exit_code=1, tree="t0")
    make = bench.seen("make test")
    assert bench.verdict(red, make, bench.below(make, "pytest -q")).outcome is Outcome.PASS


def test_version_and_collection_beside_a_real_run_say_nothing(bench: Bench) -> None:
    seen = [
        bench.seen("pytest"),
        bench.seen("pytest --version"),
        bench.seen("pytest --collect-only"),
    ]
    assert bench.verdict(*seen).findings == ()


def test_another_worktree_of_the_clone_says_nothing_here(bench: Bench) -> None:
    elsewhere = bench.git("t0", root="/work/other")
    red = bench.seen("pytest", exit_code=1, git=elsewhere, cwd="/work/other")
    assert bench.verdict(bench.seen("pytest"), red).outcome is Outcome.PASS


def test_a_run_in_another_worktree_on_the_same_content_counts(bench: Bench) -> None:
    elsewhere = bench.git("t1", root="/work/other")
    run = bench.seen("pytest", git=elsewhere, cwd="/work/other")
    assert bench.verdict(run).outcome is Outcome.PASS


def test_observe_passes_and_says_what_it_would_have_blocked(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(exit_code=1), policy=Policy(observe=True))
    assert verdict.outcome is Outcome.PASS
    assert verdict.would_block
    assert verdict.sentence.startswith("would have blocked: ")


def test_a_requirement_is_decided_by_its_newest_covering_run(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest tests"),))
    verdict = bench.verdict(bench.seen("pytest"), policy=policy)
    assert verdict.outcome is Outcome.PASS
    assert [suite.name for suite in verdict.suites] == ["checkout"]


def test_shards_cover_a_requirement_together(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest"),))
    shards = [bench.seen("pytest tests/test_a.py"), bench.seen("pytest tests/test_b.py")]
    verdict = bench.verdict(*shards, policy=policy)
    assert verdict.outcome is Outcome.PASS
    assert verdict.executed == 6
    assert bench.verdict(*shards[:1], policy=policy).outcome is Outcome.FAIL


def test_shards_cover_named_folders_together(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest tests/test_a.py tests/test_b.py"),))
    shards = [bench.seen("pytest tests/test_a.py"), bench.seen("pytest tests/test_b.py")]
    assert bench.verdict(*shards, policy=policy).outcome is Outcome.PASS


_WEB = Known(files=("web/tests/test_a.py", "web/tests/test_b.py", "tests/test_c.py"))


@pytest.mark.parametrize(
    ("commands", "outcome"),
    [
        ([("web", "pytest tests")], Outcome.PASS),
        ([("web/tests", "pytest test_a.py"), ("", "pytest web/tests/test_b.py")], Outcome.PASS),
        ([("web", "pytest tests/test_a.py")], Outcome.FAIL),
        ([("other", "pytest tests")], Outcome.FAIL),
        ([("", "pytest tests")], Outcome.FAIL),
        ([("", "pytest web/tests")], Outcome.PASS),
    ],
)
def test_a_requirement_in_a_folder_without_a_project_file_is_covered_by_all_its_files(
    bench: Bench, commands: list[tuple[str, str]], outcome: Outcome
) -> None:
    owed = bench.required("pytest", folder="web")
    selection = bench.replace(owed.selection, where="web", project="web")
    policy = Policy(require=(bench.replace(owed, selection=selection),))
    ran = [bench.seen(argv, cwd=f"/work/app/{cwd}".rstrip("/")) for cwd, argv in commands]
    assert bench.verdict(*ran, policy=policy, known={"pytest": _WEB}).outcome is outcome


def test_the_leaves_of_a_driver_are_whole_together(bench: Bench) -> None:
    make = bench.seen("make test")
    parts = [bench.below(make, f"pytest tests/test_{name}.py") for name in "ab"]
    assert bench.verdict(make, *parts).outcome is Outcome.PASS
    assert bench.verdict(make, parts[0]).outcome is Outcome.UNPROVEN


def test_a_requirement_never_run_is_unproven(bench: Bench) -> None:
    verdict = bench.verdict(policy=Policy(require=(bench.required(),)))
    assert verdict.outcome is Outcome.UNPROVEN
    assert bench.rules(verdict) == ["no-records"]
    assert verdict.suites[0].outcome is Outcome.UNPROVEN


def test_requirements_that_the_patch_does_not_touch_are_not_owed(bench: Bench) -> None:
    policy = Policy(require=(bench.required(paths=("web/",)),))
    verdict = bench.verdict(policy=policy, diff=("api/a.py",))
    assert verdict.outcome is Outcome.PASS
    assert "no requirement's paths are touched" in verdict.sentence


def test_a_requirement_looks_only_at_its_own_paths(bench: Bench) -> None:
    policy = Policy(require=(bench.required(paths=("src/",)),))
    tree = bench.tree(bench.edited("web/app.js"))
    verdict = bench.verdict(bench.seen(tree="t0"), policy=policy, tree=tree)
    assert verdict.outcome is Outcome.PASS


def test_a_driver_that_failed_before_any_test_decides_where_it_is_newest(bench: Bench) -> None:
    first = bench.seen("make test")
    green = bench.below(first, "pytest -q")
    verdict = bench.verdict(first, green, bench.seen("make test", exit_code=2))
    assert bench.rules(verdict) == ["nonzero-exit"]


def test_two_suites_are_named_by_their_number(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen("pytest"), bench.seen("jest"))
    assert verdict.outcome is Outcome.PASS
    assert verdict.sentence == "2 suites passed on these files"
    assert verdict.executed == 6


def test_every_takes_a_log_of_good_records(bench: Bench) -> None:
    verdict = bench.verdict(records=5, policy=Policy(every=True))
    assert verdict.outcome is Outcome.PASS
    assert verdict.sentence.startswith("5 records")


def test_every_takes_no_empty_log(bench: Bench) -> None:
    assert bench.verdict(policy=Policy(every=True)).outcome is Outcome.UNPROVEN


@pytest.mark.parametrize(
    ("members", "rule"),
    [
        ({"exit_code": 1}, "nonzero-exit"),
        ({"exit_code": None}, "missing-exit"),
        ({"exit_code": 137, "signal": "SIGKILL"}, "killed"),
        ({"exit_code": 143, "timed_out": True}, "timed-out"),
        ({"denied_binary": True}, "denied-binary"),
        ({"duration_floor_ms": 5000}, "below-floor"),
    ],
)
def test_every_fails_on_each_bad_record(bench: Bench, members: Any, rule: str) -> None:
    verdict = bench.verdict(bench.seen("ls", **members), policy=Policy(every=True))
    assert verdict.outcome is Outcome.FAIL
    assert rule in bench.rules(verdict)


@given(st.data())
def test_an_unrelated_green_run_never_turns_a_failure_into_a_pass(
    bench: Bench, data: st.DataObject
) -> None:
    seen = [_any_run(bench, data) for _ in range(data.draw(st.integers(1, 4)))]
    before = bench.verdict(*seen)
    after = bench.verdict(*seen, bench.seen("jest"))
    if before.outcome is not Outcome.PASS:
        assert after.outcome is not Outcome.PASS


@given(st.data(), st.randoms())
def test_the_order_of_the_log_does_not_matter(
    bench: Bench, data: st.DataObject, dice: random.Random
) -> None:
    seen = [_any_run(bench, data) for _ in range(data.draw(st.integers(0, 5)))]
    shuffled = list(seen)
    dice.shuffle(shuffled)
    assert bench.verdict(*seen) == bench.verdict(*shuffled)


@given(st.data())
def test_a_pass_always_rests_on_a_green_run_of_the_current_files(
    bench: Bench, data: st.DataObject
) -> None:
    seen = [_any_run(bench, data) for _ in range(data.draw(st.integers(1, 4)))]
    if bench.verdict(*seen).outcome is Outcome.PASS:
        assert any(
            one.span.exit_code == 0 and one.span.git and one.span.git.tree == "t1" for one in seen
        )


def test_no_two_findings_are_the_same(bench: Bench) -> None:
    shell = bench.seen(["bash", "-c", "pytest | tail"])
    verdict = bench.verdict(shell, bench.below(shell, "pytest", exit_code=1))
    assert bench.rules(verdict) == ["masked-exit"]


def test_a_run_in_progress_is_not_held_against_anyone(bench: Bench) -> None:
    pending = Pending(
        run_id="r", argv=("pytest",), cwd="/work/app", started_at="z", boot_id="boot", locked=True
    )
    assert bench.verdict(bench.seen(), pendings=(pending,)).outcome is Outcome.PASS


def _any_run(bench: Bench, data: st.DataObject) -> Any:
    argv = data.draw(st.sampled_from(["pytest", "pytest tests", "pytest tests/test_a.py"]))
    code = data.draw(st.sampled_from([0, 1, None]))
    tree = data.draw(st.sampled_from(["t0", "t1"]))
    return bench.seen(argv, exit_code=code, tree=tree)


def test_a_patch_of_prose_owes_nothing(bench: Bench) -> None:
    for policy in (Policy(), Policy(require=(bench.required(),))):
        verdict = bench.verdict(policy=policy, diff=("README.md", "docs/a.rst"))
        assert verdict.outcome is Outcome.PASS
        assert verdict.sentence == "nothing owed: only prose differs: README.md, docs/a.rst"
    assert "nothing differs from the base" in bench.verdict(diff=()).sentence


def test_prose_that_a_requirement_names_is_owed(bench: Bench) -> None:
    policy = Policy(require=(bench.required(paths=("*.md",)),))
    verdict = bench.verdict(policy=policy, diff=("README.md",))
    assert bench.rules(verdict) == ["no-records"]


def test_beside_prose_neither_old_runs_nor_other_commands_matter(bench: Bench) -> None:
    for run in (bench.seen("pytest --version"), bench.seen(tree="t0"), bench.seen("pytest -k a")):
        assert bench.verdict(run, diff=("README.md",)).outcome is Outcome.PASS


def test_what_fails_on_these_very_files_stays_said_beside_prose(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(exit_code=1), diff=("README.md",))
    assert bench.rules(verdict) == ["nonzero-exit"]
    assert bench.verdict(bench.seen(exit_code=1, tree="t0"), diff=("README.md",)).findings == ()


def test_without_the_requirement_s_paths_other_commands_do_not_matter(bench: Bench) -> None:
    policy = Policy(require=(bench.required(paths=("web/",)),))
    verdict = bench.verdict(bench.seen("pytest --version"), policy=policy, diff=("api/a.py",))
    assert verdict.outcome is Outcome.PASS
