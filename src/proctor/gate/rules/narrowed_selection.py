"""Less was run than what is owed: something leaves tests out.

Proves that the newest green run covers only a part of a run that is required, was
last seen red or ran last on other files, or that a variable, or a file that the patch
changes, narrowed a run whose argv looks whole. Does not prove that the tests left out
would fail.

Likely cause: only the failing test was run again, or a variable such as
`PYTEST_ADDOPTS`, an ini file, a conftest or a script carries a filter.

Next: run the whole command: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import Attempt, State
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case, Decision
from proctor.gate.lost import at_reference, groups
from proctor.gate.narrowed import beyond, by_setting, news
from proctor.gate.words import command, listed, placed, rerun, shown


def _check(case: Case) -> Iterator[Hit]:
    for decision in case.decisions:
        if decision.deciding is None:
            yield from _never_whole(case, decision)
        elif decision.narrower is not None:
            yield from _since(case, decision, decision.deciding, decision.narrower)
    yield from _beyond(case)
    yield from _drivers(case)
    for decision, part in case.leaves():
        if part.what.narrowing_env:
            yield Hit(
                message=f"{shown(part.span.argv)} was narrowed by its environment: "
                f"{', '.join(o.partition('=#')[0] for o in part.what.narrowing_env)}",
                cure=f"unset {_variables(part.what.narrowing_env)}; "
                f"{command(part.span.argv, part.selection.where)}",
                span=part.span,
                requirement=decision.item.name if decision.item else None,
            )


def _never_whole(case: Case, decision: Decision) -> Iterator[Hit]:
    item, narrower = decision.item, decision.narrower
    if item is None or narrower is None:
        return
    owed = next(owed for owed in case.policy.require if owed.item is item)
    yield Hit(
        message=f"{item.name!r} owes {placed(owed.selection)}; "
        f"only a part of it was run: {shown(narrower.first.span.argv)}{_where(narrower)}",
        cure=command(owed.selection.what.argv, owed.selection.where),
        span=narrower.first.span,
        requirement=item.name,
    )


def _where(attempt: Attempt) -> str:
    """Return where an attempt ran, in words; nothing at the root."""
    where = attempt.first.selection.where
    return f" in {where}" if where else ""


def _since(case: Case, decision: Decision, whole: Attempt, narrower: Attempt) -> Iterator[Hit]:
    """Say that a run which is red, or was green on other files, was followed by a part of it."""
    if whole.state is State.RED:
        why = "failed last"
    elif decision.differences.stale and not case.freshness.of_attempt(narrower).stale:
        why = "ran last on other files"
    else:
        return
    yield Hit(
        message=f"{shown(whole.first.span.argv)} {why}; "
        f"only a part of it was run since: {shown(narrower.first.span.argv)}",
        cure=rerun(whole),
        span=whole.first.span,
        requirement=decision.item.name if decision.item else None,
    )


def _beyond(case: Case) -> Iterator[Hit]:
    """Yield what the reports say left tests out, though argv and environment do not."""
    for group in groups(case):
        for part in group.now:
            tests = case.evidence.tests.get(part.span.span_id)
            found = beyond(part, tests) if tests is not None else {}
            new = news(case, group, found)
            if tests is not None and not part.what.narrowing:
                new |= by_setting(case, group, part, tests)
            reference = case.evidence.reference
            if new and reference is not None:
                yield Hit(
                    message=f"{shown(part.span.argv)} looks whole; files of the project narrowed "
                    f"it as they did not at {reference.name}: {listed(list(new.values()))}",
                    cure="take that out of the configuration, conftest.py or plugin, then: "
                    + command(part.span.argv, part.selection.where),
                    span=part.span,
                )
            elif found and tests is not None and tests.settings_file:
                yield Hit(
                    message=f"{shown(part.span.argv)} was narrowed by {tests.settings_file}, "
                    f"outside of the repository: {listed(list(found.values()))}",
                    cure="put the settings into the repository, then: "
                    + command(part.span.argv, part.selection.where),
                    span=part.span,
                    level=Level.UNPROVEN,
                )
            elif found:
                yield Hit(
                    message=f"{shown(part.span.argv)} was narrowed by files of the project: "
                    f"{listed(list(found.values()))}",
                    span=part.span,
                    level=Level.NOTE,
                )


def _drivers(case: Case) -> Iterator[Hit]:
    """Yield drivers below which less is started now than at the reference."""
    reference = case.evidence.reference
    if reference is None:
        return
    for decision, attempt in case.judged():
        before = _at_reference(case, attempt)
        if before is None or attempt.state is State.RED:
            continue
        if case.leaves_cover(before, attempt) and not case.leaves_cover(attempt, before):
            part = attempt.leaves[0]
            yield Hit(
                message=f"at {reference.name} {shown(attempt.first.span.argv)} ran "
                f"{shown(before.leaves[0].span.argv)}; now it runs only a part of it: "
                f"{shown(part.span.argv)}",
                cure=f"let the script run all of it again, then: {rerun(attempt)}",
                span=attempt.first.span,
                requirement=decision.item.name if decision.item else None,
            )


def _at_reference(case: Case, attempt: Attempt) -> Attempt | None:
    """Return the newest run of the same driver on the reference's tree."""
    if attempt.driver is None or not attempt.leaves:
        return None
    for one in reversed(case.recorded):
        if one.driver is None or not one.leaves or one is attempt:
            continue
        if one.driver.selection.key() == attempt.driver.selection.key() and all(
            at_reference(case, part) for part in one.leaves
        ):
            return one
    return None


def _variables(options: tuple[str, ...]) -> str:
    return " ".join(sorted({option.split(":", 1)[0] for option in options}))


RULE = Rule(
    level=Level.ERROR,
    check=_check,
    hides=("nonzero-exit", "partial-run", "no-records"),
)
