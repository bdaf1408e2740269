"""The report of Proctor's own pytest plugin, `proctor.pytest/1`."""

from collections.abc import Iterator

import msgspec

from proctor.errors import ReportError
from proctor.results.base import OUTCOMES, RED, Format, Result, Summary, clean_id
from proctor.results.fingerprint import fingerprint

_SCHEMA = "proctor.pytest/1"
_SIZE_LIMIT = 1 << 30
_NARROWING = {
    "keyword": "-k",
    "markexpr": "-m",
    "deselect": "--deselect",
    "ignore": "--ignore",
    "ignore_glob": "--ignore-glob",
    "lf": "--lf",
    "stepwise": "--sw",
}
"""The plugin's names of options that leave tests out, and pytest's own."""

_Value = bool | int | str | list[str]
_MOST_FOREIGN = 20


class _Content(msgspec.Struct):
    """The members that are counted; the others are for people."""

    schema: str
    complete: bool
    tests: list[tuple[str, str]]
    exit_status: int | None = None
    not_collected: list[str] = []
    retried: dict[str, int] = {}
    failures: dict[str, list[str]] = {}
    found: int | None = None
    collected: int | None = None
    deselected: int = 0
    options: dict[str, _Value] = {}
    left_out: list[str] = []
    rootdir: str | None = None
    inifile: str | None = None
    foreign: list[tuple[str, str]] = []
    uncalled: list[str] = []
    hooks: list[tuple[str, str]] = []


def _read(path: str, detailed: bool) -> Summary:
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
    summary = Summary(detailed=detailed)
    summary.complete = content.complete
    summary.exit_status = content.exit_status
    summary.found = content.found
    summary.collected = content.collected
    summary.deselected = content.deselected
    summary.options = tuple(_words(content.options))
    summary.left_out = tuple(clean_id(name) for name in content.left_out)
    summary.root = content.rootdir
    summary.settings_file = content.inifile
    summary.foreign = tuple(content.foreign[:_MOST_FOREIGN])
    summary.uncalled = len(content.uncalled)
    summary.hooks = tuple(content.hooks[:_MOST_FOREIGN])
    summary.suite_errors = len(content.not_collected)
    for test_id, outcome in content.tests:
        if outcome not in OUTCOMES:
            raise ReportError(f"{path}: {outcome[:40]!r} is no outcome")
        times = content.retried.get(test_id, 0)
        name = clean_id(test_id)
        said = content.failures.get(test_id, [])
        tries = _attempts(name, outcome, times, said) if detailed else None
        summary.add(name, outcome, retried=times > 0, attempts=tries)
    return summary


def _attempts(name: str, outcome: str, times: int, said: list[str]) -> tuple[Result, ...]:
    """Return the attempts; a test that fails, and its teardown too, said two things."""
    earlier, last = said[:times], said[times:] if outcome in RED else []
    messages = [*earlier, *[""] * (times - len(earlier))]
    tries = [_failed(name, "failed", message) for message in messages]
    if not last:
        return (*tries, Result(name, outcome))
    return (*tries, *(_failed(name, outcome, message) for message in last))


def _failed(name: str, outcome: str, message: str) -> Result:
    return Result(name, outcome, message=message, fingerprint=fingerprint("", message))


def _words(options: dict[str, _Value]) -> Iterator[str]:
    """Yield the narrowing options as the classification of an argv words them."""
    for name, option in _NARROWING.items():
        value = options.get(name)
        if isinstance(value, list):
            yield from (f"{option}={clean_id(word)}" for word in value)
        elif isinstance(value, str):
            yield f"{option}={clean_id(value)}"
        elif value:
            yield option


FORMAT = Format(read=_read, extension="json")
