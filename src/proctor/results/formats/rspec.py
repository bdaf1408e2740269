"""The report of rspec's own `--format json`."""

import msgspec

from proctor.errors import ReportError
from proctor.results.base import Format, Summary, read_json

_SIZE_LIMIT = 1 << 30
_OUTCOMES = {"passed": "passed", "failed": "failed", "pending": "skipped"}


class _Example(msgspec.Struct):
    full_description: str
    status: str
    file_path: str = ""


class _Counts(msgspec.Struct):
    example_count: int
    errors_outside_of_examples_count: int = 0


class _Content(msgspec.Struct):
    examples: list[_Example]
    summary: _Counts


def _read(path: str) -> Summary:
    content = read_json(path, _Content, what="JSON report of rspec", limit=_SIZE_LIMIT)
    summary = Summary()
    summary.suite_errors = content.summary.errors_outside_of_examples_count
    for example in content.examples:
        outcome = _OUTCOMES.get(example.status)
        if outcome is None:
            raise ReportError(f"{path}: {example.status[:40]!r} is no outcome")
        owner = example.file_path.removeprefix("./")
        name = example.full_description
        summary.add(f"{owner}::{name}" if owner else name, outcome)
    if content.summary.example_count != len(content.examples):
        summary.disagree(
            f"example_count={content.summary.example_count}, {len(content.examples)} examples"
        )
    return summary


FORMAT = Format(read=_read, extension="json")
