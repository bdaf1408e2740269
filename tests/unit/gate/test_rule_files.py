"""Every rule's file: its level, its entry in the documentation, its test."""

from pathlib import Path

import pytest

from proctor.findings import Level
from proctor.gate.base import explain, rule_names, rules

ERRORS = frozenset(
    [
        "missing-exit",
        "nonzero-exit",
        "masked-exit",
        "killed",
        "timed-out",
        "not-a-run",
        "no-tests-ran",
        "narrowed-selection",
        "stale-tree",
        "tree-changed-during-run",
        "wrong-command",
        "impostor-runner",
        "junit-contradicts-exit",
        "chain-broken",
        "denied-binary",
        "junit-outside-run",
        "outside-repo",
        "wrong-host",
        "expired",
        "tests-lost",
        "policy-touched",
        "unreviewed-approval",
        "digest-mismatch",
    ]
)
UNPROVEN = frozenset(("no-records", "unprovable-exit", "partial-run", "retried-to-green"))
WARNINGS = frozenset(
    (
        *("odd-environment", "tree-blind-spot", "log-in-repo", "left-running", "tests-weakened"),
        *("harness-touched", "expectations-rewritten", "test-aware-code", "foreign-code"),
        "unverified-base",
    )
)
NOTES = frozenset(
    (
        *("below-floor", "remote-run", "cached-run", "unowned-path", "clock-jump"),
        *("unstable-output", "zero-time-suite", "no-lockfile", "toolchain-drift"),
    )
)


def test_each_rule_has_the_level_of_the_contract() -> None:
    levels = {name: rule.level for name, rule in rules()}
    assert levels == {
        **dict.fromkeys(ERRORS, Level.ERROR),
        **dict.fromkeys(UNPROVEN, Level.UNPROVEN),
        **dict.fromkeys(WARNINGS, Level.WARNING),
        **dict.fromkeys(NOTES, Level.NOTE),
    }


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
    for name in ERRORS | UNPROVEN:
        assert (folder / f"test_{name.replace('-', '_')}.py").exists(), name


def test_a_rule_that_does_not_exist_cannot_be_explained() -> None:
    with pytest.raises(LookupError):
        explain("no-such-rule")
