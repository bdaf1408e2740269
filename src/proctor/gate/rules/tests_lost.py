"""Tests that were executed before are not executed now, and the patch does not say why.

Proves that the named tests were executed at the base revision, or earlier while
their files were as they are there, and that the runs that decide now executed
neither them nor tests that carry them on. Does not prove that they would fail, nor
that tests which are still executed check as much.

Likely cause: tests were deleted, skipped or expected to fail; their file is no
longer collected; a setting or a hook leaves them out; parameters were removed.

Next: bring them back, or approve the finding; to compare with the base's suite
again: `proctor run --at-base -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import ran
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.evidence import Reference
from proctor.gate.lost import Group, Loss, groups, losses
from proctor.gate.words import command, counted, listed, shown


def _check(case: Case) -> Iterator[Hit]:
    reference = case.evidence.reference
    for group in groups(case):
        yield from _unread(case, group)
        if reference is None:
            continue
        found = losses(case, group)
        lost = [loss for loss in found if not loss.explained]
        explained = [loss for loss in found if loss.explained]
        if lost:
            yield _lost(reference, group, lost)
        if explained:
            yield _explained(reference, group, explained)
        yield from _uncounted(case, reference, group)


def _lost(reference: Reference, group: Group, lost: list[Loss]) -> Hit:
    # NOTE: about no file: any file may be why a test is not executed, so that an
    # approval must stand for the whole patch.
    first = group.now[0]
    verb = "is" if len(lost) == 1 else "are"
    return Hit(
        message=f"{counted(len(lost))} executed {_when(reference, group)} {verb} not executed now: "
        f"{listed([_named(loss) for loss in lost])}",
        cure=f"bring {'it' if len(lost) == 1 else 'them'} back, then: "
        f"{command(first.span.argv, first.selection.where)}",
        span=first.span,
    )


def _explained(reference: Reference, group: Group, explained: list[Loss]) -> Hit:
    named = [f"{loss.test} ({loss.explained})" for loss in explained]
    return Hit(
        message=f"{counted(len(explained))} executed {_when(reference, group)} went with "
        f"the code: {listed(named)}",
        span=group.now[0].span,
        level=Level.NOTE,
    )


def _unread(case: Case, group: Group) -> Iterator[Hit]:
    """Say which deciding leaves' reports are not believed; their counts stand."""
    for part in group.now:
        why = case.evidence.unread.get(part.span.span_id)
        if why is not None:
            yield Hit(
                message=f"{why}; the count of {shown(part.span.argv)} stands, "
                "which tests it executed is not known",
                cure=command(part.span.argv, part.selection.where),
                span=part.span,
                level=Level.NOTE,
            )


def _uncounted(case: Case, reference: Reference, group: Group) -> Iterator[Hit]:
    """Compare counts where the ids cannot be told, with the newest run at the reference."""
    dark = [part for part in group.now if part.span.span_id not in case.evidence.tests]
    if not dark or not group.at_reference:
        return
    before = group.at_reference[0].span.report
    reports = [part.span.report for part in group.now]
    assert before is not None  # noqa: S101 - `groups` takes none without
    known = [report for report in reports if report is not None]
    if len(known) == len(reports) and any(r.ids_sha256 == before.ids_sha256 for r in known):
        return
    first = dark[0]
    message = f"at {reference.name} {counted(ran(before))} were executed; "
    fewer = len(known) == len(reports) and sum(map(ran, known)) < ran(before)
    if fewer:
        message += f"now {counted(sum(map(ran, known)))}"
    else:
        message += f"nothing shows which tests {shown(first.span.argv)} executed"
    yield Hit(
        message=message,
        cure=f"let Proctor count: {command(first.span.argv, first.selection.where)}",
        span=first.span,
        level=None if fewer else Level.UNPROVEN,
    )


def _when(reference: Reference, group: Group) -> str:
    return (
        f"at {reference.name}"
        if group.at_reference
        else f"before it differed from {reference.name}"
    )


def _named(loss: Loss) -> str:
    word = {"gone": "", "skipped": " (skipped)", "xfailed": " (expected to fail)"}[loss.how]
    return f"{loss.test}{word}{', red before' if loss.failed else ''}"


RULE = Rule(level=Level.ERROR, check=_check, approvable=True)
