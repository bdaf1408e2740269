"""What a verdict on another job's records lacks to reach level 3.

Level 3 is a set-up: one job runs the patch, a fresh one judges what it recorded. The
gate can only see its own side of it. It checks that nothing was recorded or changed
where it judges, that the base is an id that no name in the clone can move, and that
what was executed was held, test by test, against the base. That a job ran where it is
said to have run is for the platform to say: a verdict is worth what the place that
shows it is worth.
"""

from collections.abc import Iterator

from proctor.gate.case import Case
from proctor.gate.lost import groups
from proctor.gate.words import listed

HARNESS = "harness-touched"
"""The rule that speaks where the test set-up is not the base's."""


def lacking(case: Case) -> tuple[str, ...]:
    """Return what is not as level 3 asks; nothing where no bundle is judged."""
    return () if case.evidence.other_job is None else tuple(_lacking(case))


def _lacking(case: Case) -> Iterator[str]:
    evidence = case.evidence
    assert evidence.other_job is not None  # noqa: S101 - asked by the caller
    if evidence.other_job.recorded_here:
        yield "this clone has records of its own: what judges must have run nothing"
    if evidence.tree is None or evidence.tree.changed:
        files = () if evidence.tree is None else evidence.tree.changed
        yield f"the files are not those of the commit ({listed(files) or 'no git'})"
    if evidence.base is None or evidence.base.how != "id":
        yield "the base is not given as a full id: --base ID"
    for group in groups(case):
        names = {part.what.command_class for part in group.now}
        if not group.at_reference:
            yield f"no run of {', '.join(sorted(names))} at the base is recorded to compare with"
        elif any(part.span.span_id not in evidence.tests for part in group.now):
            yield f"which tests {', '.join(sorted(names))} executed is not known"
