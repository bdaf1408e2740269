"""The Common Test Report Format, one JSON layout for many runners.

https://ctrf.io/docs/specification/overview
"""

import msgspec

from proctor.errors import ReportError
from proctor.results.base import Format, Summary, read_json

_SIZE_LIMIT = 1 << 30
_OUTCOMES = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped",
    "pending": "skipped",
    "other": "skipped",
}


class _Test(msgspec.Struct, rename="camel"):
    name: str
    status: str
    suite: str | list[str] | None = None
    file_path: str | None = None
    flaky: bool | None = None


class _Counts(msgspec.Struct):
    tests: int


class _Results(msgspec.Struct):
    tests: list[_Test]
    summary: _Counts


class _Content(msgspec.Struct):
    results: _Results


def _read(path: str) -> Summary:
    content = read_json(path, _Content, what="CTRF report", limit=_SIZE_LIMIT)
    summary = Summary()
    tests = content.results.tests
    for test in tests:
        outcome = _OUTCOMES.get(test.status)
        if outcome is None:
            raise ReportError(f"{path}: {test.status[:40]!r} is no outcome")
        summary.add(_id_of(test), outcome, retried=bool(test.flaky) and outcome == "passed")
    if content.results.summary.tests != len(tests):
        summary.disagree(f"summary: tests={content.results.summary.tests}, {len(tests)} tests")
    return summary


def _id_of(test: _Test) -> str:
    """Return `file::suite::name`, as far as they are told."""
    suites = test.suite if isinstance(test.suite, list) else [test.suite]
    return "::".join(part for part in (test.file_path, *suites, test.name) if part)


FORMAT = Format(read=_read, extension="json")
