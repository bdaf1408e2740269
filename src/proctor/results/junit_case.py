"""What a `testcase` of a JUnit report comes to, whoever wrote it."""

import re

from proctor.results.base import Result
from proctor.results.fingerprint import fingerprint
from proctor.results.times import parse_moment, parse_seconds

PARTS = frozenset(
    {
        *("failure", "error", "skipped", "warning"),
        *("flakyfailure", "flakyerror", "rerunfailure", "rerunerror"),
    }
)
"""Elements of a case that say how it, or a try of it, ended."""
_FLAKY = frozenset({"flakyfailure", "flakyerror"})
_RERUN = frozenset({"rerunfailure", "rerunerror"})
_NOT_RUN = frozenset({"notrun", "disabled", "suppressed", "skipped", "ignored", "pending", "todo"})
_FAILED = frozenset({"fail", "failed", "failure", "error", "errored", "timedout"})
_RISKY = ("riskytest", "riskydueto")
_PLAIN = frozenset({"classname", "name", "time", "file", "line", "timestamp"})
"""Attributes that say nothing of the outcome."""
_HOOK = re.compile(r'(?:.* )?"(?:before|after) (?:all|each)" hook\b.*')


class Part:
    """An element of a case; `text` is there only where every attempt is asked for."""

    __slots__ = ("kind", "message", "name", "seconds", "started", "text")

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name = name
        self.kind = attributes.get("type") or ""
        self.message = attributes.get("message") or ""
        self.seconds = attributes.get("time")
        self.started = attributes.get("timestamp")
        self.text = ""


class Case:
    """A `testcase` that has not ended yet."""

    __slots__ = ("attributes", "depth", "expected", "parts", "retried_in_text")

    def __init__(self, attributes: dict[str, str], depth: int) -> None:
        self.attributes = attributes
        self.depth = depth
        self.parts: list[Part] = []
        self.retried_in_text = 0
        """Failed tries that only what the case printed tells of (Playwright)."""
        self.expected = False
        """Whether it is meant to fail (Playwright's `test.fail`)."""

    def is_red(self) -> bool:
        """Whether the counts of a suite would count it as a failure."""
        if self.parts and any(part.name in ("failure", "error") for part in self.parts):
            return True
        return "failure" in self.attributes

    def is_no_test(self) -> bool:
        """Whether it stands for a file or hook that failed, so that no test ran.

        pytest's collection error, jest's suite that does not load, mocha's hooks.
        """
        if not self.is_red():
            return False
        name = self.attributes.get("name") or ""
        return (
            any(part.message == "collection failure" for part in self.parts)
            or self.attributes.get("classname") == "Test suite failed to run"
            or _HOOK.fullmatch(name) is not None
        )

    def outcome(self) -> tuple[str, bool]:
        """Return the outcome, and whether an earlier try of a pass failed."""
        if not self.parts and not self.retried_in_text and self.attributes.keys() <= _PLAIN:
            return "passed", False
        names = {part.name for part in self.parts}
        retried = bool(names & _FLAKY) or self.retried_in_text > 0
        red = self._is_failed(names)
        if "skipped" in names:
            return self._skipped(red=red), False
        if red or (names & _RERUN and not names & _FLAKY):
            return ("error" if names & {"error"} and "failure" not in names else "failed"), False
        if self._is_no_run(names):
            return "skipped", retried
        if self._says(_FAILED):
            return "failed", False
        return "passed", retried

    def is_risky(self) -> bool:
        """Whether PHPUnit only calls it risky, which does not fail its run."""
        return any(
            part.name == "error" and any(word in part.kind.lower() for word in _RISKY)
            for part in self.parts
        )

    def attempts(self, test: str, outcome: str) -> tuple[Result, ...]:
        """Return the attempts in the order in which they were made."""
        if not self.parts and not self.retried_in_text:
            return (self._final(test, outcome),)
        tries = [_failed(test, part) for part in self.parts if part.name in _FLAKY]
        again = [_failed(test, part) for part in self.parts if part.name in _RERUN]
        tries += [Result(test, "failed")] * (self.retried_in_text - len(tries))
        if not (again and outcome == "failed" and not self.is_red()):
            tries.append(self._final(test, outcome))
        return (*tries, *again)

    def _final(self, test: str, outcome: str) -> Result:
        seconds = parse_seconds(self.attributes.get("time"))
        started = parse_moment(self.attributes.get("timestamp"))
        if outcome not in ("failed", "error"):
            return Result(test, outcome, seconds=seconds, started=started)
        told = [part for part in self.parts if part.name in ("failure", "error")] or self.parts
        kind, message, text = (
            (told[0].kind, told[0].message, told[0].text)
            if told
            else ("", self.attributes.get("failure") or self.attributes.get("status") or "", "")
        )
        return Result(
            test,
            outcome,
            seconds=seconds,
            started=started,
            message=message or text,
            fingerprint=fingerprint(kind, message, text),
        )

    def _is_failed(self, names: set[str]) -> bool:
        if "failure" in names or "failure" in self.attributes:
            return True
        return "error" in names and not self.is_risky()

    def _skipped(self, *, red: bool) -> str:
        part = next(part for part in self.parts if part.name == "skipped")
        # node's todo and catch2's mayfail: run, and expected to fail.
        if red or "xfail" in part.kind.lower():
            return "xfailed"
        # ctest: a program that is not there is no skip; ctest itself fails.
        status = (self.attributes.get("status") or "").lower()
        if status == "notrun" and part.message and not part.message.startswith("SKIP_"):
            return "error"
        return "skipped"

    def _is_no_run(self, names: set[str]) -> bool:
        # PHPUnit: a class without tests is a case of its own, called Warning.
        owner = self.attributes.get("class") or self.attributes.get("classname") or ""
        is_warning = "warning" in names or owner.startswith("PHPUnit\\Framework\\Warning")
        return (is_warning and self.attributes.get("assertions") in (None, "0")) or self._says(
            _NOT_RUN
        )

    def _says(self, words: frozenset[str]) -> bool:
        status = (self.attributes.get("status") or "").lower()
        return status in words or (self.attributes.get("result") or "").lower() in words


def _failed(test: str, part: Part) -> Result:
    return Result(
        test,
        "error" if part.name.endswith("error") else "failed",
        seconds=parse_seconds(part.seconds),
        started=parse_moment(part.started),
        message=part.message or part.text,
        fingerprint=fingerprint(part.kind, part.message, part.text),
    )
