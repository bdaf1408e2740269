"""What the text that a test run printed suggests: failures, or that nothing ran.

Text is what a process, or the agent's own `echo`, chose to print, often cut by `tail`.
What is found here is a hint for people. It proves nothing, and its absence neither.
"""

import re
from typing import Literal

Shows = Literal["", "failures", "nothing ran"]

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_NOT_STARTED = re.compile(
    r"No module named '?[\"']?(?P<module>[\w.]+)|"
    r"(?P<program>[\w./-]+): (?:command )?not found\b|"
    r"(?:command not found|not found in PATH): (?P<other>[\w./-]+)|"
    r"Missing script: \"?'?(?P<script>[\w:-]+)|"
    r"Error: no test specified",
    re.MULTILINE,
)
_NOTHING = re.compile(
    r"^=*\s*no tests ran\b.*|^collected 0 items\b.*|^Ran 0 tests? in .*|^NO TESTS RAN\b.*|"
    r"^No tests? (?:files? )?found\b.*|^No test suite found\b.*|^No tests were found!*.*|"
    r"^No tests executed!?.*|^\s*0 passing\b.*|^running 0 tests$|^0 examples, 0 failures.*|"
    r"^No test is available\b.*|^testing: warning: no tests to run.*|"
    r"^\s*(?:Tests|Test Suites):\s+0 total.*|^ℹ tests 0$|^# tests 0$|^Executed 0 tests\b.*|"
    r"^make: (?:'[^']+' is up to date|Nothing to be done for '[^']+')\.|"
    r"^\?\s+\S+\s+\[no test files\]$",
    re.MULTILINE | re.IGNORECASE,
)
_EXECUTED = re.compile(
    r"\b[1-9]\d* (?:passed|failed|passing|failing|errors?|examples?)\b|"
    r"^ok\s+\S+\s+[\d.(c]|^FAIL\b|^--- (?:PASS|FAIL)|^Ran [1-9]\d* tests?|^running [1-9]\d* tests?|"
    r"Tests run: [1-9]|^# (?:pass|fail) [1-9]|^ℹ (?:pass|fail) [1-9]|^(?:not )?ok [1-9]\d* |"
    r"^OK \([1-9]|Tests: [1-9]|^\s+✓ |% tests passed",
    re.MULTILINE,
)
_FAILURES = re.compile(
    r"^(?:=+ )?(?:[^\n=]*\b)?(?<![\d.])[1-9]\d* failed\b[^\n]*(?:\bin [\d.]+|=\s*$|\bpassed\b|"
    r"\btotal\b|\|)[^\n]*|"
    r"^(?:=+ )?[1-9]\d* errors? in [\d.]+s[^\n]*|"
    r"^[1-9]\d* failed(?:, [1-9]\d* [a-z]+)*$|"
    r"^FAILED \((?:failures|errors|unexpected)[^\n]*\)|^--- FAIL: [^\n]+|^FAIL\t[^\n]+|^FAIL$|"
    r"^test result: FAILED\.[^\n]*|^\s*[1-9]\d* failing\b[^\n]*|"
    r"^\d+ examples?, [1-9]\d* failures?[^\n]*|^Tests run: \d+, +(?:Failures: [1-9]|"
    r"Failures: \d+, +Errors: [1-9])[^\n]*|^# fail [1-9]\d*$|^ℹ fail [1-9]\d*$|"
    r"^FAILURES!$|^Tests: \d+, .*\b(?:Failures|Errors): [1-9][^\n]*|"
    r"^\d+% tests passed, [1-9]\d* tests? failed[^\n]*|^FAILED [\w./-]+::[^\n]+",
    re.MULTILINE,
)
_MODULES = frozenset(
    ("pytest", "tox", "nox", "nose2", "nose", "unittest", "behave", "robot", "django", "coverage")
)
_SHOWN = 120


def shown_by(text: str, runner: str, argv: tuple[str, ...]) -> tuple[Shows, str]:
    """Return what a run's text suggests, and the words that do.

    `runner` is the command's class and `argv` its arguments: a program that was not found
    matters only where it is the runner itself.
    """
    text = _ANSI.sub("", text)
    if found := _FAILURES.search(text):
        return "failures", _cut(found[0])
    if _EXECUTED.search(text):
        return "", ""
    for missing in _NOT_STARTED.finditer(text):
        if _is_runner(missing, runner, argv):
            return "nothing ran", _cut(missing[0])
    if nothing := _NOTHING.search(text):
        return "nothing ran", _cut(nothing[0])
    return "", ""


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
