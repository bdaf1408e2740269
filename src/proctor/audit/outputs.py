"""What the text that a test run printed suggests: failures, or that nothing ran.

Text is what a process, or the agent's own `echo`, chose to print, often cut by `tail`.
What is found here is a hint for people. It proves nothing, and its absence neither.
"""

import re
from typing import Literal

Shows = Literal["", "failures", "nothing ran"]

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_NOT_STARTED = re.compile(
    r".*?(?:No module named '?[\"']?(?P<module>[\w.]+)|"
    r"(?<![\w./-])(?P<program>[\w./-]+): (?:command )?not found\b(?!: \S)|"
    r"(?:command not found|not found in PATH): (?P<other>[\w./-]+)|"
    r"Missing script: \"?'?(?P<script>[\w:-]+)|"
    r"Error: no test specified)"
)
_NOTHING = re.compile(
    r"=*\s*no tests ran\b.*|collected 0 items\b.*|Ran 0 tests? in .*|NO TESTS RAN\b.*|"
    r"No tests? (?:files? )?found\b.*|No test suite found\b.*|No tests were found!*.*|"
    r"No tests executed!?.*|\s*0 passing\b.*|running 0 tests$|0 examples, 0 failures.*|"
    r"No test is available\b.*|testing: warning: no tests to run.*|"
    r"\s*(?:Tests|Test Suites):\s+0 total.*|ℹ tests 0$|# tests 0$|Executed 0 tests\b.*|"
    r"make: (?:'[^']+' is up to date|Nothing to be done for '[^']+')\.|"
    r"\?\s+\S+\s+\[no test files\]$",
    re.IGNORECASE,
)
_EXECUTED = re.compile(
    r"(?:.*?(?<![\d.]))??(?:[1-9]\d* (?:passed|failed|passing|failing|errors?|examples?)\b|"
    r"Tests run: [1-9]|Tests: [1-9]|\d+% tests passed)|"
    r"ok\s+\S+\s+[\d.(c]|FAIL\b|--- (?:PASS|FAIL)|Ran [1-9]\d* tests?|running [1-9]\d* tests?|"
    r"# (?:pass|fail) [1-9]|ℹ (?:pass|fail) [1-9]|(?:not )?ok [1-9]\d* |OK \([1-9]|\s+✓ "
)
_FAILURES = re.compile(
    r"(?:=+ )?(?:[^=]*?\b)??(?<![\d.])[1-9]\d* failed\b.*?(?:\bin [\d.]+|=\s*$|\bpassed\b|"
    r"\btotal\b|\|).*|"
    r"(?:=+ )?[1-9]\d* errors? in [\d.]+s.*|"
    r"[1-9]\d* failed(?:, [1-9]\d* [a-z]+)*$|"
    r"FAILED \((?:failures|errors|unexpected).*\)|--- FAIL: .+|FAIL\t.+|FAIL$|"
    r"test result: FAILED\..*|\s*[1-9]\d* failing\b.*|"
    r"\d+ examples?, [1-9]\d* failures?.*|Tests run: \d+, +(?:Failures: [1-9]|"
    r"Failures: \d+, +Errors: [1-9]).*|# fail [1-9]\d*$|ℹ fail [1-9]\d*$|"
    r"FAILURES!$|Tests: \d+, .*\b(?:Failures|Errors): [1-9].*|"
    r"\d+% tests passed, [1-9]\d* tests? failed.*|FAILED [\w./-]+::.+"
)
_MODULES = frozenset(
    ("pytest", "tox", "nox", "nose2", "nose", "unittest", "behave", "robot", "django", "coverage")
)
_SHOWN = 120
_LONGEST = 300
"""Characters of a line that are looked at."""


def shown_by(text: str, runner: str, argv: tuple[str, ...]) -> tuple[Shows, str]:
    """Return what a run's text suggests, and the words that do.

    `runner` is the command's class and `argv` its arguments: a program that was not found
    matters only where it is the runner itself.
    """
    lines = [line[:_LONGEST] for line in _ANSI.sub("", text).splitlines() if line.strip()]
    if found := _first(_FAILURES, lines):
        return "failures", _cut(found[0])
    if _first(_EXECUTED, lines):
        return "", ""
    for line in lines:
        missing = _NOT_STARTED.match(line)
        if missing and _is_runner(missing, runner, argv):
            return "nothing ran", _cut(missing[0])
    if nothing := _first(_NOTHING, lines):
        return "nothing ran", _cut(nothing[0])
    return "", ""


def _first(pattern: re.Pattern[str], lines: list[str]) -> re.Match[str] | None:
    """Return how the first of the lines that fits the pattern does."""
    return next(filter(None, map(pattern.match, lines)), None)


def _is_runner(missing: re.Match[str], runner: str, argv: tuple[str, ...]) -> bool:
    names = {word.rpartition("/")[2] for word in argv[:4]} | set(runner.split())
    if module := missing["module"]:
        first = module.partition(".")[0]
        return first in names and (first in _MODULES or first == runner)
    if program := missing["program"] or missing["other"]:
        return program.rpartition("/")[2] in names
    if script := missing["script"]:
        return script in names or runner.startswith(("npm", "pnpm", "yarn", "bun"))
    return runner.startswith(("npm", "pnpm", "yarn", "bun"))


def _cut(words: str) -> str:
    return " ".join(words.split())[:_SHOWN]
