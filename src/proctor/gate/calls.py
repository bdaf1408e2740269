"""What the rules ask of a tool call: what it asks for, and whether a later run covers it."""

import copy
import os

from proctor.gate.attempts import Attempt, State, selection_at
from proctor.gate.case import Case
from proctor.gate.evidence import Call, LineRun
from proctor.gate.moments import moment
from proctor.gate.words import command, shown
from proctor.join.folders import folders_of
from proctor.requirements import selection_covers


def named(call: Call) -> str:
    """Return how findings call a tool call."""
    return f"tool call {call.call.call_id}"


def asked_for(call: Call) -> str:
    """Return what a call asks for, as one would type it."""
    if call.line:
        return shown(call.line[0].what.argv)
    if call.call.command is not None:
        return shown(("sh", "-c", call.call.command))
    return shown(call.call.argv) if call.call.argv else f"the tool {call.call.tool}"


def cure(call: Call) -> str:
    """Return the command that runs what a call asks for under Proctor."""
    return command(call.line[0].what.argv if call.line else ("pytest",))


def runs(call: Call) -> tuple[LineRun, ...]:
    """Return the test runners that a call really asks to run tests."""
    return tuple(run for run in call.line if not run.what.not_a_run)


def may_still_run(case: Case, call: Call) -> bool:
    """Return whether the call has no end, and something that is recorded has none either."""
    told = call.call.told
    unfinished = call.call.background or told.ending in ("running", "unknown")
    ended = call.call.finished_at is not None and told.ending != "running"
    is_open = unfinished and (call.call.background or not ended)
    return is_open and any(pending.locked for pending in case.evidence.pendings)


def is_covered(case: Case, call: Call) -> bool:
    """Return whether later runs, green on the current files, ran all that the call asks for.

    What the call itself came to stays unknown; nothing rests on it any more.
    """
    later = [
        (decision, attempt)
        for decision, attempt in case.judged()
        if decision.fresh and attempt.state is State.GREEN and _is_later(case, call, attempt)
    ]
    wanted = runs(call)
    if not wanted:
        return any(decision.whole for decision, _ in later)
    return all(any(_covers(case, call, run, attempt) for _, attempt in later) for run in wanted)


def _covers(case: Case, call: Call, run: LineRun, attempt: Attempt) -> bool:
    root = case.evidence.root
    folders = list(folders_of(call.call.cwd, call.call.command))
    folder = folders[-1] if folders else root
    if run.what.remote or not f"{folder}/".startswith(f"{root}/"):
        folder = root
    # NOTE: what ran on another host is answered for by a run of as much here.
    what = copy.copy(run.what)
    what.remote = None
    asked = selection_at(what, os.path.normpath(folder), root, case.evidence.projects)
    return any(
        selection_covers(part.selection, asked, case.selecting.covers) for part in attempt.parts
    )


def _is_later(case: Case, call: Call, attempt: Attempt) -> bool:
    made = moment(call.call.finished_at) or moment(call.call.started_at)
    began = moment(attempt.started[0])
    if made is not None and began is not None:
        return began > made
    ids = {part.span.span_id for part in attempt.parts}
    calls = case.evidence.calls
    return any(ids & set(other.members) for other in calls[calls.index(call) + 1 :])
