"""What is known of every rule that a report can name: the gate's, and those of other answers.

The gate judges records; `audit`, `flakes status` and `receipt replay` find things that
are no question of the gate's, under names of their own.
"""

from proctor.findings import Level
from proctor.gate import base
from proctor.gate.base import Explanation

OTHERS = {
    one.rule: one
    for one in (
        Explanation(
            rule="broken-test",
            level=Level.WARNING,
            summary="A test fails and has not passed since its first failure.",
            proves="Proves that every run since then, on any tree, was red. Not when the "
            "code broke: runs before the first recorded one are not known.",
            cause="a regression, or a test whose surroundings are gone. It is no flake, and no "
            "quarantine takes it.",
            next="mend the test, or the code",
        ),
        Explanation(
            rule="doubtful-claim",
            level=Level.WARNING,
            summary="An agent said that tests passed, and what it ran does not show it.",
            proves="Proves that no run before the claim in its transcript could show a pass. Does "
            "not prove that the claim was wrong.",
            cause="a shell line that hides the runner's exit code, or no run at all",
            next="record what runs: proctor watch -- AGENT",
        ),
        Explanation(
            rule="flaky-test",
            level=Level.WARNING,
            summary="A test failed and passed on the same files, by the same command.",
            proves="Proves that its outcome depends on more than the files. Does not prove "
            "what that is, or that the code under test is right.",
            cause="time, order, randomness, a shared port or file, state of another test",
            next="mend it; until then: proctor flakes quarantine --apply",
        ),
        Explanation(
            rule="replay-diverged",
            level=Level.ERROR,
            summary="The command was run again from a clean checkout and came to something else.",
            proves="Proves that the numbers do not follow from the files that it names, on this "
            "machine. Does not prove who changed what.",
            cause="files that only the first machine had, a flaky test, another toolchain, or a "
            "receipt that was made up",
            next="run it by hand in a clean clone, and compare: proctor receipt show",
        ),
        Explanation(
            rule="replay-failed",
            level=Level.UNPROVEN,
            summary="The command could not be run again.",
            proves="Proves nothing about the receipt, for or against.",
            cause="a tree that is not here, a program that is not installed, a preparation that is "
            "missing",
            next="fetch what is missing, or prepare it: proctor receipt replay --prepare CMD",
        ),
        Explanation(
            rule="suspect-test",
            level=Level.NOTE,
            summary="A test failed, and too few runs are known to call it flaky or broken.",
            proves="Proves that it was seen red. Does not prove that it will be again.",
            cause="a flake, or a failure that was mended since",
            next="find out: proctor flakes run -n 10 -- CMD",
        ),
    )
}
"""Rules that are not the gate's, by name."""


def rule_names() -> list[str]:
    """Return the identifiers of all rules, sorted."""
    return sorted((*base.rule_names(), *OTHERS))


def explain(rule: str) -> Explanation:
    """Return what is known of the rule called `rule`.

    Raises:
        LookupError: there is no such rule.
    """
    return OTHERS[rule] if rule in OTHERS else base.explain(rule)
