"""The report of Proctor's own pytest plugin, `proctor.pytest/1`."""

import msgspec

from proctor.errors import ReportError
from proctor.results.base import OUTCOMES, Format, Summary

_SCHEMA = "proctor.pytest/1"
_SIZE_LIMIT = 1 << 30
_MOST_FOREIGN = 20


class _Content(msgspec.Struct):
    """The members that are counted; the others are for people."""

    schema: str
    complete: bool
    tests: list[tuple[str, str]]
    exit_status: int | None = None
    retried: dict[str, int] = {}
    foreign: list[tuple[str, str]] = []


def _read(path: str) -> Summary:
    try:
        with open(path, "rb") as file:
            data = file.read(_SIZE_LIMIT)
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        content = msgspec.json.decode(data, type=_Content)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ReportError(f"{path}: no report of the pytest plugin: {error}") from None
    if content.schema != _SCHEMA:
        raise ReportError(f"{path}: schema is {content.schema[:40]!r}, {_SCHEMA!r} can be read")
    summary = Summary()
    summary.complete = content.complete
    summary.exit_status = content.exit_status
    summary.foreign = tuple(content.foreign[:_MOST_FOREIGN])
    for test_id, outcome in content.tests:
        if outcome not in OUTCOMES:
            raise ReportError(f"{path}: {outcome[:40]!r} is no outcome")
        summary.add(test_id, outcome, retried=test_id in content.retried)
    return summary


FORMAT = Format(read=_read, extension="json")
