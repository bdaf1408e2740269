"""Nothing is recorded of the tests that are owed.

Proves that the log is missing or empty, holds no run of what is required, or that
records of the time that is judged were pruned and are gone. Does not prove that
nothing was run: it may have gone unrecorded.

Likely cause: the tests were run without `proctor run` or `proctor watch`.

Next: run them under Proctor: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.evidence import Evidence, Policy
from proctor.gate.owing import nothing_owed
from proctor.gate.words import command, placed

_CURE = "proctor run -- pytest -q (or whatever runs your tests)"


def _check(case: Case) -> Iterator[Hit]:
    yield from _gone(case.evidence)
    for decision in case.decisions:
        item = decision.item
        if decision.deciding is None and decision.narrower is None and item is not None:
            owed = next(owed for owed in case.policy.require if owed.item is item)
            yield Hit(
                message=f"{item.name!r} owes {placed(owed.selection)}, which no record shows",
                cure=command(owed.selection.what.argv, owed.selection.where),
                requirement=item.name,
            )
    if not case.decisions and not nothing_owed(case):
        yield from _none(case.evidence)


def _gone(evidence: Evidence) -> Iterator[Hit]:
    for log in evidence.logs:
        for one in log.gone:
            yield Hit(
                message=f"records of {one.until[:10]} and before were pruned, and are gone: "
                f"{one.path}",
                cure="put that file back; without it, what was red then is not known",
                level=None if one.recent else Level.WARNING,
            )


def _none(evidence: Evidence) -> Iterator[Hit]:
    for log in evidence.logs:
        if not log.exists:
            yield Hit(message=f"nothing was recorded: there is no {log.path}", cure=_CURE)
            return
    if any(pending.locked for pending in evidence.pendings):
        yield Hit(message="the only recorded run has not ended yet", cure="wait for its end")
    elif any(log.records for log in evidence.logs):
        yield Hit(message="no test run of this repository is recorded", cure=_CURE)
    else:
        yield Hit(message="nothing was recorded: the log is empty", cure=_CURE)


def _every(evidence: Evidence, policy: Policy) -> Iterator[Hit]:
    del policy
    yield from _gone(evidence)
    if not evidence.records:
        yield from _none(evidence)


RULE = Rule(level=Level.UNPROVEN, check=_check, every=_every)
