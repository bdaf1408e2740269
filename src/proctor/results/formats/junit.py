"""JUnit XML, in the dialects that are found in the wild.

Elements are believed; the counts in attributes are a cross-check, and a failure that
only they tell of counts as one of the suite. Whatever had to be put right is listed
as a repair, whatever does not agree as a disagreement.

There is no standard. https://github.com/testmoapp/junitxml lists what most tools
agree on; the rules here and in `junit_case` name the tools that made them necessary.
"""

import functools
import re

from proctor.errors import ReportError
from proctor.results.base import Format, Summary, clean_id
from proctor.results.junit_case import PARTS, Case, Part
from proctor.results.times import parse_seconds
from proctor.results.xml_stream import XmlReader, read_xml

ID_LIMIT = 4096
"""Characters of an id that are kept."""
TEST_LIMIT = 5_000_000
_DIGITS = 19
"""Of a count; a longer one is none."""
_TEXT_ROOM = 4096
"""Characters of a failure's text that its fingerprint may need."""
_PRINTED_ROOM = 1 << 20
"""Characters of what a case or suite printed that are looked at, where it matters."""
_PRINTED = frozenset({"system-out", "system-err"})
_TAP_CASE = re.compile(r"(\d+)(?: - .*)?", re.DOTALL)
_TAP_POINT = re.compile(r"\s*(not )?ok (\d+)\b[^\n]*?(?<!\\)# *(skip|todo)\b", re.IGNORECASE)
_RETRY = re.compile(r"\[\[ATTACHMENT\|[^\]\n]*-retry(\d{1,4})/")
_FAILED_TRY = re.compile(r"\[\[ATTACHMENT\|[^\]\n]*/error-context\.md\]\]")
_DIALECTS = {
    "pytest": "pytest",
    "pytest tests": "pytest",
    "jest tests": "jest",
    "vitest tests": "vitest",
    "Mocha Tests": "mocha",
    "rspec": "rspec",
}
_NO_RETRIES = frozenset({"jest", "vitest", "mocha", "rspec"})
"""Dialects in which an id that comes again is always another test."""


class _Suite:
    """A `testsuite` or `testsuites` that has not ended yet."""

    __slots__ = ("cases", "depth", "idle", "name", "numbered", "red", "stated", "stated_red")

    def __init__(self, depth: int, attributes: dict[str, str]) -> None:
        self.name = attributes.get("name") or ""
        self.depth = depth
        self.stated = _count(attributes.get("tests"))
        counts = [_count(attributes.get(word)) for word in ("failures", "errors")]
        told = [count for count in counts if count is not None]
        self.stated_red = sum(told) if told else None
        self.cases = 0
        self.red = 0
        self.idle: list[str] = []
        """Ids of passes that nothing is said about and that took no time (jest)."""
        self.numbered: dict[str, str] | None = {}
        """Number of a TAP test point → id; none where other cases are among them."""


