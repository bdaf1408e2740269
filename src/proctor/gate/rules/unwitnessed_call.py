"""A tool call claims to run tests, and no test run was witnessed that belongs to it.

Proves that nothing recorded shows what the call came to; what the agent was told of it
is not asked. Does not prove that no test ran: it may have gone unrecorded. Where a
later run on the same files covers it, this is a note.

Likely cause: a call made without `proctor watch` or the hooks, or another span log.

Next: run the same under Proctor: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.calls import asked_for, cure, is_covered, may_still_run, named, runs
from proctor.gate.case import Case
from proctor.gate.evidence import Call


def _check(case: Case) -> Iterator[Hit]:
    for call in case.evidence.calls:
        why = _why(call)
        if why and not may_still_run(case, call):
            yield Hit(
                message=f"{named(call)} claims tests ({asked_for(call)}), {why}",
                cure=cure(call),
                call=call.call,
                level=Level.NOTE if is_covered(case, call) else None,
            )


def _why(call: Call) -> str:
    """Return what is missing, nothing where nothing is."""
    if not call.claims or call.tests:
        return ""
    if not call.how:
        return "and nothing recorded belongs to it"
    if call.denied or any(span.denied_binary or span.exit_code for span in call.spans):
        return ""  # the denied binary is found; whoever was given a failure was told of no pass
    asked = runs(call)
    if asked and all(run.conditional or run.what.remote for run in asked):
        return ""
    if any(span.witness != "tree" for span in call.spans):
        return "and what it started was not witnessed"
    return "and no test run was started below it"


RULE = Rule(level=Level.UNPROVEN, check=_check)
"""The level of what no later run covers."""
