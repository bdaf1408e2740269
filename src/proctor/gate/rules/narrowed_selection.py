"""Less was run than what is owed, by options that leave tests out.

Proves that the newest green run covers only a part of a run that is required, or
was last seen red, or that a variable narrowed a run whose argv looks whole. Does
not prove that the tests left out would fail.

Likely cause: only the failing test was run again, or a variable such as
`PYTEST_ADDOPTS` carries a filter.

Next: run the whole command: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import Attempt, State
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case, Decision
from proctor.gate.words import command, rerun, shown


def _check(case: Case) -> Iterator[Hit]:
    for decision in case.decisions:
        if decision.deciding is None:
            yield from _never_whole(case, decision)
        elif decision.narrower is not None and decision.deciding.state is State.RED:
            yield _after_red(decision, decision.deciding, decision.narrower)
    for decision, part in case.leaves():
        if part.what.narrowing_env:
            yield Hit(
                message=f"{shown(part.span.argv)} was narrowed by its environment: "
                f"{', '.join(part.what.narrowing_env)}",
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
        message=f"{item.name!r} owes {shown(owed.selection.what.argv)}; "
        f"only a part of it was run: {shown(narrower.first.span.argv)}",
        cure=command(owed.selection.what.argv),
        span=narrower.first.span,
        requirement=item.name,
    )


def _after_red(decision: Decision, red: Attempt, narrower: Attempt) -> Hit:
    return Hit(
        message=f"{shown(red.first.span.argv)} failed last; "
        f"only a part of it was run since: {shown(narrower.first.span.argv)}",
        cure=rerun(red),
        span=red.first.span,
        requirement=decision.item.name if decision.item else None,
    )


def _variables(options: tuple[str, ...]) -> str:
    return " ".join(sorted({option.split(":", 1)[0] for option in options}))


RULE = Rule(
    level=Level.ERROR,
    check=_check,
    hides=("nonzero-exit", "partial-run", "no-records"),
)
