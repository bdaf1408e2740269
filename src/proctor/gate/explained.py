"""Whether a red attempt failed only by what the quarantine explains.

It does if every failing test has an entry that counts and names the failure, the
report is complete, nothing else failed, and a green report of the oracle is about the
files that are judged. Tests are never left out: what did not run is not explained.
"""

from collections.abc import Iterator

from proctor.gate.attempts import Attempt, Part, State
from proctor.gate.beside import OracleFacts
from proctor.gate.ends import failed_by_number
from proctor.gate.evidence import Evidence
from proctor.gate.held import Failure, Held, Quarantine

_STREAK = 5
"""Failures without a pass that are no chance: of a test that fails in 2 of 5 runs, 1 in 100."""
_PYTEST_FAILED = 1
"""pytest's exit code where tests failed; 2 to 5 say that it could not test."""


def by_quarantine(evidence: Evidence, attempt: Attempt) -> bool:
    """Return whether nothing speaks against a red attempt but what is quarantined."""
    quarantine = evidence.quarantine
    return (
        quarantine is not None
        and attempt.state is State.RED
        and oracle_is_green(evidence)
        and next(unexplained(quarantine, attempt), None) is None
    )


def oracle_is_green(evidence: Evidence) -> bool:
    """Return whether the reports of the oracle are about these files and find nothing."""
    return bool(evidence.oracle) and all(map(_is_green, evidence.oracle))


def unexplained(quarantine: Quarantine, attempt: Attempt) -> Iterator[str]:
    """Yield what of a red attempt the quarantine does not explain, in words."""
    red = [part for part in attempt.leaves if part.state is not State.GREEN]
    if not red:
        yield "no test runner below it failed"
    if attempt.driver is not None and failed_by_number(attempt, attempt.driver):
        yield "what started the tests failed by itself"
    for part in red:
        why = _unfit(quarantine, part)
        if why:
            yield why
        else:
            for failure in quarantine.ended[part.span.span_id].failures:
                yield from filter(None, [why_not(quarantine, failure)])


def why_not(quarantine: Quarantine, failure: Failure) -> str:
    """Return why a failure is not explained, '' if it is."""
    held = quarantine.entries.get(failure.name)
    if held is None:
        return f"{failure.shown} is not quarantined"
    if not held.counts:
        return f"{failure.shown}: its quarantine ended on {held.ends}"
    if not failure.fingerprints:
        return f"{failure.shown}: no report tells what its failure said"
    if not set(failure.fingerprints) <= set(held.fingerprints):
        return f"{failure.shown} failed with another fingerprint than its entry names"
    return _no_flake(held, failure)


def _no_flake(held: Held, failure: Failure) -> str:
    """Return why a failure that looks like the known one is no flake's, '' if it may be.

    A flake passes now and then. One pass on these very files is enough.
    """
    if held.passed_here:
        return ""
    if held.failed_here >= _STREAK:
        return (
            f"{failure.shown} failed in all {held.failed_here} runs on these files: "
            "broken, or let it pass once"
        )
    if held.is_changed:
        return f"{failure.shown} is changed by the patch, and has not passed on these files"
    return ""


def quarantined(quarantine: Quarantine, attempt: Attempt) -> list[str]:
    """Return the failing tests that have an entry, as people read them."""
    ended = [quarantine.ended.get(part.span.span_id) for part in attempt.leaves]
    return [
        failure.shown
        for one in ended
        if one is not None
        for failure in one.failures
        if failure.name in quarantine.entries
    ]


def _unfit(quarantine: Quarantine, part: Part) -> str:
    """Return why nothing that a leaf reports could explain its end."""
    span, report = part.span, part.span.report
    ended = quarantine.ended.get(span.span_id)
    meant = report.exit_status if report is not None else None
    is_pytest = part.what.command_class == "pytest"
    reasons = (
        (
            part.state is not State.RED or span.exit_code is None or part.status != "own",
            "its own exit code is not known",
        ),
        (
            span.signal is not None or span.timed_out or span.ended_by != "exit",
            "it was ended from outside",
        ),
        (ended is None, "no report tells which tests failed"),
        (
            ended is not None and not ended.complete,
            "its report is not complete, or something other than a test failed",
        ),
        (ended is not None and not ended.failures, "it failed, and by its report no test did"),
        (meant not in (None, span.exit_code), f"it meant to return {meant}"),
        (
            is_pytest and span.exit_code != _PYTEST_FAILED,
            f"pytest returned {span.exit_code}, which is no failure of tests",
        ),
    )
    return next((why for holds, why in reasons if holds), "")


def _is_green(oracle: OracleFacts) -> bool:
    faults = (oracle.stale, oracle.flagged, oracle.drift, oracle.corpus_drift, oracle.lifeless)
    return (
        oracle.steps > 0
        and not any(faults)
        and not oracle.same_build
        and oracle.unstable <= oracle.cap
    )
