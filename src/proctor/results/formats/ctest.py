"""The log that ctest leaves behind each run, `Testing/Temporary/LastTest.log`.

ctest writes it whether or not a report was asked for, and anew each time. A test
prints into it what it likes, but only between the marks of its output.
"""

import re

from proctor.errors import ReportError
from proctor.results.base import Format, Summary

_FIRST = "Start testing:"
_LAST = "End testing:"
_TEST = re.compile(r"\d+/\d+ Testing: (.*)")
_OUTPUT_ENDS = "<end of output>"
_NOT_STARTED = 'Command: ""'
_LINE_LIMIT = 1 << 16
"""Characters of a line that are looked at; a test may print one of any length."""


class _Reader:
    """Reads the log line by line."""

    def __init__(self, path: str, *, detailed: bool) -> None:
        self.path = path
        self.summary = Summary(detailed=detailed)
        self.summary.complete = False
        self.test: str | None = None
        self.in_output = False
        self.skipped = False

    def read(self) -> Summary:
        """Return what the log says."""
        try:
            with open(self.path, encoding="utf-8", errors="backslashreplace") as file:
                first = file.readline(_LINE_LIMIT)
                if not first.startswith(_FIRST):
                    raise ReportError(f"{self.path}:1: no log of ctest: begins with {first[:40]!r}")
                while line := file.readline(_LINE_LIMIT):
                    self._line(line.rstrip("\n"))
        except OSError as error:
            raise ReportError(f"{self.path}: cannot be read: {error.strerror}") from None
        if self.test is not None:
            self.summary.add(self.test, "error")
        return self.summary

    def _line(self, line: str) -> None:
        if self.in_output:
            self.in_output = not line.endswith(_OUTPUT_ENDS)
            return
        started = _TEST.fullmatch(line)
        if started is not None:
            self.test, self.skipped = started[1], False
        elif line == "Output:":
            self.in_output = True
        elif line == _NOT_STARTED or line.lower().startswith("skip"):
            # Disabled; or the reason behind a pass: a skip code or expression.
            self.skipped = True
        elif line.startswith("Test ") and line.endswith("."):
            self._end(passed=line == "Test Passed.")
        elif line.startswith(_LAST):
            self.summary.complete = True

    def _end(self, *, passed: bool) -> None:
        if self.test is None:
            return
        outcome = "skipped" if self.skipped and passed else "passed" if passed else "failed"
        self.summary.add(self.test, outcome)
        self.test = None


def _read(path: str, detailed: bool) -> Summary:
    return _Reader(path, detailed=detailed).read()


FORMAT = Format(read=_read, extension="log")
