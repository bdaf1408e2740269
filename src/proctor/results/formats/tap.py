"""The Test Anything Protocol, versions 12 to 14, and the subtests of node and Perl.

https://testanything.org/tap-version-14-specification.html

A point that closes a block of deeper points is that block's sum and no test of
its own.
"""

import re

from proctor.errors import ReportError
from proctor.results.base import Format, Summary

DEPTH_LIMIT = 64
TEST_LIMIT = 5_000_000
_LINE_LIMIT = 1 << 16
_POINT = re.compile(r"(not )?ok\b *(?:(\d+)\b)? *-? *(.*)")
_PLAN = re.compile(r"1\.\.(\d+)\b")
_DIRECTIVE = re.compile(r"(?<!\\)# *(skip|todo)\b.*\Z", re.IGNORECASE)
_INDENT = 4

_Points = list[tuple[str, str]]


class _Reader:
    """Reads one report; `open_points` are blocks that no point has closed yet."""

    def __init__(self, path: str, *, detailed: bool) -> None:
        self.path = path
        self.summary = Summary(detailed=detailed)
        self.tests: _Points = []
        self.open_points: dict[int, _Points] = {}
        self.planned: int | None = None
        self.top_points = 0
        self.in_yaml = False
        self.met = False

    def read(self) -> Summary:
        """Return what the report says."""
        try:
            with open(self.path, encoding="utf-8", errors="backslashreplace") as file:
                while line := file.readline(_LINE_LIMIT):
                    self._line(line.rstrip("\r\n"))
        except OSError as error:
            raise ReportError(f"{self.path}: cannot be read: {error.strerror}") from None
        if not self.met:
            raise ReportError(f"{self.path}: no TAP report: no plan and no test point")
        for depth in sorted(self.open_points, reverse=True):
            self.summary.complete = False
            self.tests += self.open_points[depth]
        for name, outcome in self.tests:
            self.summary.add(name, outcome)
        if self.planned != self.top_points:
            self.summary.complete = False
            self.summary.disagree(f"plan of {self.planned}, {self.top_points} points")
        return self.summary

    def _line(self, line: str) -> None:
        text = line.lstrip(" ")
        depth = (len(line) - len(text)) // _INDENT
        if self.in_yaml:
            self.in_yaml = text != "..."
        elif text == "---":
            self.in_yaml = True
        elif text.startswith("Bail out!"):
            self.summary.complete = False
        elif depth <= DEPTH_LIMIT:
            self._plan_or_point(text, depth)

    def _plan_or_point(self, text: str, depth: int) -> None:
        plan = _PLAN.match(text)
        point = _POINT.fullmatch(text) if plan is None else None
        if plan is not None and depth == 0:
            self.planned, self.met = int(plan[1]), True
        elif point is not None:
            self.met = True
            self._point(point, depth)

    def _point(self, point: "re.Match[str]", depth: int) -> None:
        description = point[3]
        directive = _DIRECTIVE.search(description)
        if directive is not None:
            description = description[: directive.start()]
        name = description.strip() or f"test {point[2] or self.top_points + 1}"
        kind = directive[1].lower() if directive is not None else ""
        inner = self.open_points.pop(depth + 1, None)
        if depth == 0:
            self._count()
        if inner is not None:
            found = [(f"{name} > {test}", outcome) for test, outcome in inner]
            if point[1] is not None and not kind and all(o != "failed" for _, o in inner):
                # The block itself failed: a hook, or a plan not kept.
                found.append((name, "failed"))
        else:
            found = [(name, _outcome(kind, failed=point[1] is not None))]
        if depth:
            self.open_points.setdefault(depth, []).extend(found)
        else:
            self.tests += found

    def _count(self) -> None:
        self.top_points += 1
        if self.top_points > TEST_LIMIT:
            raise ReportError(f"{self.path}: more than {TEST_LIMIT} tests")


def _outcome(kind: str, *, failed: bool) -> str:
    if kind == "skip":
        return "skipped"
    if kind == "todo":
        return "xfailed" if failed else "xpassed"
    return "failed" if failed else "passed"


def _read(path: str, detailed: bool) -> Summary:
    return _Reader(path, detailed=detailed).read()


FORMAT = Format(read=_read, extension="tap")
