"""A report as the attempts at each test. What cannot be told apart is refused.

An id that comes again is a retry only if every result of it but the last is a failure,
or if its producer says so. Otherwise several tests share it: their results are never
merged, and never evidence.
"""

from collections.abc import Iterable

import msgspec

from proctor.flakes.names import canonical, steady
from proctor.results.base import RED, Result, Summary
from proctor.results.read import read_summary


class Attempts(msgspec.Struct, frozen=True, kw_only=True):
    """What one run says of one test."""

    test: str
    """The name under which its history is kept."""
    shown: str
    """Its id as the report has it."""
    outcomes: tuple[str, ...]
    """Of its attempts, in their order."""
    seconds: float | None = None
    """Of the last attempt."""
    fingerprints: tuple[str, ...] = ()
    """Of its failures, each once; empty where the report does not tell what they said."""
    message: str = ""


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """What one report says."""

    tests: tuple[Attempts, ...]
    refused: tuple[str, ...]
    """Ids that several tests share."""
    refused_red: tuple[str, ...] = ()
    """Those of them of which a result is a failure."""
    complete: bool
    """Whether the session was finished, and every test that was to run did."""
    suite_errors: int


def read_attempts(path: str, format_name: str) -> Read:
    """Return the attempts that a report tells of.

    Raises:
        ReportError: it cannot be read, or is no such report.
    """
    return attempts_of(read_summary(path, format_name, detailed=True))


def attempts_of(summary: Summary) -> Read:
    """Return the attempts that a detailed summary tells of."""
    groups: dict[str, list[Result]] = {}
    for result in summary.results or ():
        groups.setdefault(result.test, []).append(result)
    refused = [test for test, group in groups.items() if _is_shared(test, group, summary)]
    shared = {test: groups.pop(test) for test in refused}
    names = _names(groups)
    return Read(
        tests=tuple(_attempts(names[test], test, group) for test, group in groups.items()),
        refused=tuple(refused),
        refused_red=tuple(t for t, some in shared.items() if any(o.outcome in RED for o in some)),
        complete=summary.complete and len(summary.tests) >= (summary.collected or 0),
        suite_errors=summary.suite_errors,
    )


def _is_shared(test: str, group: list[Result], summary: Summary) -> bool:
    if len(group) == 1:
        return False
    return test in summary.ambiguous or any(one.outcome not in RED for one in group[:-1])


def _names(tests: Iterable[str]) -> dict[str, str]:
    """Return each id's name; where masking would make two of them one, it is left out."""
    plain = {test: canonical(test) for test in tests}
    masked: dict[str, list[str]] = {}
    for test, name in plain.items():
        masked.setdefault(steady(name), []).append(test)
    return {
        test: name if len(alike) == 1 else plain[test]
        for name, alike in masked.items()
        for test in alike
    }


def _attempts(name: str, shown: str, group: list[Result]) -> Attempts:
    failures = [one for one in group if one.outcome in RED]
    return Attempts(
        test=name,
        shown=shown,
        outcomes=tuple(one.outcome for one in group),
        seconds=group[-1].seconds,
        fingerprints=tuple(dict.fromkeys(f.fingerprint for f in failures if f.fingerprint)),
        message=next((one.message for one in failures if one.message), ""),
    )
