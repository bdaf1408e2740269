"""The JSON report of jest, `--json --outputFile`; vitest's `--reporter=json` is alike."""

import msgspec

from proctor.errors import ReportError
from proctor.results.base import RED, Format, Result, Summary, clean_id, read_json
from proctor.results.fingerprint import fingerprint
from proctor.results.times import parse_moment

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
    duration: float | None = None
    start_at: float | None = None
    failure_messages: list[str] = []
    invocations: int = 1
    """How often it was tried, the last time included."""
    retry_reasons: list[str] = []


class _File(msgspec.Struct, rename="camel"):
    name: str
    status: str
    assertion_results: list[_Assertion]


class _Content(msgspec.Struct, rename="camel"):
    test_results: list[_File]
    num_total_tests: int
    was_interrupted: bool = False


def _read(path: str, detailed: bool) -> Summary:
    content = read_json(path, _Content, what="JSON report of jest", limit=_SIZE_LIMIT)
    summary = Summary(detailed=detailed)
    summary.complete = not content.was_interrupted
    for file_result in content.test_results:
        if file_result.status == "failed" and not file_result.assertion_results:
            # A file that could not be loaded has no tests to fail.
            summary.suite_errors += 1
        for item in file_result.assertion_results:
            outcome = _OUTCOMES.get(item.status)
            if outcome is None:
                raise ReportError(f"{path}: {item.status[:40]!r} is no outcome")
            name = clean_id(f"{file_result.name}::{item.full_name or item.title}")
            summary.add(
                name,
                outcome,
                retried=item.invocations > 1 and outcome == "passed",
                # jest names a test by its titles alone: two may have the same.
                another=True,
                attempts=_attempts(name, item, outcome) if detailed else None,
            )
    total = sum(len(result.assertion_results) for result in content.test_results)
    if content.num_total_tests != total:
        summary.disagree(f"numTotalTests={content.num_total_tests}, {total} tests")
    return summary


def _attempts(name: str, item: _Assertion, outcome: str) -> tuple[Result, ...]:
    earlier: list[str] = [*item.retry_reasons, *[""] * item.invocations][: item.invocations - 1]
    message = item.failure_messages[0] if item.failure_messages else ""
    final = Result(
        name,
        outcome,
        seconds=None if item.duration is None else item.duration / 1000,
        started=None if item.start_at is None else parse_moment(f"{item.start_at:.0f}"),
        message=message,
        fingerprint=fingerprint("", "", message) if outcome in RED else None,
    )
    tries = [
        Result(name, "failed", message=text, fingerprint=fingerprint("", "", text))
        for text in earlier
    ]
    return (*tries, final)


FORMAT = Format(read=_read, extension="json")
