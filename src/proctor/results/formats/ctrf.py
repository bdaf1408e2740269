"""The Common Test Report Format, one JSON layout for many runners.

https://ctrf.io/docs/specification/overview
"""

from collections.abc import Iterator

import msgspec

from proctor.errors import ReportError
from proctor.results.base import RED, Format, Result, Summary, clean_id, read_json
from proctor.results.fingerprint import fingerprint
from proctor.results.times import parse_moment

_SIZE_LIMIT = 1 << 30
_OUTCOMES = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped",
    "pending": "skipped",
    "other": "skipped",
}


class _Attempt(msgspec.Struct, rename="camel"):
    status: str
    duration: float | None = None
    message: str | None = None
    trace: str | None = None
    start: float | None = None


class _Test(_Attempt, rename="camel", kw_only=True):
    name: str
    suite: str | list[str] | None = None
    file_path: str | None = None
    flaky: bool | None = None
    retries: int | None = None
    retry_attempts: list[_Attempt] | None = None


class _Counts(msgspec.Struct):
    tests: int


class _Results(msgspec.Struct):
    tests: list[_Test]
    summary: _Counts


class _Content(msgspec.Struct):
    results: _Results


def _read(path: str, detailed: bool) -> Summary:
    content = read_json(path, _Content, what="CTRF report", limit=_SIZE_LIMIT)
    summary = Summary(detailed=detailed)
    tests = content.results.tests
    for test in tests:
        outcome = _OUTCOMES.get(test.status)
        if outcome is None:
            raise ReportError(f"{path}: {test.status[:40]!r} is no outcome")
        name = clean_id(_id_of(test))
        retried = bool(test.flaky) and outcome == "passed"
        attempts = tuple(_attempts(name, test, outcome)) if detailed else None
        summary.add(name, outcome, retried=retried, attempts=attempts)
    if content.results.summary.tests != len(tests):
        summary.disagree(f"summary: tests={content.results.summary.tests}, {len(tests)} tests")
    return summary


def _attempts(name: str, test: _Test, outcome: str) -> Iterator[Result]:
    """Yield the attempts that the report tells of, the last one being the test's own."""
    tries = test.retry_attempts or []
    # Reporters differ in whether the list holds the final attempt too.
    told = tries[:-1] if tries and len(tries) > (test.retries or 0) else tries
    for one in told:
        yield _result(name, one, _OUTCOMES.get(one.status, "failed"))
    if not told and outcome != "skipped":
        yield from (Result(name, "failed") for _ in range(test.retries or int(bool(test.flaky))))
    yield _result(name, test, outcome)


def _result(name: str, one: _Attempt, outcome: str) -> Result:
    return Result(
        name,
        outcome,
        seconds=None if one.duration is None else one.duration / 1000,
        started=None if one.start is None else parse_moment(f"{one.start:.0f}"),
        message=one.message or "",
        fingerprint=fingerprint("", one.message or "", one.trace or "") if outcome in RED else None,
    )


def _id_of(test: _Test) -> str:
    """Return `file::suite::name`, as far as they are told."""
    suites = test.suite if isinstance(test.suite, list) else [test.suite]
    return "::".join(part for part in (test.file_path, *suites, test.name) if part)


FORMAT = Format(read=_read, extension="json")
