"""Only a part of the known tests was run.

Proves that no run of this kind is known that leaves nothing out. Does not prove
that the rest would fail.

Likely cause: the run names single files or tests, or carries a filter such as `-k`.

Next: run all of them once: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import Attempt, State
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case, Decision
from proctor.gate.cures import selecting, without
from proctor.gate.lost import EXECUTED
from proctor.gate.words import command, shown


def _check(case: Case) -> Iterator[Hit]:
    groups: dict[tuple[str, str], list[Decision]] = {}
    for decision, attempt in case.judged():
        groups.setdefault(_family(attempt), []).append(decision)
    for decisions in groups.values():
        green = [d for d in decisions if d.deciding and d.deciding.state is not State.RED]
        if (
            green
            and not any(decision.whole for decision in decisions)
            and not _together(case, green)
        ):
            yield _partial(case, green)
    for decision, attempt in case.judged():
        yield from _too_few(decision, attempt)


def _family(attempt: Attempt) -> tuple[str, str]:
    first = attempt.first
    return first.what.command_class, first.selection.project


def _together(case: Case, green: list[Decision]) -> bool:
    """Return whether several runs on these files together leave nothing out."""
    fresh = [
        d.deciding for d in green if d.deciding and d.deciding.state is State.GREEN and d.fresh
    ]
    leaves = tuple(part for attempt in fresh for part in attempt.leaves)
    return len(fresh) > 1 and bool(leaves) and case.is_whole(Attempt(leaves=leaves))


def _partial(case: Case, decisions: list[Decision]) -> Hit:
    attempts = [decision.deciding for decision in decisions if decision.deciding]
    newest = attempts[-1]
    part = newest.leaves[0] if newest.leaves else newest.first
    more = f" and {len(attempts) - 1} more" if len(attempts) > 1 else ""
    return Hit(
        message=f"only a part was run{_count(case, attempts)}: "
        f"{shown(newest.first.span.argv)}{more}",
        cure=command(without(part.what, selecting), part.selection.project),
        span=newest.first.span,
    )


def _count(case: Case, attempts: list[Attempt]) -> str:
    """Return how much of what is known was run, in words."""
    known = case.known(attempts[-1].leaves[0].what.command_class if attempts[-1].leaves else "")
    executed, tests = _executed(case, attempts), _known_tests(case, attempts[-1]) or known.tests
    if tests is not None and executed is not None and executed < tests:
        return f", {executed:,} of {tests:,} known tests"
    parts = [part for attempt in attempts for part in attempt.leaves]
    if any(case.selecting.is_narrowed(part.what) for part in parts):
        return ""
    selected = sum(any(case.reaches(part, path) for part in parts) for path in known.files)
    if selected < len(known.files):
        return f", tests in {selected:,} of {len(known.files):,} known test files"
    return ""


def _executed(case: Case, attempts: list[Attempt]) -> int | None:
    """Return how many tests were executed, each once where the reports name them."""
    counts = [attempt.executed for attempt in attempts]
    reports = [
        case.evidence.tests.get(part.span.span_id)
        for attempt in attempts
        for part in attempt.leaves
    ]
    named = {
        test
        for report in reports
        if report is not None
        for test, outcome in report.outcomes.items()
        if outcome in EXECUTED
    }
    if named and None not in reports:
        return len(named)
    return None if None in counts else sum(count for count in counts if count is not None)


def _known_tests(case: Case, like: Attempt) -> int | None:
    """Return what the newest run of the kind that left nothing out executed."""
    for attempt in reversed(case.recorded):
        if (
            attempt.leaves
            and attempt.executed
            and _family(attempt) == _family(like)
            and case.is_whole(attempt)
        ):
            return attempt.executed
    return None


def _too_few(decision: Decision, attempt: Attempt) -> Iterator[Hit]:
    item = decision.item
    if item is None or item.min_tests is None or attempt.state is not State.GREEN:
        return
    executed = attempt.executed
    if executed is None or executed < item.min_tests:
        found = "an unknown number of" if executed is None else f"{executed:,}"
        yield Hit(
            message=f"{item.name!r} asks for at least {item.min_tests:,} executed tests; "
            f"{found} were",
            cure="run all of them, with a report that counts them (pytest: Proctor adds one)",
            span=attempt.first.span,
            requirement=item.name,
        )


RULE = Rule(level=Level.UNPROVEN, check=_check, approvable=True)
