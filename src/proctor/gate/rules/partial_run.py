"""Only a part of the known tests was run.

Proves that no run of this kind is known that leaves nothing out. Does not prove
that the rest would fail.

Likely cause: the run names single files or tests, or carries a filter such as `-k`.

Next: run all of them once: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.classify.base import Classification
from proctor.findings import Level
from proctor.gate.attempts import Attempt, State
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case, Decision
from proctor.gate.lost import EXECUTED
from proctor.gate.words import command, shown
from proctor.requirements import within_project


def _check(case: Case) -> Iterator[Hit]:
    groups: dict[tuple[str, str], list[Decision]] = {}
    for decision, attempt in case.judged():
        groups.setdefault(_family(attempt), []).append(decision)
    for decisions in groups.values():
        green = [d for d in decisions if d.deciding and d.deciding.state is not State.RED]
        if green and not any(decision.whole for decision in decisions):
            yield _partial(case, green)
    for decision, attempt in case.judged():
        yield from _too_few(decision, attempt)


def _family(attempt: Attempt) -> tuple[str, str]:
    first = attempt.first
    return first.what.command_class, first.selection.project


def _partial(case: Case, decisions: list[Decision]) -> Hit:
    attempts = [decision.deciding for decision in decisions if decision.deciding]
    newest = attempts[-1]
    part = newest.leaves[0] if newest.leaves else newest.first
    more = f" and {len(attempts) - 1} more" if len(attempts) > 1 else ""
    return Hit(
        message=f"only a part was run{_count(case, attempts)}: "
        f"{shown(newest.first.span.argv)}{more}",
        cure=command(_widened(part.what), part.selection.project),
        span=newest.first.span,
    )


def _count(case: Case, attempts: list[Attempt]) -> str:
    """Return how much of what is known was run, in words."""
    known = case.known(attempts[-1].leaves[0].what.command_class if attempts[-1].leaves else "")
    executed, tests = _executed(case, attempts), _known_tests(case, attempts[-1]) or known.tests
    if tests is not None and executed is not None and executed < tests:
        return f", {executed:,} of {tests:,} known tests"
    selected = {
        path
        for path in known.files
        for attempt in attempts
        for part in attempt.leaves
        if case.selecting.selects_whole(within_project(part.selection), [path])
    }
    if known.files and len(selected) < len(known.files):
        return f", tests in {len(selected):,} of {len(known.files):,} known test files"
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


def _widened(what: Classification) -> list[str]:
    """Return argv without its selectors and narrowing options."""
    left_out = {*what.selectors, *what.narrowing}
    for option in what.narrowing:
        left_out.update(option.split("=", 1))
    return [word for word in what.argv if word not in left_out]


RULE = Rule(level=Level.UNPROVEN, check=_check, approvable=True)
