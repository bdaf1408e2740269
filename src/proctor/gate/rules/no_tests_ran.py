"""A test command ended well, and nothing shows that a test was executed.

Proves that no test runner ran below it, or that the runner's own report counts
no executed test: a test that is skipped or expected to fail is none, nor one that is
reported as passed without its function having been called. Does not prove that there
are no tests.

Likely cause: the runner is missing, the selection matches nothing, every test is
skipped, a conftest takes the tests' place, or a build tool found nothing to do.

Next: run the tests so that at least one is executed: `proctor run -- pytest`.
"""

from collections.abc import Iterator

from proctor.classify.selection import count_selected
from proctor.findings import Level
from proctor.gate.attempts import Attempt, Part, State
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case, Decision
from proctor.gate.cures import selecting, without
from proctor.gate.words import command, listed, rerun, shown
from proctor.records.span import Span


def _check(case: Case) -> Iterator[Hit]:
    for decision, attempt in case.judged():
        name = decision.item.name if decision.item else None
        for message, cure, level in _reasons(case, decision, attempt):
            yield Hit(
                message=message,
                cure=cure,
                span=attempt.first.span,
                level=level,
                requirement=name,
            )
    for span in case.scripts:
        yield Hit(
            message=f"{shown(span.argv)} is a script: nothing shows that it ran a test",
            cure=_for_script(span),
            span=span,
            level=Level.UNPROVEN,
        )


def _for_script(span: Span) -> str:
    """Return what to run instead of a script."""
    words = span.argv[1:]
    if not words or words[0].startswith("-"):
        return "run the test runner itself: proctor run -- pytest"
    return f"run the file with a test runner: {command(('python', '-m', 'pytest', *words))}"


_Reason = tuple[str, str, Level]


def _reasons(case: Case, decision: Decision, attempt: Attempt) -> Iterator[_Reason]:
    first = attempt.first
    if first.status == "absent":
        step = "install it" if first.not_found else "let the line reach it"
        yield (
            f"{shown(first.span.argv)} names {shown(first.what.argv)}; no such program ever ran",
            f"{step}, then: {rerun(attempt)}",
            Level.ERROR,
        )
    elif not attempt.leaves:
        if first.span.exit_code == 0 and first.status == "own":
            yield _driver(first, attempt)
    elif attempt.executed == 0:
        if all(part.state is State.GREEN for part in attempt.parts):
            yield (
                f"{shown(first.span.argv)} returned 0 and executed no test{_instead(attempt)}",
                f"select at least one test that is not skipped: {rerun(attempt)}",
                Level.ERROR,
            )
    elif attempt.executed is None:
        yield from _uncounted(case, decision, attempt)
    elif _uncalled(attempt):
        yield (
            f"{shown(first.span.argv)} returned 0, and {_uncalled_in_words(attempt)}",
            f"look at what takes the tests' place, then: {rerun(attempt)}",
            Level.UNPROVEN,
        )


def _instead(attempt: Attempt) -> str:
    """Return what became of the tests that were there."""
    if _uncalled(attempt):
        return f": {_uncalled_in_words(attempt)}"
    skipped = sum(report.skipped for report in attempt.reports)
    xfailed = sum(report.xfailed for report in attempt.reports)
    counts = ((skipped, "skipped"), (xfailed, "expected to fail"))
    words = " and ".join(f"{count:,} {word}" for count, word in counts if count)
    return f": {words}" if words else ""


def _uncalled(attempt: Attempt) -> int:
    return sum(report.uncalled for report in attempt.reports)


def _uncalled_in_words(attempt: Attempt) -> str:
    """Return how many tests passed without being called, and who may have seen to it."""
    count = _uncalled(attempt)
    words = "1 test was" if count == 1 else f"{count:,} tests were"
    files = {file: hook for report in attempt.reports for hook, file in report.hooks}
    hooks = listed(tuple(f"{hook} in {file}" for file, hook in files.items()))
    beside = f"; beside pytest's own there is {hooks}" if hooks else ""
    return f"{words} reported as passed without its function having been called{beside}"


def _driver(part: Part, attempt: Attempt) -> _Reason:
    name = shown(part.span.argv)
    if part.span.witness != "tree":
        return (
            f"{name} returned 0, but what it started was not witnessed",
            f"run the test runner itself, or where Proctor may trace: {rerun(attempt)}",
            Level.UNPROVEN,
        )
    if part.what.command_class == "go test":
        return (
            f"{name} returned 0 and started no test binary: cached, or there are no tests",
            rerun(attempt).replace("go test", "go test -count=1", 1),
            Level.UNPROVEN,
        )
    if part.below:
        return (
            f"{name} returned 0; what ran below it is no test runner that Proctor knows",
            "name that program in proctor.toml: [classes.NAME] match = [[…]], kind = 'leaf'",
            Level.UNPROVEN,
        )
    return (
        f"{name} returned 0 and started no test runner",
        f"make it run the tests, then: {rerun(attempt)}",
        Level.ERROR,
    )


def _uncounted(case: Case, decision: Decision, attempt: Attempt) -> Iterator[_Reason]:
    """Yield reasons to doubt that anything ran where no report counts it."""
    if any(part.state is not State.GREEN for part in attempt.parts):
        return
    part = attempt.leaves[0]
    name = shown(part.span.argv)
    if _is_narrowed(case, part) and not decision.whole:
        yield (
            f"{name} is narrowed, and nothing shows that a test matched",
            _widened(part),
            Level.UNPROVEN,
        )
    elif _finds_idle_files(case, part):
        yield (
            f"{name} returned 0; the test files that it selects are empty or only skip",
            f"put a test there that is executed, then: {rerun(attempt)}",
            Level.UNPROVEN,
        )
    elif not part.workers and not _may_find_tests(case, part):
        yield (
            f"{name} returned 0, and no test file of its kind is known where it looked",
            f"let it write a report that counts tests, or: {rerun(attempt)}",
            Level.UNPROVEN,
        )


def _is_narrowed(case: Case, part: Part) -> bool:
    """Return whether options leave tests out, or a pattern that may match none."""
    if case.selecting.is_narrowed(part.what):
        return True
    by_pattern = part.what.matching == "pattern" and bool(part.what.selectors)
    return by_pattern and not count_selected(part.what, case.known(part.what.command_class).files)


def _widened(part: Part) -> str:
    """Return the command without what narrows it, variables included."""
    names = sorted({option.partition(":")[0] for option in part.what.narrowing_env})
    unset = f"unset {' '.join(names)}; " if names else ""
    return unset + command(without(part.what, selecting), part.selection.where)


def _finds_idle_files(case: Case, part: Part) -> bool:
    """Return whether every file that a leaf selects is known to execute no test."""
    known = case.known(part.what.command_class).files if case.evidence.idle else ()
    every = part.what.matching == "name" or not part.what.selectors
    selected = [path for path in known if every or case.reaches(part, path)]
    return bool(selected) and case.evidence.idle.issuperset(selected)


def _may_find_tests(case: Case, part: Part) -> bool:
    """Return whether the files that a leaf selects hold tests, as far as names tell."""
    known = case.evidence.known.get(part.what.command_class)
    if known is None:
        return True
    if part.what.matching != "path" or not part.what.selectors:
        return bool(known.files)
    return any(case.reaches(part, path) for path in known.files)


RULE = Rule(
    level=Level.ERROR,
    check=_check,
    hides=("partial-run", "below-floor", "stale-tree", "no-records", "missing-junit"),
)
