"""Arguments that make a runner leave tests out, for those who insist, and what they get wrong.

Proctor itself never does this: it lets the tests run and explains their failure after.
"""

import re
import shlex
from collections.abc import Callable, Sequence

_Made = tuple[list[str], str]


def _pytest(tests: Sequence[str]) -> _Made:
    return (
        [f"--deselect={test}" for test in tests],
        "--deselect matches prefixes: t.py::test_a takes test_ab out too; unknown ids are silent",
    )


def _titles(option: str) -> Callable[[Sequence[str]], _Made]:
    def make(tests: Sequence[str]) -> _Made:
        names = "|".join(re.escape(test.rpartition("::")[2]) for test in tests)
        return (
            [option, f"^(?!(?:{names})$)"],
            f"{option} matches titles in every file, and what it leaves out reads as skipped",
        )

    return make


def _go(tests: Sequence[str]) -> _Made:
    names = "|".join(re.escape(test.rpartition("::")[2]) for test in tests)
    return (
        ["-skip", f"^(?:{names})$"],
        "-skip takes no package: tests of one name go everywhere; Go before 1.20 has none",
    )


def _nextest(tests: Sequence[str]) -> _Made:
    names = " | ".join(f"test(={test.rpartition('::')[2]})" for test in tests)
    return ["-E", f"not ({names})"], "nextest takes a name that matches nothing silently"


RUNNERS: dict[str, Callable[[Sequence[str]], _Made]] = {
    "pytest": _pytest,
    "jest": _titles("-t"),
    "vitest": _titles("-t"),
    "mocha": lambda tests: (
        ["--invert", "--grep", "|".join(re.escape(t.rpartition("::")[2]) for t in tests)],
        "mocha --grep matches parts of titles: longer titles that hold this one go too",
    ),
    "go": _go,
    "nextest": _nextest,
}


def arguments(runner: str, tests: Sequence[str]) -> tuple[str, str]:
    """Return a shell-quoted line of arguments, and what is wrong with it."""
    if not tests:
        return "", "nothing is quarantined"
    made, warning = RUNNERS[runner](tests)
    return shlex.join(made), warning
