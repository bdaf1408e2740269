"""Level 3 is reached where nothing of the set-up is lacking, and what lacks is said."""

from typing import Any

import msgspec
import pytest

from proctor.findings import Level, Verdict
from proctor.gate.beside import OtherJob
from proctor.gate.evidence import (
    Approval,
    Base,
    Change,
    Evidence,
    Policy,
    Reference,
    Tests,
)
from proctor.gate.judge import judge
from tests.unit.gate.conftest import SELECTING, make_evidence, make_git, make_seen, make_tree

BASE = Base(
    name="0" * 40, commit="0" * 40, tree="b0", how="id", merge_base="0" * 40, merge_tree="b0",
)  # fmt: skip
OTHER = OtherJob(path="b.zip", root="/there/app", recorded_here=False)


def handed_over(**members: Any) -> Evidence:
    """Another job's records: a green run here, and one on the base's files elsewhere."""
    now = make_seen("pytest -q")
    then = make_seen("pytest -q", cwd="/tmp/base", git=make_git("b0", root="/tmp/base"))
    facts: dict[str, Any] = {
        "base": BASE,
        "other_job": OTHER,
        "reference": Reference(name="base", given=True, trees=frozenset({"b0"})),
        "tests": {
            one.span.span_id: Tests(outcomes={f"a::{n}": "passed" for n in range(3)})
            for one in (now, then)
        },
    }
    return make_evidence(then, now, **{**facts, **members})


def verdict(evidence: Evidence) -> Verdict:
    return judge(evidence, Policy(), SELECTING)


def reasons(found: Verdict) -> list[str]:
    return [one.message for one in found.findings if one.rule == "lower-level"]


def test_a_fresh_judge_reaches_level_3() -> None:
    found = verdict(handed_over())
    assert (found.trust_level, reasons(found)) == (3, [])
    assert found.outcome == "pass"


def test_own_records_reach_no_level_of_a_judge() -> None:
    found = verdict(handed_over(other_job=None))
    assert (found.trust_level, reasons(found)) == (0, [])


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({"other_job": msgspec.structs.replace(OTHER, recorded_here=True)}, "has records of its own"),
        ({"tree": make_tree(changed=("src/a.py",))}, "are not those of the commit (src/a.py)"),
        ({"base": msgspec.structs.replace(BASE, how="branch main")}, "not given as a full id"),
        ({"base": None}, "not given as a full id"),
        ({"reference": Reference(name="base", given=True)}, "no run of pytest at the base"),
        ({"tests": {}}, "which tests pytest executed is not known"),
    ],
)  # fmt: skip
def test_what_lacks_is_said_and_changes_no_outcome(members: dict[str, Any], why: str) -> None:
    found = verdict(handed_over(**members))
    assert found.trust_level == 0
    assert any(why in one for one in reasons(found)), reasons(found)
    assert all(one.level == "note" for one in found.findings if one.rule == "lower-level")


@pytest.mark.parametrize("levels", [{}, {"harness-touched": Level.NOTE}])
def test_another_harness_than_the_bases_is_no_level_3(levels: dict[str, Level]) -> None:
    evidence = with_harness()
    found = judge(evidence, Policy(levels=levels), SELECTING)
    assert (found.trust_level, reasons(found)) == (0, [])


def test_a_harness_that_a_person_approved_is() -> None:
    (touched,) = (one for one in verdict(with_harness()).findings if one.rule == "harness-touched")
    entry = Approval(digest=touched.digest or "", reason="r", owner="o", expires="2030-01-01")
    assert verdict(with_harness(approvals=(entry,))).trust_level == 3


def with_harness(**members: Any) -> Evidence:
    change = Change(
        path="pytest.ini", old_path="pytest.ini", old_blob="1", new_blob="2",
        old_text="[pytest]\n", new_text="[pytest]\naddopts = -x\n",
    )  # fmt: skip
    return handed_over(
        changes=(change,), diff=("pytest.ini",), harness={"pytest": ("pytest.ini",)}, **members
    )
