"""JUnit XML, in the dialects that are found in the wild.

Read as a stream: text is never kept, so a report of any size needs memory for
its ids alone. A DTD is refused. Elements are believed; the counts in attributes
are a cross-check. Whatever had to be put right is listed as a repair.

There is no standard. https://github.com/testmoapp/junitxml lists what most
tools agree on; the rules below name the tools that made them necessary.
"""

import re
from collections.abc import Iterator
from xml.parsers import expat

from proctor.errors import ReportError
from proctor.results.base import Format, Summary, clean_id

DEPTH_LIMIT = 256
ID_LIMIT = 4096
"""Characters of an id that are kept."""
TEST_LIMIT = 5_000_000
_BLOCK = 1 << 18
_TOKEN_LIMIT = 64 << 20
"""Bytes that one tag may take."""
_HEAD = 1 << 16
_CONTROL = bytes(code for code in range(32) if code not in (9, 10, 13))
_REFERENCE = re.compile(rb"&#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,10}));")
_REFERENCE_LENGTH = 16
_NOT_RUN = frozenset({"notrun", "disabled", "suppressed", "skipped", "ignored", "pending", "todo"})
_FAILED = frozenset({"fail", "failed", "failure", "error", "errored", "timedout"})
_CASE_PARTS = frozenset(
    {
        "failure", "error", "skipped", "flakyfailure", "flakyerror", "rerunfailure", "rerunerror",
    }
)  # fmt: skip
_LAST = 0xFFFE
_SURROGATES = range(0xD800, 0xE000)


def parse_seconds(text: str | None) -> float | None:
    """Return a duration in seconds; none where it is missing or makes no sense.

    Takes `1.5`, `4.5e-05`, `1,234.5` and the decimal comma of `0,123`.
    """
    if text is None:
        return None
    plain = text.strip()
    if "," in plain:
        plain = plain.replace(",", "") if "." in plain else plain.replace(",", ".")
    try:
        seconds = float(plain)
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _read(path: str) -> Summary:
    try:
        return _Reader(path, None).read()
    except _WrongEncodingError:
        return _Reader(path, "iso-8859-1").read()
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}") from None


class _WrongEncodingError(Exception):
    """The bytes are not in the encoding that the report claims."""


class _Case:
    """A `testcase` that has not ended yet."""

    __slots__ = ("attributes", "depth", "parts", "seconds")

    def __init__(self, attributes: dict[str, str], depth: int) -> None:
        self.attributes = attributes
        self.depth = depth
        self.parts: list[tuple[str, str]] = []

    def outcome(self) -> tuple[str, bool]:
        """Return the outcome, and whether an earlier try of it failed."""
        kinds = {kind for kind, _ in self.parts}
        status = (self.attributes.get("status") or "").lower()
        result = (self.attributes.get("result") or "").lower()
        red = bool(kinds & {"failure", "error"}) or "failure" in self.attributes
        retried = bool(kinds & {"flakyfailure", "flakyerror"})
        if "skipped" in kinds:
            # node's todo and catch2's mayfail: run, and expected to fail.
            expected = red or any("xfail" in kind for part, kind in self.parts if part == "skipped")
            return ("xfailed" if expected else "skipped"), retried
        if red or (kinds & {"rerunfailure", "rerunerror"} and not retried):
            return ("error" if "error" in kinds and "failure" not in kinds else "failed"), retried
        if status in _NOT_RUN or result in _NOT_RUN:
            return "skipped", retried
        if status in _FAILED or result in _FAILED:
            return "failed", retried
        return "passed", retried


class _Suite:
    """A `testsuite` or `testsuites` that has not ended yet."""

    __slots__ = ("cases", "depth", "name", "stated")

    def __init__(self, name: str, depth: int, stated: str | None) -> None:
        self.name = name
        self.depth = depth
        self.stated = stated
        self.cases = 0


