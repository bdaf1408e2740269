"""The report of rspec's own `--format json`."""

import msgspec

from proctor.errors import ReportError
from proctor.results.base import RED, Format, Result, Summary, clean_id, read_json
from proctor.results.fingerprint import fingerprint

_SIZE_LIMIT = 1 << 30
_OUTCOMES = {"passed": "passed", "failed": "failed", "pending": "skipped"}


class _Exception(msgspec.Struct):
    kind: str = msgspec.field(default="", name="class")
    message: str = ""


class _Example(msgspec.Struct):
    full_description: str
    status: str
    file_path: str = ""
    run_time: float | None = None
    exception: _Exception | None = None


class _Counts(msgspec.Struct):
    example_count: int
    errors_outside_of_examples_count: int = 0


class _Content(msgspec.Struct):
    examples: list[_Example]
    summary: _Counts


def _read(path: str, detailed: bool) -> Summary:
    content = read_json(path, _Content, what="JSON report of rspec", limit=_SIZE_LIMIT)
    summary = Summary(detailed=detailed)
    summary.suite_errors = content.summary.errors_outside_of_examples_count
    for example in content.examples:
        outcome = _OUTCOMES.get(example.status)
        if outcome is None:
            raise ReportError(f"{path}: {example.status[:40]!r} is no outcome")
        owner = example.file_path.removeprefix("./")
        name = example.full_description
        name = clean_id(f"{owner}::{name}" if owner else name)
        summary.add(name, outcome, another=True, attempts=(_result(name, example, outcome),))
    if content.summary.example_count != len(content.examples):
        summary.disagree(
            f"example_count={content.summary.example_count}, {len(content.examples)} examples"
        )
    return summary


def _result(name: str, example: _Example, outcome: str) -> Result:
    raised = example.exception or _Exception()
    return Result(
        name,
        outcome,
        seconds=example.run_time,
        message=raised.message,
        fingerprint=fingerprint(raised.kind, raised.message) if outcome in RED else None,
    )


FORMAT = Format(read=_read, extension="json")