class _Reader(XmlReader):
    """Reads one report."""

    what = "JUnit report"
    roots = ("testsuites", "testsuite", "testcase")

    def __init__(self, path: str, encoding: str | None, *, detailed: bool) -> None:
        super().__init__(path, encoding, detailed=detailed)
        self.detailed = detailed
        self.suites: list[_Suite] = []
        self.case: Case | None = None
        self.part: Part | None = None
        self.dialect = ""
        self.after_pass: dict[str, None] = {}
        """pytest: ids that came again after a pass."""
        self.reruns: dict[str, None] = {}
        """Those of them whose earlier passes were failures."""
        self.corrections: dict[str, str] = {}
        self.untimed = True
        self.timed: list[float] = []
        """How long the suites took, where the root does not say."""
        self.in_cases: float | None = None
        """How long the cases took together, where no suite says."""
        self.unloaded: set[str] = set()
        """Files and hooks that failed, so that no test ran."""
        self.listening = 0
        """Depth of an element whose text is kept for what it says of retries or skips."""

    # ── elements ────────────────────────────────────────────────────────────

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take the start of an element."""
        if self.case is not None:
            self._start_in_case(self.case, name, attributes)
        elif name == "testcase":
            self.case = Case(attributes, self.depth)
        elif name in ("testsuites", "testsuite"):
            self._start_suite(name, attributes)
        elif self.suites and self.depth == self.suites[-1].depth + 1:
            self._start_in_suite(self.suites[-1], name)
        elif name == "property" and attributes.get("name") == "go.version":
            self.dialect = "gotestsum"

    def end(self, name: str) -> None:
        """Take the end of an element."""
        if self.listening == self.depth:
            self._heard(self.captured())
            self.listening = 0
        elif self.part is not None and self.case is not None:
            if self.depth == self.case.depth + 1:
                self.part.text, self.part = self.captured(), None
            elif name in _PRINTED:
                self.resume()
        elif self.case is not None and self.case.depth == self.depth:
            self._end_case(self.case)
            self.case = None
        elif self.suites and self.suites[-1].depth == self.depth:
            self._end_suite(self.suites.pop())

    def _start_in_case(self, case: Case, name: str, attributes: dict[str, str]) -> None:
        # A retry brings its own system-out; only direct children are results.
        if self.depth == case.depth + 1:
            if name in PARTS:
                part = Part(name, attributes)
                case.parts.append(part)
                if self.detailed and name != "skipped":
                    self.part = part
                    self.capture(_TEXT_ROOM)
            elif self.dialect == "playwright" and name == "system-out":
                self._listen()
        elif name == "property" and attributes.get("name") == "fail":
            case.expected = True
        elif self.part is not None and name in _PRINTED:
            self.pause()

    def _start_in_suite(self, suite: _Suite, name: str) -> None:
        if name in ("error", "failure"):
            # TAP::Formatter and ant: a suite that could not be run at all.
            self.summary.suite_errors += 1
            suite.red += 1
        elif name == "system-out" and suite.cases and suite.numbered:
            self._listen()

    def _start_suite(self, name: str, attributes: dict[str, str]) -> None:
        seconds = parse_seconds(attributes.get("time"))
        if not self.suites:
            self.summary.seconds = seconds
            if name == "testsuites" and "id" in attributes:
                self.dialect = "playwright"
        elif len(self.suites) == 1 and seconds is not None:
            self.timed.append(seconds)
        suite = _Suite(self.depth, attributes)
        self.dialect = self.dialect or _DIALECTS.get(suite.name, "")
        self.untimed = self.summary.seconds is None and not self.timed
        self.suites.append(suite)

    # ── what only printed text tells ────────────────────────────────────────

    def _listen(self) -> None:
        self.listening = self.depth
        self.capture(_PRINTED_ROOM)

    def _heard(self, text: str) -> None:
        if self.case is not None:
            # Playwright attaches a page to every try that failed, in a folder of that try.
            earlier = max(map(int, _RETRY.findall(text)), default=0)
            self.case.retried_in_text = max(earlier, len(_FAILED_TRY.findall(text)))
        elif self.suites:
            self._heard_points(self.suites[-1], text)

    def _heard_points(self, suite: _Suite, text: str) -> None:
        """Take the directives of TAP points, which TAP::Formatter leaves out of its cases."""
        for line in text.splitlines():
            found = _TAP_POINT.match(line)
            test = (suite.numbered or {}).get(found[2]) if found is not None else None
            if found is None or test is None or self.summary.tests[test] != "passed":
                continue
            todo = "xfailed" if found[1] else "xpassed"
            self._correct(test, "skipped" if found[3].lower() == "skip" else todo)
            self.summary.repair("skips and todos taken from the TAP that the suite printed")

    def _correct(self, test: str, outcome: str) -> None:
        """Give a test that was counted as passed another outcome."""
        self.summary.tests[test] = self.corrections[test] = outcome

    def finish(self) -> None:
        """Give the attempts the outcomes that only came to light after them."""
        self.summary.suite_errors += len(self.unloaded)
        if self.summary.seconds is None:
            self.summary.seconds = sum(self.timed) if self.timed else self.in_cases
        spared = {test for test in self.reruns if self.summary.tests[test] == "passed"}
        for result in reversed(self.summary.results or ()):
            if result.outcome != "passed":
                continue
            if result.test in self.corrections:
                result.outcome = self.corrections.pop(result.test)
            elif result.test in spared:
                spared.remove(result.test)
            elif result.test in self.reruns:
                result.outcome = "failed"

    # ── ends ────────────────────────────────────────────────────────────────

    def _end_case(self, case: Case) -> None:
        suite = self.suites[-1] if self.suites else None
        if suite is not None:
            suite.cases += 1
            suite.red += case.is_red()
        if case.is_no_test():
            # jest-junit writes two for one file.
            self.unloaded.add(self._id_of(case))
            return
        if case.retried_in_text:
            case.retried_in_text *= not case.expected
            # The last of the failed tries is the case itself.
            case.retried_in_text -= case.is_red()
        outcome, retried = case.outcome()
        if case.parts and case.is_risky() and outcome == "passed":
            self.summary.repair("risky tests count as passed, as they do not fail phpunit")
        test = clean_id(self._id_of(case))
        known = self.summary.tests.get(test) if self.dialect == "pytest" else None
        self.summary.add(
            test,
            outcome,
            retried=retried,
            another=self.dialect in _NO_RETRIES,
            attempts=case.attempts(test, outcome) if self.detailed else None,
        )
        if known == "passed":
            self.after_pass[test] = None
        if suite is not None:
            self._note_in_suite(suite, case, test)
        if self.untimed and (seconds := parse_seconds(case.attributes.get("time"))) is not None:
            self.in_cases = (self.in_cases or 0) + seconds
        if len(self.summary.tests) > TEST_LIMIT:
            raise ReportError(f"{self.path}: more than {TEST_LIMIT} tests")

    def _note_in_suite(self, suite: _Suite, case: Case, test: str) -> None:
        if self.dialect == "jest" and not case.parts and case.attributes.get("time") == "0":
            suite.idle.append(test)
        if suite.numbered is not None:
            number = _TAP_CASE.fullmatch(case.attributes.get("name") or "")
            if number is None or "classname" in case.attributes:
                suite.numbered = None
            else:
                suite.numbered[number[1]] = test

    def _end_suite(self, suite: _Suite) -> None:
        where = clean_id(suite.name)[:80] or "(no name)"
        surplus = 0 if suite.stated is None else suite.cases - suite.stated
        if surplus and self.dialect == "jest" and surplus == len(suite.idle):
            for test in suite.idle:
                self._correct(test, "skipped")
            self.summary.repair("jest's todo, written as a pass that its count lacks, is a skip")
            suite.cases -= surplus
        elif surplus > 0 and self.after_pass:
            self._tell_reruns()
        if suite.stated is not None and suite.stated != suite.cases:
            self.summary.disagree(f"suite {where}: tests={suite.stated}, {suite.cases} cases")
        if suite.stated_red is not None and suite.stated_red != suite.red:
            self.summary.disagree(
                f"suite {where}: failures and errors={suite.stated_red}, {suite.red} in its cases"
            )
            if suite.red < suite.stated_red and (not suite.red or self.dialect == "gotestsum"):
                # gotestsum: a package that does not compile is only a number.
                self.summary.suite_errors += suite.stated_red - suite.red
                suite.red = suite.stated_red
        if self.suites:
            self.suites[-1].cases += suite.cases
            self.suites[-1].red += suite.red

    def _tell_reruns(self) -> None:
        """Take passes that came again, and that pytest did not count, for what they are.

        pytest-rerunfailures from 16.6.1 on writes each failed try as a case that passed.
        """
        self.reruns |= self.after_pass
        self.summary.retried |= {
            test: None for test in self.after_pass if self.summary.tests[test] == "passed"
        }
        self.summary.repair("passes that came again are failed tries (pytest-rerunfailures)")
        self.after_pass.clear()

    def _id_of(self, case: Case) -> str:
        """Return `classname::name`; the suites' names stand in for a class."""
        name = (case.attributes.get("name") or "").strip() or "(no name)"
        owner = case.attributes.get("classname") or case.attributes.get("class")
        if not owner:
            owner = "/".join(suite.name for suite in self.suites if suite.name)
        owner = owner.strip()
        # jest-junit and ctest write the name twice.
        return (f"{owner}::{name}" if owner not in ("", name) else name)[:ID_LIMIT]


def _count(text: str | None) -> int | None:
    """Return a count, in whatever spelling: `1,022`, `3.0`."""
    plain = (text or "").replace(",", "").partition(".")[0].strip()
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) < _DIGITS else None


def _read(path: str, detailed: bool) -> Summary:
    return read_xml(functools.partial(_Reader, path, detailed=detailed), path)


FORMAT = Format(read=_read, extension="xml")
