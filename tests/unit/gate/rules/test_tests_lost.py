from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Finding, Level, Outcome, Verdict
from proctor.gate.evidence import Change, Difference, Known, Reference, Tests

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any

PATH = "tests/test_a.py"
A, B = f"{PATH}::test_a", f"{PATH}::test_b"
OLD = "def test_a():\n    assert f(1)\n\ndef test_b():\n    assert g(2)\n"
GONE = "def test_a():\n    assert f(1)\n"


def ran(*ids: str, **outcomes: str) -> Tests:
    found = dict.fromkeys(ids, "passed")
    return Tests(outcomes=found | {f"{PATH}::{name}": how for name, how in outcomes.items()})


def change(old: str | None = OLD, new: str | None = GONE, **members: Any) -> Change:
    facts = {"path": PATH, "old_path": PATH, "old_blob": "b0", "new_blob": "b1"}
    return Change(**{**facts, "old_text": old, "new_text": new, **members})


def judged(
    bench: Bench, before: Tests, now: Tests | None, *changes: Change, **members: Any
) -> Verdict:
    """A run at base on `t0`, one now on `t1`."""
    argv = members.pop("argv", "pytest")
    count = sum(outcome != "skipped" for outcome in before.outcomes.values())
    place: dict[str, Any] = {"tree": "t0"}
    if members.pop("elsewhere", False):
        place = {"git": bench.git("t0", root="/tmp/base"), "cwd": "/tmp/base"}
    first = bench.seen(argv, report=bench.report(count), **place)
    count = sum(outcome != "skipped" for outcome in now.outcomes.values()) if now else 1
    last = bench.seen(members.pop("argv_now", argv), report=bench.report(count))
    facts: dict[str, Any] = {
        "reference": Reference(
            name="base 0123", given=True, trees=frozenset({"t0"}), changes=changes or (change(),)
        ),
        "tests": {first.span.span_id: before, **({last.span.span_id: now} if now else {})},
    }
    return bench.verdict(first, last, **{**facts, **members})


def the_loss(bench: Bench, verdict: Verdict) -> Finding:
    assert verdict.outcome is Outcome.FAIL
    return bench.only(verdict, "tests-lost")


def test_a_test_of_the_base_that_is_gone_is_an_error(bench: Bench) -> None:
    found = the_loss(bench, judged(bench, ran(A, B), ran(A)))
    assert found.message == f"1 test executed at base 0123 is not executed now: {B}"
    assert found.paths == ()
    assert found.cure == "bring it back, then: proctor run -- pytest"


@pytest.mark.parametrize(
    ("outcome", "word"),
    [("skipped", "skipped"), ("xfailed", "expected to fail"), ("xpassed", "expected to fail")],
)
def test_a_test_whose_result_no_longer_counts_is_lost(
    bench: Bench, outcome: str, word: str
) -> None:
    found = the_loss(bench, judged(bench, ran(A, B), ran(A, test_b=outcome)))
    assert f"{B} ({word})" in found.message


def test_what_was_skipped_or_expected_to_fail_at_base_may_stay_so(bench: Bench) -> None:
    before = ran(A, test_b="xfailed", test_c="skipped")
    now = ran(A, test_b="xpassed", test_c="skipped")
    assert bench.rules(judged(bench, before, now)) == []


def test_a_red_test_that_vanishes_is_said_to_have_been_red(bench: Bench) -> None:
    found = the_loss(bench, judged(bench, ran(A, test_b="failed"), ran(A)))
    assert found.message.endswith(f"{B}, red before")


def test_a_renamed_test_is_not_lost(bench: Bench) -> None:
    new = OLD.replace("test_b", "test_c")
    verdict = judged(bench, ran(A, B), ran(A, f"{PATH}::test_c"), change(new=new))
    assert bench.rules(verdict) == []


def test_a_moved_file_is_mapped(bench: Bench) -> None:
    moved = change(new=OLD, path="tests/unit/test_a.py")
    now = ran("tests/unit/test_a.py::test_a", "tests/unit/test_a.py::test_b")
    assert bench.rules(judged(bench, ran(A, B), now, moved)) == []


def test_parameters_may_have_other_names_but_not_be_fewer(bench: Bench) -> None:
    before = ran(A, f"{B}[1]", f"{B}[2]")
    assert bench.rules(judged(bench, before, ran(A, f"{B}[x]", f"{B}[y]"))) == []
    found = the_loss(bench, judged(bench, before, ran(A, f"{B}[1]"), change(new=OLD)))
    assert f"{B}[2]" in found.message


def test_a_test_that_goes_with_its_code_is_a_note(bench: Bench) -> None:
    source = change(path="src/app.py", old_path="src/app.py", old="def g(x): return x\n", new="")
    verdict = judged(bench, ran(A, B), ran(A), change(), source)
    found = bench.only(verdict, "tests-lost")
    assert verdict.outcome is Outcome.PASS
    assert found.level is Level.NOTE
    assert f"{B} (g was removed)" in found.message


