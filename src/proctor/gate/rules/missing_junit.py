"""A report that counts the executed tests was to be expected, and there is none.

Proves that a green runner which Proctor counts by itself, or whose argv names a report,
left none, or that it could not be examined when it ended. Does not prove that no test
was executed. Where the same selection was counted before, nothing takes its place.

Likely cause: `python -I`, `env -i`, plugins that are switched off, `--report off`, a
runner older than the plugin takes, a folder that may not be written to.

Next: let Proctor count: `proctor run -- pytest`, without what switches its plugin off.
"""

from collections.abc import Iterator

from proctor.classify.selection import positionals
from proctor.findings import Level
from proctor.gate.attempts import Attempt, Part, State, is_shell, ran
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.cures import without
from proctor.gate.words import command, counted, shown
from proctor.records.span import Report

_COUNTED = {"pytest": "plugin for pytest", "unittest": "part in unittest"}
"""The classes that Proctor counts by itself, and what of it does so."""
_CLEARS = frozenset(("tox", "bazel test"))
"""Drivers that clear the environment of what they start: no plugin can be offered."""

_KEEP_OUT = frozenset(("-I", "-E", "-IE", "--disable-plugin-autoload"))
"""Words that keep plugins from being found."""


def _check(case: Case) -> Iterator[Hit]:
    for decision, attempt in case.judged():
        name = decision.item.name if decision.item else None
        for part in attempt.leaves:
            if part.state is not State.GREEN or is_shell(part.span):
                continue
            if _is_unexamined(part):
                yield Hit(
                    message=f"{shown(part.span.argv)} could not be examined when it ended: what "
                    "it executed, and whether files changed meanwhile, is not known",
                    cure=command(part.what.argv, part.selection.where),
                    span=part.span,
                    requirement=name,
                )
            elif part.span.report is None:
                yield from _uncounted(case, attempt, part, name)
    for captured in case.evidence.captured:
        for run in captured.runs:
            if not run.junit:
                yield Hit(
                    message=f"{captured.folder} holds no JUnit report of {run.name}",
                    cure="let the runner write one, then: proctor evidence capture",
                    paths=(captured.folder,),
                )


def _is_unexamined(part: Part) -> bool:
    git = part.span.git
    return (
        git is not None
        and git.tree is not None
        and git.tree_after is None
        and part.span.ended_by == "exit"
    )


def _uncounted(case: Case, attempt: Attempt, part: Part, name: str | None) -> Iterator[Hit]:
    what = part.what
    if what.report is not None:
        missing = (
            f"the {what.report[0]} report {what.report[1]} that it names was not written by it"
        )
    elif what.command_class not in _COUNTED:
        if not _was_asked(part) or _counted_before(case, part) is None:
            return
        missing = "the reporter that Proctor offered wrote down no test"
    elif not part.span.injected:
        missing = "its report was switched off (`--report off`)"
    else:
        counting = _COUNTED[what.command_class]
        missing = f"Proctor's {counting}, which counts them, was not loaded or wrote nothing"
    cleared = attempt.driver is not None and attempt.driver.what.command_class in _CLEARS
    before = None if cleared else _counted_before(case, part)
    message = f"nothing shows which tests {shown(part.span.argv)} executed: {missing}"
    if before is not None:
        message += f"; {counted(ran(before))} of the same selection were counted before"
    yield Hit(
        message=message,
        cure=f"let Proctor count: {command(_plain(part), part.selection.where)}",
        span=part.span,
        level=Level.NOTE if cleared else Level.UNPROVEN if before is not None else None,
        requirement=name,
    )


def _was_asked(part: Part) -> bool:
    """Return whether node's own runner was offered a reporter that counts."""
    return any(word.startswith("NODE_OPTIONS+=") for word in part.span.injected)


def _counted_before(case: Case, part: Part) -> Report | None:
    """Return the report of the newest earlier leaf that was given the same tests to run."""
    for attempt in reversed(case.recorded):
        for other in attempt.leaves:
            report = other.span.report
            if (
                report is not None
                and ran(report)
                and other.span.started_at < part.span.started_at
                and _asked(other) == _asked(part)
            ):
                return report
    return None


def _asked(part: Part) -> tuple[object, ...]:
    """Return what a leaf was told to run, by whichever interpreter and plugins."""
    what = part.what
    place = part.selection.project, part.selection.where
    return what.command_class, place, positionals(what), what.narrowing


def _plain(part: Part) -> list[str]:
    """Return the leaf's argv without what keeps the plugin out."""
    words = without(part.what, lambda what: [w for w in what.selectors if w.startswith("-p=no:")])
    return [word for word in words if word not in _KEEP_OUT]


RULE = Rule(level=Level.WARNING, check=_check)
