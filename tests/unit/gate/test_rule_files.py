"""Every rule's file: its level, its entry in the documentation, its test."""

from pathlib import Path

import pytest

from proctor.findings import Level
from proctor.gate.base import explain, rule_names, rules

CONTRACT = {
    Level.ERROR: """
        missing-exit nonzero-exit masked-exit killed timed-out not-a-run no-tests-ran
        narrowed-selection stale-tree tree-changed-during-run wrong-command impostor-runner
        junit-contradicts-exit chain-broken policy-touched unreviewed-approval
        receipt-without-record digest-mismatch missing-fields expired wrong-host flagged-delta
        fixture-drift corpus-drift quarantined-failure denied-binary junit-outside-run
        outside-repo tests-lost""",
    Level.UNPROVEN: """
        no-records same-build unprovable-exit partial-run retried-to-green
        unwitnessed-call""",
    Level.WARNING: """
        tests-weakened harness-touched expectations-rewritten test-aware-code foreign-code
        odd-environment tree-blind-spot argv-mismatch orphan-span missing-junit left-running
        log-in-repo unsigned stale-allowance unverified-base""",
    Level.NOTE: """
        below-floor unstable-output clock-jump zero-time-suite toolchain-drift no-lockfile
        unowned-path remote-run cached-run lower-level""",
}
LEVELS = {name: level for level, names in CONTRACT.items() for name in names.split()}


@pytest.mark.parametrize("name", rule_names())
def test_each_rule_has_the_level_of_the_contract(name: str) -> None:
    assert dict(rules())[name].level == LEVELS[name]


@pytest.mark.parametrize("name", rule_names())
def test_each_rule_says_what_it_proves_and_what_to_do(name: str) -> None:
    found = explain(name)
    assert found.summary.endswith(".")
    assert found.proves.startswith("Proves ")
    assert "not" in found.proves
    assert found.cause.endswith(".")
    assert "`" in found.next


@pytest.mark.parametrize("name", rule_names())
def test_each_rule_hides_only_rules_that_exist(name: str) -> None:
    found = dict(rules())[name]
    assert set(found.hides) <= set(rule_names())
    assert found.check is not None


def test_each_error_and_each_unproven_rule_has_a_test_of_its_own() -> None:
    folder = Path(__file__).parent / "rules"
    strict = (name for name in rule_names() if LEVELS[name] in (Level.ERROR, Level.UNPROVEN))
    for name in strict:
        assert (folder / f"test_{name.replace('-', '_')}.py").exists(), name


def test_a_rule_that_does_not_exist_cannot_be_explained() -> None:
    with pytest.raises(LookupError):
        explain("no-such-rule")
