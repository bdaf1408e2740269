"""Visual Studio's test results, what `dotnet test --logger trx` writes.

The class of a test stands in a definition after the results, so ids are made at the end.
"""

import functools
import re

from proctor.results.base import RED, Format, Result, Summary, clean_id
from proctor.results.fingerprint import fingerprint
from proctor.results.times import parse_moment, parse_seconds
from proctor.results.xml_stream import XmlReader, read_xml

_ROOM = 4096
_COUNT = re.compile(r"[0-9]{1,18}")
_OUTCOMES = {
    "passed": "passed",
    "passedbutrunaborted": "passed",
    "warning": "passed",
    "completed": "passed",
    "failed": "failed",
    "error": "error",
    "timeout": "error",
    "aborted": "error",
    "disconnected": "error",
    "notrunnable": "error",
    "inprogress": "error",
    "inconclusive": "skipped",
    "notexecuted": "skipped",
    "pending": "skipped",
    "": "skipped",
}


class _Test:
    """A `UnitTestResult`; `inner` are those of its rows."""

    __slots__ = ("attributes", "inner", "message", "trace")

    def __init__(self, attributes: dict[str, str]) -> None:
        self.attributes = attributes
        self.inner = 0
        self.message = ""
        self.trace = ""


class _Reader(XmlReader):
    """Reads one report."""

    what = "trx report"
    roots = ("testrun",)

    def __init__(self, path: str, encoding: str | None, *, detailed: bool) -> None:
        super().__init__(path, encoding, detailed=detailed)
        self.open: list[_Test] = []
        self.tests: list[_Test] = []
        self.classes: dict[str, str] = {}
        """Id of a definition → the class of its method."""
        self.definition = ""
        self.stated: int | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take the start of an element."""
        if name == "unittestresult":
            if self.open:
                self.open[-1].inner += 1
            self.open.append(_Test(attributes))
        elif name in ("message", "stacktrace") and self.open:
            self.capture(_ROOM)
        elif name == "unittest":
            self.definition = attributes.get("id", "")
        elif name == "testmethod":
            self.classes[self.definition] = attributes.get("className", "").partition(",")[0]
        elif name == "runinfo" and attributes.get("outcome", "").lower() == "error":
            self.summary.suite_errors += 1
        elif name == "counters" and _COUNT.fullmatch(attributes.get("total", "")):
            self.stated = int(attributes["total"])
        elif name == "resultsummary" and attributes.get("outcome", "").lower() == "aborted":
            self.summary.complete = False

    def end(self, name: str) -> None:
        """Take the end of an element."""
        if not self.open:
            return
        if name == "unittestresult":
            self.tests.append(self.open.pop())
        elif name == "message":
            self.open[-1].message = self.captured()
        elif name == "stacktrace":
            self.open[-1].trace = self.captured()

    def finish(self) -> None:
        """Count the tests, their classes being known."""
        top = 0
        for test in self.tests:
            # A test of several rows is the sum of them, and none of its own.
            top += "parentExecutionId" not in test.attributes
            if not test.inner:
                self._add(test)
        if self.stated is not None and self.stated not in (top, len(self.tests)):
            self.summary.disagree(f"total={self.stated}, {top} results")
        if self.summary.results is not None:
            told = [one.seconds for one in self.summary.results if one.seconds is not None]
            self.summary.seconds = sum(told) if told else None

    def _add(self, test: _Test) -> None:
        word = test.attributes.get("outcome", "").lower()
        outcome = _OUTCOMES.get(word)
        if outcome is None:
            outcome = "error"
            self.summary.disagree(f"{word[:40]!r} is no outcome: counted as an error")
        owner = self.classes.get(test.attributes.get("testId", ""), "")
        name = test.attributes.get("testName", "").removeprefix(f"{owner}.") or "(no name)"
        name = clean_id(f"{owner}::{name}" if owner else name)
        result = Result(
            name,
            outcome,
            seconds=parse_seconds(test.attributes.get("duration")),
            started=parse_moment(test.attributes.get("startTime")),
            message=test.message,
            fingerprint=fingerprint("", test.message, test.trace) if outcome in RED else None,
        )
        self.summary.add(name, outcome, attempts=(result,))


def _read(path: str, detailed: bool) -> Summary:
    return read_xml(functools.partial(_Reader, path, detailed=detailed), path)


FORMAT = Format(read=_read, extension="trx")
