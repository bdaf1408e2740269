"""What each input of a verdict proves, and what it does not."""

import msgspec

from proctor.findings import Verdict
from proctor.report.plain import visible
from proctor.report.said import executed_of

LEVELS = {
    0: "The log lies outside the repository; recorder and agent are the same user. A process "
    "of that user that forges the whole log is not noticed.",
    1: "Recorded from outside the agent's sandbox, or by another user. True records of "
    "misleading runs, such as work done by daemons, are not noticed.",
    2: "A receipt signed with a key that the agent's shell cannot reach. What the signer did "
    "not witness is not known.",
    3: "Run and judged in CI by separate jobs, with the base's policy. Code under test that "
    "forges inside the runner's process, and weak tests, are not noticed.",
}
_KINDS = {
    "log": (
        "Arguments, parents, times and exit codes as the kernel gave them; an unbroken chain.",
        "That no record is missing at the end, or that the arguments cover what changed.",
    ),
    "config": ("Which policy was asked for.", "That the policy asks for enough."),
    "base": (
        "What the patch is compared with; the policy is read there.",
        "That the base was good.",
    ),
    "transcript": (
        "Nothing by itself: it says what the agent asked for and was told.",
        "That any of it happened.",
    ),
    "receipt": ("One command on one tree, as its signer saw it.", "What the signer did not see."),
    "evidence": (
        "Toolchain, lock files and reports that a recorded run left behind.",
        "That somebody else's machine would give the same.",
    ),
    "old": ("How the old build behaved, step by step.", "That the old build was right."),
    "new": ("How the new build behaved, step by step.", "Behaviour at steps not taken."),
    "corpus": ("Which steps were taken.", "That they reach all that matters."),
    "policy": ("What was allowed to differ.", "That allowing it was right."),
    "oracle": ("How both builds behaved at the steps that were taken.", "Behaviour elsewhere."),
}
_OTHER = ("That this very file was read.", "That what it says is true.")


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """An input of the verdict: what it shows and what it does not."""

    kind: str
    name: str
    digest: str
    proves: str
    does_not: str


def evidence_of(verdict: Verdict) -> list[Evidence]:
    """Return a row for each input, for the files that were judged, and for the reports."""
    found = [_input(name, digest) for name, digest in verdict.inputs.items()]
    if verdict.tree:
        found.append(
            Evidence(
                kind="Working tree",
                name="",
                digest=visible(verdict.tree),
                proves="The content of the files that the runs are held against.",
                does_not="What git does not see; such blind spots are named as findings.",
            )
        )
    if verdict.executed is not None:
        found.append(
            Evidence(
                kind="Reports of tests",
                name=executed_of(verdict.executed),
                digest="",
                proves="That the runner counted these tests, in a file it wrote during that run.",
                does_not="That the tests are good, or that code under test did not forge it.",
            )
        )
    return found


def _input(name: str, digest: str) -> Evidence:
    kind, _, rest = name.partition(" ")
    proves, does_not = _KINDS.get(kind, _OTHER)
    return Evidence(
        kind=visible(kind).capitalize(),
        name=visible(rest),
        digest=visible(digest),
        proves=proves,
        does_not=does_not,
    )
