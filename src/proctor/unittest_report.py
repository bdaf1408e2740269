"""Writes down which tests unittest executed, and how each one ended.

Proctor offers this file beside its pytest plugin, in the same wheel; it imports nothing
of Proctor's and runs on Python 3.8 or newer. The file is `<pid>-<start of the process in
clock ticks>.unittest.json` in the folder that `PROCTOR_REPORT` names. A first version
(`"complete": false`) is written before a test's module is imported, the last one when the
run stops. A process that never ran unittest leaves none. What is written comes from a
process that the tests run in: it is evidence only together with the exit code.

Of several results that the tests themselves make, only the one that was begun first counts.

Schema `proctor.unittest/1`: `complete`, `tests` (`[id, outcome]`), `failures` (id: what it
said), `errors` (what failed outside of a test), `uncalled` (ids that were reported as
passed without their method having been called; they stand in `tests` as skipped),
`rootdir`. Ids are `path::Class::method`, relative to the folder that it was started in.
"""

import atexit
import contextlib
import functools
import json
import os
import sys
import types
import unittest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SCHEMA = "proctor.unittest/1"
_MOST_FAILURES = 1000
_LONGEST_MESSAGE = 4000
_RANK = {"skipped": 0, "xfailed": 1, "passed": 2, "error": 3, "failed": 4}
_OUTCOMES = {
    "addSuccess": "passed",
    "addError": "error",
    "addFailure": "failed",
    "addSkip": "skipped",
    "addExpectedFailure": "xfailed",
    "addUnexpectedSuccess": "failed",
}
_CALLING = ("__call__", "run", "_callTestMethod")
"""The methods of a case that come between its suite and the test's own method."""


def begin(folder: str) -> None:
    """Begin a report, and have unittest's results write into it."""
    report = Report(folder)
    report.write(complete=False)
    atexit.register(report.leave)
    result = unittest.TestResult
    for name, outcome in _OUTCOMES.items():
        _also(result, name, functools.partial(report.note, outcome))
    _also(result, "addSubTest", report.note_part)
    _also(result, "startTest", report.start)
    _also(result, "startTestRun", report.start_run)
    _also(result, "stopTestRun", report.stop_run)


def _also(owner: type, name: str, then: "Callable[..., None]") -> None:
    """Have a method call `then` with its own arguments first."""
    method = getattr(owner, name)

    @functools.wraps(method)
    def both(self: object, *given: "Any") -> "Any":
        with contextlib.suppress(Exception):
            then(self, *given)
        return method(self, *given)

    setattr(owner, name, both)


class Report:
    """The tests of this process."""

    def __init__(self, folder: str) -> None:
        self._pid = os.getpid()
        self._path = os.path.join(folder, f"{self._pid}-{_start_ticks()}.unittest.json")
        self._root = os.path.realpath(os.getcwd())
        self._result: object = None
        self._runs = 0
        self._outcomes: dict[str, str] = {}
        self._failures: dict[str, list[str]] = {}
        self._errors: list[str] = []
        self._uncalled: dict[str, None] = {}
        self._entered: list[bool] | None = None

    def start_run(self, result: object) -> None:
        """Take a result as the one that counts, unless another one is at work."""
        if self._result is None:
            self._result = result

    def stop_run(self, result: object) -> None:
        """Write the last version, the run being over."""
        if result is self._result:
            self._result = None
            self._runs += 1
            self.write(complete=True)

    def start(self, result: object, test: unittest.TestCase) -> None:
        """See whether the test's own method is entered, where other code may take its place."""
        if result is not self._result:
            return
        self._entered = None
        code = _code_of(test)
        if code is not None and sys.getprofile() is None and _is_taken(test):
            self._entered = entered = []

            def profile(frame: types.FrameType, _event: str, _argument: object) -> None:
                if frame.f_code is code:
                    entered.append(True)
                    sys.setprofile(None)

            sys.setprofile(profile)

    def note(self, outcome: str, result: object, test: object, told: object = None) -> None:
        """Note the outcome of a test, or of what stands around tests."""
        if result is not self._result:
            return
        name = self._name_of(test)
        if self._entered is not None:
            sys.setprofile(None)
            if outcome == "passed" and not self._entered:
                self._uncalled[name] = None
                outcome = "skipped"
            self._entered = None
        if not isinstance(test, unittest.TestCase) and outcome == "error":
            self._errors.append(name)
            return
        known = self._outcomes.get(name)
        if known is None or _RANK[outcome] > _RANK[known]:
            self._outcomes[name] = outcome
        if outcome in ("failed", "error") and len(self._failures) < _MOST_FAILURES:
            said = str(told[1]) if isinstance(told, tuple) else ""
            self._failures.setdefault(name, []).append(said[:_LONGEST_MESSAGE])

    def note_part(self, result: object, test: object, _part: object, told: object) -> None:
        """Note the failure of a part of a test."""
        if told is not None:
            self.note("failed", result, test, told)

    def leave(self) -> None:
        """Take the report away if unittest was never begun: nothing is known then."""
        if os.getpid() == self._pid and not self._runs and self._result is None:
            with contextlib.suppress(OSError):
                os.unlink(self._path)

    def write(self, *, complete: bool) -> None:
        """Write what is known; another process of a fork writes nothing."""
        if os.getpid() != self._pid:
            return
        content = {
            "schema": SCHEMA,
            "complete": complete,
            "tests": list(self._outcomes.items()),
            "failures": self._failures,
            "errors": self._errors,
            "uncalled": list(self._uncalled),
            "rootdir": self._root,
        }
        fresh = self._path + ".new"
        with contextlib.suppress(OSError):
            with open(fresh, "w", encoding="ascii") as file:
                json.dump(content, file)
            os.replace(fresh, self._path)

    def _name_of(self, test: object) -> str:
        kind = type(test)
        method = getattr(test, "_testMethodName", "")
        file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
        path = os.path.relpath(os.path.realpath(file), self._root) if file else ".."
        if not isinstance(test, unittest.TestCase) or not hasattr(kind, method):
            named = getattr(test, "id", None)
            return str(named() if callable(named) else test)
        if path.startswith(".."):
            return f"{kind.__module__}::{kind.__qualname__}::{method}"
        return f"{path}::{kind.__qualname__}::{method}".replace(os.sep, "/")


def _code_of(test: unittest.TestCase) -> "types.CodeType | None":
    method = getattr(test, getattr(test, "_testMethodName", ""), None)
    function = getattr(method, "__func__", None)
    return function.__code__ if type(function) is types.FunctionType else None


def _is_taken(test: unittest.TestCase) -> bool:
    """Return whether a case is called by code that belongs to no distribution."""
    for name in _CALLING:
        code = getattr(getattr(type(test), name, None), "__code__", None)
        file = os.path.realpath(code.co_filename) if code is not None else os.__file__
        installed = any(f"{os.sep}{word}-packages{os.sep}" in file for word in ("site", "dist"))
        if not installed and not file.startswith(os.path.dirname(os.path.realpath(os.__file__))):
            return True
    return False


def _start_ticks() -> int:
    """Return when this process started, in clock ticks since boot; 0 if unknown."""
    try:
        with open("/proc/self/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[19])
    except OSError:  # pragma: other platform
        return 0
