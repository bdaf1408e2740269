"""What ran is not what the tool call says.

Proves that the call's text and the process that the operating system started for it
select different tests. Does not prove intent: an alias, a wrapper or a plugin may have
changed the arguments. Both are shown, and only the process is judged.

Likely cause: a shell function or a wrapper named like the runner.

Next: compare both: `proctor log --tests`.
"""

from collections.abc import Iterator

from proctor.classify.base import Classification
from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.calls import named, runs
from proctor.gate.case import Case
from proctor.gate.evidence import Call, Seen
from proctor.gate.words import shown
from proctor.join.becoming import may_become


def _check(case: Case) -> Iterator[Hit]:
    for call in case.evidence.calls:
        for seen in (*call.tests, *call.beside):
            asked = _asked(call, seen)
            if asked is not None:
                beside = "" if seen in call.tests else "; it is not known to belong to it"
                yield Hit(
                    message=f"{named(call)} says {shown(asked.argv)}, "
                    f"the process is {shown(seen.span.argv)}{beside}",
                    cure="the process is what counts; see: proctor log --tests",
                    span=seen.span,
                )


def _asked(call: Call, seen: Seen) -> Classification | None:
    """Return what a call asks for where nothing in it can have become this process."""
    ran = seen.what
    if ran is None or seen.line is not None:
        return None  # a line that is the call's own text
    alike = [run.what for run in call.line if run.what.command_class == ran.command_class]
    if not alike or any(may_become(what, ran) for what in alike):
        return None
    if any(run.what.kind == "driver" for run in call.line) and ran.kind != "driver":
        return None  # the driver chose it
    return next((run.what for run in runs(call) if run.what in alike), alike[0])


RULE = Rule(level=Level.WARNING, check=_check, hides=("orphan-span",))
