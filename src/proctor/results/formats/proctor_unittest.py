"""What Proctor's own file counts of unittest, `proctor.unittest/1`."""

import msgspec

from proctor.errors import ReportError
from proctor.results.base import OUTCOMES, RED, Format, Result, Summary, clean_id, read_json
from proctor.results.fingerprint import fingerprint

_SCHEMA = "proctor.unittest/1"
_SIZE_LIMIT = 1 << 30


class _Content(msgspec.Struct):
    schema: str
    complete: bool
    tests: list[tuple[str, str]]
    failures: dict[str, list[str]] = {}
    errors: list[str] = []
    uncalled: list[str] = []
    rootdir: str | None = None


def _read(path: str, detailed: bool) -> Summary:
    content = read_json(path, _Content, what="report of unittest", limit=_SIZE_LIMIT)
    if content.schema != _SCHEMA:
        raise ReportError(f"{path}: schema is {content.schema[:40]!r}, {_SCHEMA!r} can be read")
    summary = Summary(detailed=detailed)
    summary.complete = content.complete
    summary.root = content.rootdir
    summary.suite_errors = len(content.errors)
    summary.uncalled = len(content.uncalled)
    for test_id, outcome in content.tests:
        if outcome not in OUTCOMES:
            raise ReportError(f"{path}: {outcome[:40]!r} is no outcome")
        name = clean_id(test_id)
        tries = tuple(_tries(name, outcome, content.failures.get(test_id, [])))
        summary.add(name, outcome, attempts=tries if detailed else None)
    return summary


def _tries(name: str, outcome: str, said: list[str]) -> list[Result]:
    if outcome not in RED:
        return [Result(name, outcome)]
    return [
        Result(name, outcome, message=message, fingerprint=fingerprint("", message))
        for message in said[:1] or [""]
    ]


FORMAT = Format(read=_read, extension="json")
