"""The events of `go test -json`, as they are or as `gotestsum --jsonfile` keeps them.

https://pkg.go.dev/cmd/test2json

A test that began and never ended, as after a panic, is an error. A package that fails
without a failing test, because it does not compile, is an error of the suite.
"""

from typing import BinaryIO

import msgspec

from proctor.errors import ReportError
from proctor.results.base import Format, Result, Summary, clean_id
from proctor.results.fingerprint import fingerprint
from proctor.results.times import parse_moment

_LINE_LIMIT = 1 << 20
_TEST_LIMIT = 5_000_000
_ROOM = 4096
_OUTCOMES = {"pass": "passed", "fail": "failed", "skip": "skipped"}


class _Event(msgspec.Struct, rename="pascal"):
    action: str
    time: str | None = None
    package: str = ""
    test: str = ""
    elapsed: float | None = None
    output: str = ""


class _Running:
    """A test that has begun and not ended."""

    __slots__ = ("output", "room", "started")

    def __init__(self, started: str | None) -> None:
        self.started = started
        self.output: list[str] = []
        self.room = _ROOM


class _Reader:
    """Reads one report line by line."""

    def __init__(self, path: str, *, detailed: bool) -> None:
        self.path = path
        self.summary = Summary(detailed=detailed)
        self.running: dict[tuple[str, str], _Running] = {}
        self.failed: set[str] = set()
        """Packages in which a test failed."""
        self.seconds: dict[str, float] = {}
        self.decode = msgspec.json.Decoder(_Event).decode

    def read(self) -> Summary:
        """Return what the report says."""
        try:
            with open(self.path, "rb") as file:
                met = self._lines(file)
        except OSError as error:
            raise ReportError(f"{self.path}: cannot be read: {error.strerror}") from None
        if not met:
            raise ReportError(f"{self.path}: no events of go test -json")
        for (package, test), running in list(self.running.items()):
            self.summary.complete = False
            self._ended(package, test, running, "error", None)
        self.summary.seconds = sum(self.seconds.values()) if self.seconds else None
        return self.summary

    def _lines(self, file: BinaryIO) -> int:
        met = 0
        while line := file.readline(_LINE_LIMIT):
            if not line.startswith(b"{"):
                if line.strip():
                    # What go itself prints between the events: a build that fails.
                    self.summary.repair("lines that are no events left out")
                continue
            try:
                event = self.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                self.summary.complete = self.summary.complete and line.endswith(b"\n")
                self.summary.repair("lines that are no events left out")
                continue
            met += 1
            self._take(event)
        return met

    def _take(self, event: _Event) -> None:
        if not event.test:
            if event.action in _OUTCOMES:
                self._package_ended(event)
            return
        key = (event.package, event.test)
        if event.action == "run":
            self.running[key] = _Running(event.time)
        elif event.action == "output":
            running = self.running.get(key)
            if running is not None and running.room > 0:
                running.output.append(event.output[: running.room])
                running.room -= len(event.output)
        elif event.action in _OUTCOMES:
            running = self.running.pop(key, None) or _Running(None)
            self._ended(*key, running, _OUTCOMES[event.action], event.elapsed)

    def _package_ended(self, event: _Event) -> None:
        package = event.package
        if event.elapsed is not None:
            self.seconds[package] = self.seconds.get(package, 0) + event.elapsed
        for key in [key for key in self.running if key[0] == package]:
            self.summary.repair("tests that began and never ended are errors")
            self._ended(*key, self.running.pop(key), "error", None)
        if event.action == "fail" and package not in self.failed:
            self.summary.suite_errors += 1
        self.failed.discard(package)

    def _ended(
        self, package: str, test: str, running: _Running, outcome: str, seconds: float | None
    ) -> None:
        name = clean_id(f"{package}::{test}")
        text = "".join(running.output)
        red = outcome in ("failed", "error")
        if red:
            self.failed.add(package)
        result = Result(
            name,
            outcome,
            seconds=seconds,
            started=parse_moment(running.started),
            message=_said(text) if red else "",
            fingerprint=fingerprint("", "", text) if red else None,
        )
        self.summary.add(name, outcome, attempts=(result,))
        if len(self.summary.tests) > _TEST_LIMIT:
            raise ReportError(f"{self.path}: more than {_TEST_LIMIT} tests")


def _said(text: str) -> str:
    """Return what a test printed without the marks of its beginning and end."""
    lines = [line.strip() for line in text.splitlines()]
    return "\n".join(line for line in lines if not line.startswith(("=== ", "--- ")))


def _read(path: str, detailed: bool) -> Summary:
    return _Reader(path, detailed=detailed).read()


FORMAT = Format(read=_read, extension="jsonl")
