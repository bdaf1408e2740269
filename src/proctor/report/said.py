"""What every format says of a verdict, in the same words."""

import re
from collections import Counter

from proctor._digest import sha256_hex
from proctor.findings import Finding, Level, Outcome, Verdict
from proctor.report.summary import Summary

_TREE_DIGITS = 12
_STEP = re.compile(r"((?:[^`:]*: )?)((?:cd|env|git|proctor|python|rm|unset) .+)\Z", re.DOTALL)
"""A cure that ends with a command: what comes before it, and the command."""
POLICY = "proctor.toml"
"""Where a finding is shown that is about no file: forges want one for each."""


def word_of(verdict: Verdict) -> str:
    """Return the outcome in a word.

    NOTE: what only observing let pass is called so: a pass above an error would be
    read as one.
    """
    return "observed" if verdict.would_block else verdict.outcome.value


def facts_of(verdict: Verdict) -> list[str]:
    """Return what stands beside the outcome: level, executed tests, tree, red attempts."""
    if isinstance(verdict, Summary):
        return list(verdict.facts)
    facts = [
        f"level {verdict.trust_level}",
        executed_of(verdict.executed) + _aside(verdict),
        f"tree {verdict.tree[:_TREE_DIGITS]}" if verdict.tree else "no tree",
    ]
    if verdict.red:
        facts.append(f"attempts on this tree: {verdict.attempts}, red {verdict.red}")
    return facts


def command_of(verdict: Verdict) -> str:
    """Return the command whose verdict this is, as one types it."""
    return f"proctor {verdict.command if isinstance(verdict, Summary) else 'gate'}"


def title_of(verdict: Verdict) -> str:
    """Return the name under which a verdict is told: the gate's own bears none."""
    return f"Proctor {verdict.command}" if isinstance(verdict, Summary) else "Proctor"


def executed_of(count: int | None) -> str:
    """Return a number of executed tests in words; none where no report counted them."""
    if count is None:
        return "tests not counted"
    return "1 test executed" if count == 1 else f"{count:,} tests executed"


def _aside(verdict: Verdict) -> str:
    """Return the tests that show nothing: skipped ones, and those expected to fail."""
    counts = ((verdict.skipped, "skipped"), (verdict.xfailed, "xfailed"))
    return "".join(f", {count:,} {word}" for count, word in counts if count)


def about(finding: Finding) -> tuple[str, str]:
    """Return the requirement and the tool call that a finding's message does not name."""
    name, call_id = finding.requirement, finding.call_id
    owed = f" [{name}]" if name and repr(name) not in finding.message else ""
    asked = f" (tool call {call_id})" if call_id and call_id not in finding.message else ""
    return owed, asked


def told(finding: Finding) -> str:
    """Return a finding's message with all that it is about."""
    owed, asked = about(finding)
    return f"{finding.message}{owed}{asked}"


def can_be_approved(finding: Finding) -> bool:
    """Return whether a person may let a finding pass."""
    return finding.digest is not None and finding.level in (Level.ERROR, Level.UNPROVEN)


def blocks(finding: Finding, verdict: Verdict) -> bool:
    """Return whether a finding keeps the verdict from being a pass."""
    return verdict.outcome is not Outcome.PASS and finding.level in (Level.ERROR, Level.UNPROVEN)


def next_step(verdict: Verdict) -> str:
    """Return the cure of what weighs most, or nothing where nothing is to be done."""
    weighty = [one for one in verdict.findings if one.level in (Level.ERROR, Level.UNPROVEN)]
    return next((one.cure for one in weighty if one.cure), "")


def place_of(finding: Finding) -> tuple[str, int]:
    """Return the file and line that a finding is shown at; `POLICY` where it has none."""
    if not finding.paths:
        return POLICY, 1
    return finding.paths[0], finding.line or 1


def step_of(cure: str) -> tuple[str, str]:
    """Return what a cure says, and the command that it ends with, each maybe empty."""
    found = _STEP.match(cure)
    return (found[1], found[2]) if found else (cure, "")


def fingerprints(verdict: Verdict) -> list[str]:
    """Return for each finding what stays the same in the next pipeline, and is its own."""
    seen: Counter[str] = Counter()
    found = []
    for one in verdict.findings:
        parts = (one.rule, one.requirement or "", *one.paths[:1], "", *one.argv)
        told_apart = "\0".join(parts)
        seen[told_apart] += 1
        text = f"{told_apart}\0{seen[told_apart]}"
        found.append(sha256_hex(text.encode("utf-8", "backslashreplace")))
    return found
