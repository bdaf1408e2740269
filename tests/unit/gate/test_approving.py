"""Finding sets: their digests, and what an approval does to them."""

from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Finding, Level, Outcome
from proctor.gate.approving import set_digest, settle
from proctor.gate.evidence import Approval, Base, Change, Evidence, PolicyChange

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any

RULES = frozenset(("policy-touched", "partial-run"))
BASE = Base(name="m", commit="c1", tree="t", how="id", merge_base="c0", merge_tree="t")
POLICY = Change(path="proctor.toml", old_path="proctor.toml", old_blob="b0", new_blob="b1")
CODE = Change(path="src/a.py", old_path="src/a.py", old_blob="a0", new_blob="a1")


def _finding(**members: Any) -> Finding:
    facts = {
        "rule": "policy-touched",
        "level": Level.ERROR,
        "message": "m",
        "paths": ("proctor.toml",),
    }
    return Finding(**{**facts, **members})


def _evidence(*changes: Change, **members: Any) -> Evidence:
    facts = {
        "logs": (),
        "base": BASE,
        "changes": changes or (CODE, POLICY),
        "now": "2026-03-01T12:00:00+00:00",
    }
    return Evidence(**{**facts, **members})


def _digest(finding: Finding, evidence: Evidence | None = None) -> str:
    found = set_digest([finding], evidence or _evidence())
    assert found is not None
    return found


def _approval(digest: str, **members: Any) -> Approval:
    facts = {"digest": digest, "reason": "why", "owner": "ann", "expires": "2026-03-01"}
    return Approval(**{**facts, **members})


@pytest.mark.parametrize(
    "members", [{"span_id": "2"}, {"message": "other"}, {"cure": "c"}, {"argv": ("x",)}]
)
def test_a_digest_ignores_spans_and_words(members: Any) -> None:
    assert _digest(_finding(**members)) == _digest(_finding())


@pytest.mark.parametrize(
    "members",
    [{"rule": "partial-run"}, {"requirement": "unit"}, {"paths": ("src/a.py",)}, {"paths": ()}],
)
def test_a_digest_holds_rule_requirement_and_paths(members: Any) -> None:
    assert _digest(_finding(**members)) != _digest(_finding())


@pytest.mark.parametrize("side", ["old_blob", "new_blob", "old_path"])
def test_a_digest_holds_the_content_of_both_sides(bench: Bench, side: str) -> None:
    other = _evidence(CODE, bench.replace(POLICY, **{side: "x"}))
    assert _digest(_finding(), other) != _digest(_finding())


def test_a_digest_survives_a_rebase_and_a_change_elsewhere(bench: Bench) -> None:
    later = bench.replace(BASE, commit="c9", merge_base="c8", merge_tree="t8")
    other = _evidence(bench.replace(CODE, new_blob="a9"), POLICY, base=later)
    assert _digest(_finding(), other) == _digest(_finding())


def test_a_finding_about_no_file_is_bound_to_the_whole_patch_but_its_approval(
    bench: Bench,
) -> None:
    finding = _finding(rule="partial-run", paths=())
    own = Change(path="approvals.toml", new_blob="n")
    assert _digest(finding, _evidence(CODE, POLICY, own)) == _digest(finding)
    assert _digest(finding, _evidence(bench.replace(CODE, new_blob="a9"), POLICY)) != _digest(
        finding
    )


def test_a_set_does_not_depend_on_the_order_nor_on_repeats() -> None:
    one, two = _finding(), _finding(paths=("src/a.py",))
    evidence = _evidence()
    assert set_digest([one, two], evidence) == set_digest([two, one, two], evidence)


def test_what_is_about_unknown_content_has_no_digest(bench: Bench) -> None:
    assert set_digest([_finding(paths=("hidden.toml",))], _evidence()) is None
    assert set_digest([], _evidence()) is None
    nothing = bench.replace(_evidence(), changes=())
    assert set_digest([_finding(paths=())], nothing) is None
    (kept,) = settle([_finding(paths=("hidden.toml",))], _evidence(), RULES)
    assert kept.digest is None


def test_without_a_base_nothing_can_be_approved() -> None:
    assert settle([_finding()], _evidence(base=None), RULES) == (_finding(),)


def test_only_approvable_rules_get_a_digest_and_notes_do_not() -> None:
    red = _finding(rule="nonzero-exit")
    note = _finding(level=Level.NOTE)
    assert settle([red, note], _evidence(), RULES) == (red, note)
    (found,) = settle([_finding()], _evidence(), RULES)
    assert found.digest == _digest(_finding())


def test_a_counting_approval_makes_a_note_of_its_set() -> None:
    approval = _approval(_digest(_finding()))
    (found,) = settle([_finding()], _evidence(approvals=(approval,)), RULES)
    assert found.level is Level.NOTE
    assert found.message == "m; approved by ann until 2026-03-01: why"


def test_an_approval_of_a_part_does_not_approve_the_whole() -> None:
    approval = _approval(_digest(_finding()))
    more = _finding(paths=("src/a.py",))
    found = settle([_finding(), more], _evidence(approvals=(approval,)), RULES)
    assert [one.level for one in found] == [Level.ERROR, Level.ERROR]


def test_an_expired_approval_does_not_count_and_is_said() -> None:
    approval = _approval(_digest(_finding()), expires="2026-02-28")
    (found,) = settle([_finding()], _evidence(approvals=(approval,)), RULES)
    assert found.level is Level.ERROR
    assert found.message == "m; its approval by ann ended on 2026-02-28"


def test_a_doubted_approval_does_not_count() -> None:
    approval = _approval(_digest(_finding()), doubt="the patch itself adds it")
    (found,) = settle([_finding()], _evidence(approvals=(approval,)), RULES)
    assert (found.level, found.message) == (Level.ERROR, "m")


def test_an_approved_policy_change_passes_and_is_listed_as_loosened(bench: Bench) -> None:
    change = PolicyChange(path="proctor.toml", what="w")
    facts: dict[str, Any] = {"base": BASE, "changes": (POLICY,), "policy_changes": (change,)}
    verdict = bench.verdict(bench.seen(), **facts)
    digest = bench.only(verdict, "policy-touched").digest or ""
    assert verdict.outcome is Outcome.FAIL
    verdict = bench.verdict(bench.seen(), **facts, approvals=(_approval(digest),))
    assert verdict.outcome is Outcome.PASS
    assert verdict.loosened == ("policy-touched is approved",)


def test_no_approval_makes_a_red_run_a_pass(bench: Bench) -> None:
    verdict = bench.verdict(bench.seen(exit_code=1), base=BASE, changes=(CODE,))
    assert bench.only(verdict, "nonzero-exit").digest is None
