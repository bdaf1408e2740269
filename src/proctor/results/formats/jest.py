"""The JSON report of jest, `--json --outputFile`; vitest's `--reporter=json` is alike."""

import msgspec

from proctor.errors import ReportError
from proctor.results.base import Format, Summary, read_json

_SIZE_LIMIT = 1 << 30
_OUTCOMES = {
    "passed": "passed",
    "failed": "failed",
    "pending": "skipped",
    "skipped": "skipped",
    "todo": "skipped",
    "disabled": "skipped",
}


class _Assertion(msgspec.Struct, rename="camel"):
    status: str
    full_name: str = ""
    title: str = ""


class _File(msgspec.Struct, rename="camel"):
    name: str
    status: str
    assertion_results: list[_Assertion]


class _Content(msgspec.Struct, rename="camel"):
    test_results: list[_File]
    num_total_tests: int
    was_interrupted: bool = False


def _read(path: str) -> Summary:
    content = read_json(path, _Content, what="JSON report of jest", limit=_SIZE_LIMIT)
    summary = Summary()
    summary.complete = not content.was_interrupted
    for file_result in content.test_results:
        if file_result.status == "failed" and not file_result.assertion_results:
            # A file that could not be loaded has no tests to fail.
            summary.suite_errors += 1
        for item in file_result.assertion_results:
            outcome = _OUTCOMES.get(item.status)
            if outcome is None:
                raise ReportError(f"{path}: {item.status[:40]!r} is no outcome")
            summary.add(f"{file_result.name}::{item.full_name or item.title}", outcome)
    total = sum(len(result.assertion_results) for result in content.test_results)
    if content.num_total_tests != total:
        summary.disagree(f"numTotalTests={content.num_total_tests}, {total} tests")
    return summary


FORMAT = Format(read=_read, extension="json")