class _Reader:
    """Reads one report; `encoding` overrides what the report says of itself."""

    def __init__(self, path: str, encoding: str | None) -> None:
        self.path = path
        self.encoding = encoding
        self.summary = Summary()
        self.depth = 0
        self.root: str | None = None
        self.closed = False
        self.suites: list[_Suite] = []
        self.case: _Case | None = None
        self.seconds: float | None = None
        if encoding is not None:
            self.summary.repair(f"read as {encoding}: it is not in the encoding it claims")
        self.parser = expat.ParserCreate(encoding)
        self.parser.buffer_text = False
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse

    def read(self) -> Summary:
        """Return what the report says."""
        fed = 0
        try:
            for block in self._blocks():
                self.parser.Parse(block, False)
                fed += len(block)
                if fed - self.parser.CurrentByteIndex > _TOKEN_LIMIT:
                    raise ReportError(f"{self.path}: a tag of more than {_TOKEN_LIMIT} bytes")
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            self._cope(error)
        except (LookupError, ValueError):  # from Python's codecs, which expat asks
            raise _WrongEncodingError from None
        self.summary.seconds = self.seconds
        return self.summary

    def _blocks(self) -> Iterator[bytes]:
        """Yield the file's bytes with what XML does not allow taken out."""
        with open(self.path, "rb") as file:
            head = file.read(_HEAD)
            wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
            start = 0 if wide else head.find(b"<")
            if start > 0 and head[:start].strip(b"\xef\xbb\xbf \t\r\n"):
                self.summary.repair("text before the first tag left out")
                head = head[start:]
            elif start > 0:
                head = head[:start].lstrip(b"\xef\xbb\xbf \t\r\n") + head[start:]
            rest = b""
            block = head
            while block:
                data = block if wide else rest + block
                block = file.read(_BLOCK)
                if wide:
                    yield data
                    continue
                keep = self._unfinished(data) if block else len(data)
                rest = data[keep:]
                yield self._scrubbed(data[:keep])

    @staticmethod
    def _unfinished(data: bytes) -> int:
        """Return where a character reference begins that the block cuts in two."""
        at = data.rfind(b"&", max(0, len(data) - _REFERENCE_LENGTH))
        return at if at >= 0 else len(data)

    def _scrubbed(self, data: bytes) -> bytes:
        clean = data.translate(None, _CONTROL)
        if len(clean) != len(data):
            self.summary.repair("control characters taken out")
        if b"&#" in clean:
            clean = _REFERENCE.sub(self._reference, clean)
        return clean

    def _reference(self, found: "re.Match[bytes]") -> bytes:
        code = int(found[1], 16) if found[1] else int(found[2])
        allowed = code in (9, 10, 13) or (
            32 <= code <= 0x10FFFF and code not in _SURROGATES and code & _LAST != _LAST
        )
        if allowed:
            return found[0]
        self.summary.repair("references to control characters replaced")
        return b"&#xFFFD;"

    def _cope(self, error: expat.ExpatError) -> None:
        """Go on with what was read where that is possible.

        Raises:
            ReportError: nothing was read.
            _WrongEncodingError: another try is worth it.
        """
        codes = expat.errors.codes
        reason = expat.errors.messages[error.code]
        if self.closed:
            self.summary.repair(f"what follows the report left out ({reason})")
            return
        invalid = (
            codes[expat.errors.XML_ERROR_INVALID_TOKEN],
            codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING],
            codes[expat.errors.XML_ERROR_INCORRECT_ENCODING],
        )
        if self.encoding is None and error.code in invalid:
            raise _WrongEncodingError
        if self.root is None:
            raise ReportError(f"{self.path}:{error.lineno}: no JUnit report: {reason}")
        self.summary.complete = False
        self.summary.repair(f"broken off in line {error.lineno} ({reason})")

    def _refuse(self, *_: object) -> None:
        raise ReportError(
            f"{self.path}:{self.parser.CurrentLineNumber}: holds a DTD, which is refused; "
            "write the report without a DOCTYPE"
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise ReportError(f"{self.path}: elements are nested deeper than {DEPTH_LIMIT}")
        name = _local(tag)
        if self.root is None:
            if name not in ("testsuites", "testsuite", "testcase"):
                raise ReportError(
                    f"{self.path}: no JUnit report: the first element is <{name[:40]}>"
                )
            self.root = name
        if self.case is not None:
            # A retry brings its own system-out; only direct children are results.
            if name in _CASE_PARTS and self.depth == self.case.depth + 1:
                self.case.parts.append((name, (attributes.get("type") or "").lower()))
        elif name == "testcase":
            self.case = _Case(attributes, self.depth)
        elif name in ("testsuites", "testsuite"):
            self._start_suite(attributes)
        elif (
            name in ("error", "failure") and self.suites and self.depth == self.suites[-1].depth + 1
        ):
            # TAP::Formatter and ant: a suite that could not be run at all.
            self.summary.suite_errors += 1

    def _start_suite(self, attributes: dict[str, str]) -> None:
        if not self.suites:
            self.seconds = parse_seconds(attributes.get("time"))
        name = attributes.get("name") or ""
        self.suites.append(_Suite(name, self.depth, attributes.get("tests")))

    def _end(self, _tag: str) -> None:
        if self.case is not None and self.case.depth == self.depth:
            self._end_case(self.case)
            self.case = None
        elif self.suites and self.suites[-1].depth == self.depth:
            self._end_suite(self.suites.pop())
        self.depth -= 1
        self.closed = self.depth == 0

    def _end_case(self, case: _Case) -> None:
        outcome, retried = case.outcome()
        if self.suites:
            self.suites[-1].cases += 1
        self.summary.add(self._id_of(case), outcome, retried=retried)
        if len(self.summary.tests) > TEST_LIMIT:
            raise ReportError(f"{self.path}: more than {TEST_LIMIT} tests")

    def _end_suite(self, suite: _Suite) -> None:
        if self.suites:
            self.suites[-1].cases += suite.cases
        stated = (suite.stated or "").replace(",", "").partition(".")[0]
        if stated.isdigit() and int(stated) != suite.cases:
            where = clean_id(suite.name)[:80] or "(no name)"
            self.summary.disagree(f"suite {where}: tests={stated}, {suite.cases} cases")

    def _id_of(self, case: _Case) -> str:
        """Return `classname::name`; the suites' names stand in for a class."""
        owner = case.attributes.get("classname") or case.attributes.get("class")
        if not owner:
            owner = "/".join(suite.name for suite in self.suites if suite.name)
        name = case.attributes.get("name") or "(no name)"
        return (f"{owner}::{name}" if owner else name)[:ID_LIMIT]


def _local(tag: str) -> str:
    """Return an element's name without its namespace, in lower case."""
    return tag.rpartition(":")[2].lower()


FORMAT = Format(read=_read, extension="xml")
