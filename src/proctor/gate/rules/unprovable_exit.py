"""A shell line hides the test command's exit code, and only the line was witnessed.

Proves that the line's exit code need not be the runner's. Does not prove that the
tests failed.

Likely cause: a pipe, `|| true`, `;`, `&` or a condition, seen by the direct witness or
only in a transcript.

Next: run the test command by itself: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import State
from proctor.gate.base import Hit, Rule
from proctor.gate.calls import is_covered, may_still_run, named, runs
from proctor.gate.case import Case
from proctor.gate.words import command, shown


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.parts():
        if part.state is not State.UNKNOWN:
            continue
        why = f" ({part.masked_by})" if part.masked_by else ""
        yield Hit(
            message=f"{shown(part.span.argv)} does not hand on the exit code "
            f"of {shown(part.what.argv)}{why}",
            cure=command(part.what.argv, part.selection.where),
            span=part.span,
            requirement=decision.item.name if decision.item else None,
        )

    yield from _calls(case)


def _calls(case: Case) -> Iterator[Hit]:
    """Yield the lines that only a transcript shows."""
    for call in case.evidence.calls:
        masked = next((run for run in runs(call) if run.status != "own"), None)
        if masked is None or call.how or not call.claims or may_still_run(case, call):
            continue
        why = f" ({masked.masked_by})" if masked.masked_by else ""
        yield Hit(
            message=f"{named(call)} does not hand on the exit code of {shown(masked.what.argv)}"
            f"{why}, and nothing recorded belongs to it",
            cure=command(masked.what.argv),
            call=call.call,
            level=Level.NOTE if is_covered(case, call) else None,
        )


RULE = Rule(
    level=Level.UNPROVEN,
    check=_check,
    hides=("no-tests-ran", "stale-tree", "partial-run", "unwitnessed-call"),
)
