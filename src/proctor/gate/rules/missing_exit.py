"""Something was started and its end was never witnessed.

Proves that the recorder lost sight of it, or was itself killed. Does not prove
that it failed.

Likely cause: the run was left in the background, the recorder was killed, or the
machine ran out of memory.

Next: run the tests again in the foreground and let them end: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.classify.base import Classification
from proctor.findings import Level
from proctor.gate.attempts import selection_at
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.evidence import Evidence, Pending, Policy
from proctor.gate.words import command, rerun_part, shown
from proctor.requirements import selection_covers


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.parts():
        if part.span.exit_code is None and part.status != "absent":
            became = part.span.ended_by == "exec"
            why = "became another program before it ended" if became else "was never seen to end"
            yield Hit(
                message=f"{shown(part.span.argv)} {why}",
                cure=rerun_part(part),
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )
    for pending in _killed(case.evidence):
        yield from _unfinished(case, pending)


def _killed(evidence: Evidence) -> Iterator[Pending]:
    """Yield the runs of this boot whose recorder is no more and wrote no end."""
    for pending in evidence.pendings:
        if not pending.locked and pending.boot_id == evidence.boot_id:
            yield pending


def _unfinished(case: Case, pending: Pending) -> Iterator[Hit]:
    open_leaves = [leaf for leaf in pending.leaves if not _is_covered(case, pending, leaf)]
    for leaf in open_leaves[:1]:
        yield Hit(
            message=f"{shown(leaf.argv)} was started at {pending.started_at}, "
            "and its recorder was killed before it ended",
            cure=command(leaf.argv),
        )
    later = any(attempt.started[0] > pending.started_at for attempt in case.real)
    if not pending.leaves and not later:
        yield Hit(
            message=f"the recorder of {shown(pending.argv)} was killed; "
            "what ran after that was not witnessed",
            cure="run the tests again under `proctor run`",
            level=Level.WARNING,
        )


def _is_covered(case: Case, pending: Pending, leaf: Classification) -> bool:
    evidence = case.evidence
    wanted = selection_at(leaf, pending.cwd or evidence.root, evidence.root, evidence.projects)
    return any(
        selection_covers(part.selection, wanted, case.selecting.covers)
        for attempt in case.real
        if attempt.started[0] > pending.started_at
        for part in attempt.parts
    )


def _every(evidence: Evidence, policy: Policy) -> Iterator[Hit]:
    del policy
    for seen in evidence.every_seen():
        if seen.span.exit_code is None and seen.span.ended_by != "exec":
            yield Hit(
                message=f"{shown(seen.span.argv)} was never seen to end",
                cure=command(seen.span.argv),
                span=seen.span,
            )
    for pending in _killed(evidence):
        yield Hit(
            message=f"{shown(pending.argv)} was started at {pending.started_at}, "
            "and its recorder was killed before it ended",
            cure="run it again with a log of its own: proctor run --log FILE -- …",
        )


RULE = Rule(level=Level.ERROR, check=_check, every=_every, hides=("no-records",))
