"""Decides whether an agent that wants to stop is told what is missing first.

The gate judges records; what the agent said only decides whether it is asked at all.
An agent that claims nothing, or says itself that tests fail, is let go: nobody is
deceived. So is one that says NO RECEIPT, as the contract tells it to where the suite
cannot run.
"""

import os
import re
from datetime import UTC, datetime

import msgspec

from proctor.assess.gather import Question, assess
from proctor.errors import RepositoryError, TranscriptError
from proctor.findings import Finding, Level, Outcome, Verdict
from proctor.records.place import find_clone, log_path
from proctor.repo.main_branch import default_base
from proctor.repo.revision import resolve_base

GIVING_UP = "NO RECEIPT"
"""What an agent says that cannot run the suite (see `proctor contract`)."""
SHOWN = 4
"""Findings that an agent is told of."""
_TESTS = r"(?:tests?|specs?|suite|pytest|jest|vitest|checks?)"
_GREEN = r"(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|successful(?:ly)?|ok|clean)"
_CLAIM = re.compile(
    rf"\b{_TESTS}\b[^.!?\n]{{0,60}}\b{_GREEN}\b|\b{_GREEN}\b[^.!?\n]{{0,25}}\b{_TESTS}\b"
    rf"|\b\d+ passed\b|\b0 (?:failed|failures)\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:fail(?:s|ed|ing|ures?)?|do(?:es)? not pass|don't pass|doesn't pass|did(?: not|n't) pass"
    r"|not (?:yet )?(?:run|been run|passing|green)|could(?: not|n't) (?:be )?run|unverified"
    r"|cannot (?:be )?run|can't run|broken|still red)\b",
    re.IGNORECASE,
)
_NO_FAILURE = re.compile(
    r"\b(?:0|no|zero|without(?: any)?|never|previously|formerly|was|were|fix(?:ed|es)?(?: the| a)?)"
    rf" (?:\w+ )?fail(?:ed|ing|ures?)\b|\bfail(?:ed|ing) {_TESTS}(?= (?:now |all )?{_GREEN}\b)",
    re.IGNORECASE,
)
_SUFFERED = frozenset(("partial-run", "retried-to-green"))
"""Unproven findings that no agent is held up for: what it ran was recorded."""


class Stopping(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent sends when it wants to stop."""

    folder: str
    """Where it stands."""
    project: str = ""
    """Where it was started, if that is known."""
    transcript: str = ""
    """The path of its transcript, if it tells one."""
    words: str = ""
    """The last it said; empty where it does not send that along."""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What the agent, or its user, is to be told."""

    headline: str
    reason: str


def judge_stop(stopping: Stopping) -> Judged | None:
    """Return why the agent should not stop yet; none: it may.

    That is not a pass: it says that nothing the agent claims lacks a record.

    Raises:
        Error: as `assess`.
    """
    words = stopping.words or _last_words(stopping.transcript)
    if GIVING_UP in words or (admits(words) and not claims(words)):
        return None
    verdict = _verdict(stopping)
    joined = verdict.joined
    asked = claims(words) or (joined is not None and any(c.claims_tests for c in joined.calls))
    telling = [finding for finding in verdict.findings if _is_telling(finding)]
    if verdict.outcome is Outcome.PASS or not asked or not telling:
        return None
    return Judged(headline=_headline(verdict), reason=_reason(verdict, telling))


def claims(words: str) -> bool:
    """Return whether a sentence says that tests pass."""
    return any(
        _CLAIM.search(sentence) and not admits(sentence)
        for sentence in re.split(r"(?<=[.!?])\s|\n", words)
    )


def admits(words: str) -> bool:
    """Return whether it is said that tests fail, or were not run."""
    return bool(_DENIAL.search(_NO_FAILURE.sub(" ", words)))


def _last_words(transcript: str) -> str:
    """Return the last that the agent itself said, for agents that do not send it along."""
    from proctor.join.reading import read_transcript
    from proctor.join.toolcall import Message

    last = ""
    try:
        for entry in read_transcript(transcript).entries if transcript else ():
            if isinstance(entry, Message) and not entry.subagent:
                last = entry.text
    except TranscriptError:
        return ""
    return last


def _verdict(stopping: Stopping) -> Verdict:
    environ = os.environ
    folder = stopping.folder or stopping.project or os.getcwd()
    if stopping.project and not os.path.exists(log_path(find_clone(folder), environ)):
        folder = stopping.project
    question = Question(
        folder=folder,
        environ=environ,
        now=datetime.now(UTC),
        logs=_watched(environ.get("PROCTOR_WITNESS", "")),
        base=_base(folder),
        transcripts=(stopping.transcript,) if stopping.transcript else (),
    )
    try:
        return assess(question)
    except TranscriptError:
        # NOTE: a format that no reader knows yet; the records are judged alone.
        return assess(msgspec.structs.replace(question, transcripts=()))


def _watched(told: str) -> tuple[str, ...]:
    """Return the log of the Proctor that watches the agent, if one does."""
    log = told.split(":", 2)[2] if told.count(":") >= 2 else ""
    return (log,) if os.path.isfile(log) else ()


def _base(folder: str) -> str | None:
    """Return what this branch began at; none on the main branch itself.

    There, what has been committed already would count as no patch.
    """
    root = find_clone(folder).root
    try:
        base = default_base(root)
        return None if base.commit == resolve_base(root, "HEAD").commit else base.name
    except RepositoryError:
        return None


def _is_telling(finding: Finding) -> bool:
    if finding.level is Level.UNPROVEN:
        return finding.rule not in _SUFFERED
    return finding.level is Level.ERROR


def _headline(verdict: Verdict) -> str:
    return f"{verdict.outcome.value}: {verdict.sentence}"


def _reason(verdict: Verdict, telling: list[Finding]) -> str:
    """Return what is missing and what to do, for the agent."""
    lines = [f"Proctor has no good record of a passing test run ({_headline(verdict)})."]
    for finding in telling[:SHOWN]:
        lines.append(f"- {finding.rule}: {finding.message}")
        if finding.cure:
            lines.append(f"  do: {finding.cure}")
    more = len(telling) - SHOWN
    if more > 0:
        lines.append(f"- and {more} more: proctor gate")
    lines.append(
        "Do that, then say what came out. If it cannot be done, or tests fail, say so plainly: "
        f"write {GIVING_UP} and why, and stop."
    )
    return "\n".join(lines)