def test_an_earlier_run_counts_while_the_file_was_as_at_base(bench: Bench) -> None:
    for before, expected in (("b0", ["tests-lost"]), ("bx", [])):
        tree = bench.tree(Difference(path=PATH, before=before, after="b1"))
        known = {"pytest": Known(files=(PATH,))}
        verdict = judged(
            bench, ran(A, B), ran(A), tree=tree, known=known,
            reference=Reference(name="HEAD", given=False, changes=(change(),)),
        )  # fmt: skip
        assert bench.rules(verdict) == expected
    assert bench.rules(verdict) == []


def test_an_earlier_run_of_an_untouched_file_counts(bench: Bench) -> None:
    known = {"pytest": Known(files=(PATH,))}
    reference = Reference(name="HEAD", given=False)
    verdict = judged(bench, ran(A, B), ran(A), reference=reference, known=known)
    found = the_loss(bench, verdict)
    assert "before it differed from HEAD" in found.message


def test_a_file_that_the_base_never_had_is_not_missed(bench: Bench) -> None:
    new = change(old=None, old_path=None, old_blob=None)
    reference = Reference(name="HEAD", given=False, changes=(new,))
    tree = bench.tree(Difference(path=PATH, before="bx", after="b1"))
    verdict = judged(bench, ran(A, B), ran(A), reference=reference, tree=tree)
    assert bench.rules(verdict) == []


def test_only_what_the_run_selects_is_held_against_it(bench: Bench) -> None:
    other = "tests/test_z.py::test_z"
    narrow: dict[str, Any] = {"argv_now": f"pytest {PATH}", "elsewhere": True}
    assert bench.rules(judged(bench, ran(A, other), ran(A), **narrow)) == ["partial-run"]
    verdict = judged(bench, ran(A, B), ran(A), **narrow)
    assert bench.rules(verdict) == ["tests-lost", "partial-run"]


def test_a_run_with_other_options_is_not_compared(bench: Bench) -> None:
    verdict = judged(bench, ran(A, B), ran(A), argv="pytest -m=slow", argv_now="pytest")
    assert "tests-lost" not in bench.rules(verdict)


def test_without_a_reference_nothing_is_claimed(bench: Bench) -> None:
    assert bench.rules(judged(bench, ran(A, B), ran(A), reference=None)) == []


def test_a_red_run_is_not_asked_for_its_tests(bench: Bench) -> None:
    red = bench.seen("pytest", exit_code=1)
    reference = Reference(name="base", given=True)
    assert bench.rules(bench.verdict(red, reference=reference)) == ["nonzero-exit"]


def test_a_report_that_is_not_believed_is_said(bench: Bench) -> None:
    run = bench.seen("pytest")
    verdict = bench.verdict(run, unread={run.span.span_id: "r.json: its sha256 differs"})
    found = bench.only(verdict, "tests-lost")
    assert verdict.outcome is Outcome.PASS
    assert found.message.startswith("r.json: its sha256 differs; the count of `pytest` stands")


def test_fewer_tests_than_at_base_without_ids_is_an_error(bench: Bench) -> None:
    found = the_loss(bench, judged(bench, ran(A, B), None))
    assert found.message == "at base 0123 2 tests were executed; now 1 test"


def test_without_ids_and_fewer_tests_nothing_is_shown(bench: Bench) -> None:
    verdict = judged(bench, ran(A), None)
    assert bench.rules(verdict) == []  # the digest of the ids is the same
    first = bench.seen("pytest", tree="t0", report=bench.report(1))
    last = bench.seen("pytest", report=None)
    reference = Reference(name="base 0123", given=True, trees=frozenset({"t0"}))
    verdict = bench.verdict(first, last, reference=reference, tests={})
    assert verdict.outcome is Outcome.UNPROVEN
    assert "nothing shows which tests" in bench.only(verdict, "tests-lost").message


def test_a_run_at_base_elsewhere_is_no_attempt_at_the_patch(bench: Bench) -> None:
    git = bench.git("t0", root="/tmp/base")
    run = bench.seen("pytest", git=git, cwd="/tmp/base", exit_code=1)
    reference = Reference(name="base 0123", given=True, trees=frozenset({"t0"}))
    assert bench.verdict(run, reference=reference).suites == ()
    here = bench.tree(since={"t1": (), "t0": ()})
    (suite,) = bench.verdict(run, reference=reference, tree=here).suites
    assert suite.outcome is Outcome.FAIL


def test_a_test_that_one_of_several_runs_executed_is_not_lost(bench: Bench) -> None:
    parts = [bench.seen(f"pytest tests/test_{name}.py") for name in "ab"]
    first = bench.seen("pytest", tree="t0", git=bench.git("t0", root="/b"), cwd="/b")
    for outcomes in (("skipped", "passed"), ("passed", "skipped")):
        known = {
            part.span.span_id: ran(A, test_b=how) for part, how in zip(parts, outcomes, strict=True)
        }
        verdict = bench.verdict(
            first,
            *parts,
            tests={first.span.span_id: ran(A, B), **known},
            reference=Reference(name="base", given=True, trees=frozenset({"t0"})),
        )
        assert "tests-lost" not in bench.rules(verdict)
