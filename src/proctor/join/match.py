"""Matches tool calls to the spans of what they started: a pure function.

A span belongs to a call, in this order:

1. `id`: the recorder was given the call's id for it (`parent_tool_span`), or the trace
   names the call's own span;
2. `text`: the call's exact command stands in the shell's argv, as under `watch`;
3. `inferred`: what ran is what the call asks for, in its folder and at its time.

Equal commands are matched in order of time, each shell to one call. Nothing is merged
on doubt: a call or a span that could belong to several is left alone. A join says that
a call started a process. It does **not** show that the process is what the call's text
promises; that is asked of both.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Literal

import msgspec

from proctor.classify.base import Classification
from proctor.join.texts import holds, normal, texts_of
from proctor.join.toolcall import ToolCall
from proctor.records.moments import moment
from proctor.records.span import Span

How = Literal["id", "text", "inferred", ""]

SLACK = timedelta(seconds=2)
"""How much earlier or later than the transcript says a process may start."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call, secrets masked as in records, and what it asks for."""

    call: ToolCall
    runners: tuple[Classification, ...] = ()
    """The test runners that its command names."""
    claims: bool = False
    """Whether the tool's name claims tests."""
    roots: frozenset[str] = frozenset()
    """The working trees of the folders it names; empty where it names none."""


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """A span, and what it ran."""

    span: Span
    runners: tuple[Classification, ...] = ()
    """What makes it a test run: its own class, or what its line names where no more
    was witnessed."""
    root: str | None = None
    """The working tree of its folder."""


class Join(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call and the spans of what it started."""

    asked: Asked
    how: How = ""
    spans: tuple[str, ...] = ()
    """The topmost spans that belong to it."""
    tests: tuple[str, ...] = ()
    """The test runs among them and below them."""
    beside: tuple[str, ...] = ()
    """Test runs of its kind, time and folder that belong to no call: not joined."""


class Matches(msgspec.Struct, frozen=True, kw_only=True):
    """Every call with what belongs to it, and the test runs that belong to none."""

    joins: tuple[Join, ...]
    orphans: tuple[str, ...] = ()
    """Of the sessions' time, or of runs in which a call was joined."""


def match(asked: Sequence[Asked], ran: Sequence[Ran]) -> Matches:
    """Return which spans belong to which call; the order of `ran` does not matter."""
    found = _Matching(asked, ran)
    found.by_id()
    found.by_text()
    found.by_sense()
    found.by_time()
    return found.result()


class _Matching:
    """The calls and spans that have found each other so far."""

    def __init__(self, asked: Sequence[Asked], ran: Sequence[Ran]) -> None:
        self._asked = list(asked)
        self._ran = sorted(ran, key=lambda one: (one.span.started_at, one.span.span_id))
        self._by_id = {one.span.span_id: one for one in self._ran}
        self._owner: dict[str, int] = {}
        """Span id → the place of its call."""
        self._how: dict[int, How] = {}
        self._windows = [_Window(one.call) for one in self._asked]

    # ── the three ways ──────────────────────────────────────────────────────

    def by_id(self) -> None:
        """Join what was given the id of a call."""
        places: dict[str, list[int]] = {}
        for place, one in enumerate(self._asked):
            for name in dict.fromkeys((one.call.call_id, one.call.tool_span)):
                if name:
                    places.setdefault(name, []).append(place)
        for ran in self._ran:
            named = places.get(ran.span.parent_tool_span or "", [])
            named = [n for n in named if _is_of_trace(self._asked[n].call, ran.span)]
            if len(named) > 1:
                named = [n for n in named if _says(ran.span, self._asked[n].call)]
            if len(named) == 1:
                self._join(ran, named[0], "id")

    def by_text(self) -> None:
        """Join shells whose argv holds the exact command of a call."""
        for equal in (True, False):
            self._by_text(equal=equal)

    def by_sense(self) -> None:
        """Join runs that are what a call asks for, at its time and in its folder.

        Each test runner that a call names may have been recorded by itself.
        """
        left: dict[object, list[int]] = {}
        for place, asked in enumerate(self._asked):
            if place not in self._how:
                for key in (*map(_selection, asked.runners), asked.call.argv):
                    left.setdefault(key, []).append(place)
        left.pop(None, None)
        for one in self._ran:
            keys = [key for key in (*map(_selection, one.runners), one.span.argv) if key in left]
            if keys and self._owner_of(one) is None:
                for key in keys:
                    places = [place for place in left[key] if self._may_be(place, one)]
                    chosen = self._choose(one, places, "inferred")
                    if chosen is not None:
                        left[key].remove(chosen)
                        break

    def by_time(self) -> None:
        """Join test runs to the one call that claims tests, names no command, and ran then."""
        waiting = [
            place
            for place, asked in enumerate(self._asked)
            if asked.claims and not asked.call.is_shell and place not in self._how
        ]
        for one in self._ran if waiting else ():
            if one.runners and self._owner_of(one) is None:
                places = [n for n in waiting if self._windows[n].is_closed and self._may_be(n, one)]
                if len(places) == 1:
                    self._join(one, places[0], "inferred")

    def _by_text(self, *, equal: bool) -> None:
        waiting: dict[str, list[int]] = {}
        for place, asked in enumerate(self._asked):
            if asked.call.command and place not in self._how and (equal or asked.runners):
                waiting.setdefault(normal(asked.call.command), []).append(place)
        if not waiting:
            return
        for one in self._ran:
            texts = [normal(text) for text in texts_of(one.span.argv)]
            if not texts or self._owner_of(one) is not None:
                continue
            if equal:
                keys = [text for text in texts if text in waiting]
            else:
                keys = [key for key in waiting if any(holds(text, key) for text in texts)]
                keys.sort(key=len, reverse=True)
            for key in keys:
                places = [n for n in waiting[key] if n not in self._how and self._may_be(n, one)]
                if self._choose(one, places, "text") is not None:
                    break

    def _choose(self, one: Ran, places: list[int], how: How) -> int | None:
        """Join a span to the call that was made last before it, and return its place.

        Where the transcript has no times, the calls are taken in its order.
        """
        began = moment(one.span.started_at)
        timed = {n: start for n in places if (start := self._windows[n].start) is not None}
        before = {n: start for n, start in timed.items() if began is None or start <= began}
        if before:
            chosen = max(before, key=lambda n: before[n])
        elif timed:
            chosen = min(timed, key=lambda n: timed[n])
        elif places and (how == "text" or len(places) == 1):
            chosen = places[0]
        else:
            return None
        self._join(one, chosen, how)
        return chosen

    def _may_be(self, place: int, one: Ran) -> bool:
        """Return whether time and folder allow that a call started a span."""
        roots = self._asked[place].roots
        if roots and one.root is not None and one.root not in roots:
            return False
        return self._windows[place].holds(one.span)

    def _join(self, one: Ran, place: int, how: How) -> None:
        self._owner[one.span.span_id] = place
        self._how.setdefault(place, how)

    # ── the outcome ─────────────────────────────────────────────────────────

    def result(self) -> Matches:
        """Return every call with its spans, and what is left."""
        tops: dict[int, list[str]] = {}
        tests: dict[int, list[str]] = {}
        loose = []
        for one in self._ran:
            owner = self._owner_of(one)
            if owner is None:
                loose += [one] if one.runners else []
                continue
            above = self._by_id.get(one.span.parent_span_id or "")
            if above is None or self._owner_of(above) != owner:
                tops.setdefault(owner, []).append(one.span.span_id)
            if one.runners:
                tests.setdefault(owner, []).append(one.span.span_id)
        beside = self._beside(loose)
        joins = [
            Join(
                asked=asked,
                how=self._how.get(place, ""),
                spans=tuple(tops.get(place, ())),
                tests=tuple(tests.get(place, ())),
                beside=tuple(beside.get(place, ())),
            )
            for place, asked in enumerate(self._asked)
        ]
        return Matches(joins=tuple(joins), orphans=tuple(self._orphans(loose)))

    def _beside(self, loose: list[Ran]) -> dict[int, list[str]]:
        """Return the test runs that ran while one unjoined call of their kind did."""
        found: dict[int, list[str]] = {}
        for one in loose:
            classes = {runner.command_class for runner in one.runners}
            places = [
                place
                for place, asked in enumerate(self._asked)
                if place not in self._how
                and asked.runners
                and self._windows[place].is_closed
                and self._windows[place].holds(one.span, timedelta())
                and any(runner.command_class in classes for runner in asked.runners)
                and self._may_be(place, one)
            ]
            if len(places) == 1:
                found.setdefault(places[0], []).append(one.span.span_id)
        return found

    def _orphans(self, loose: list[Ran]) -> Iterator[str]:
        runs = {self._by_id[span_id].span.run_id for span_id in self._owner}
        sessions = self._sessions()
        for one in loose:
            within = any(window.holds(one.span, timedelta()) for window in sessions)
            if (within or one.span.run_id in runs) and self._is_whole(one):
                yield one.span.span_id

    def _sessions(self) -> "list[_Window]":
        spans: dict[tuple[str, str], _Window] = {}
        for asked, window in zip(self._asked, self._windows, strict=True):
            key = (asked.call.agent, asked.call.session)
            if window.start is not None and (asked.call.is_shell or asked.claims):
                spans.setdefault(key, _Window(asked.call)).widen(window)
        return list(spans.values())

    def _is_whole(self, one: Ran) -> bool:
        """Return whether all that started a span has ended: what still runs is not known."""
        return all(above.span.parent_span_id in (None, *self._by_id) for above in self._up(one))

    def _owner_of(self, one: Ran) -> int | None:
        """Return the call that a span, or what started it, belongs to."""
        for above in self._up(one):
            owner = self._owner.get(above.span.span_id)
            if owner is not None:
                return owner
        return None

    def _up(self, one: Ran) -> Iterator[Ran]:
        met: set[str] = set()
        here: Ran | None = one
        while here is not None and here.span.span_id not in met:
            met.add(here.span.span_id)
            yield here
            here = self._by_id.get(here.span.parent_span_id or "")


class _Window:
    """When a call was made and answered, as far as the transcript says."""

    def __init__(self, call: ToolCall) -> None:
        self.start = moment(call.started_at)
        self.end = moment(call.finished_at)
        if call.told.ending == "running" or call.background:
            self.end = None

    @property
    def is_closed(self) -> bool:
        """Whether both ends are known."""
        return self.start is not None and self.end is not None

    def holds(self, span: Span, slack: timedelta = SLACK) -> bool:
        """Return whether a span may have begun while the call ran."""
        began = moment(span.started_at)
        if began is None:
            return True
        if self.start is not None and began < self.start - slack:
            return False
        return self.end is None or began <= self.end + slack

    def widen(self, other: "_Window") -> None:
        """Take in another call of the same session."""
        ends = [end for end in (self.end, other.end, other.start) if end is not None]
        starts = [start for start in (self.start, other.start) if start is not None]
        self.start, self.end = min(starts), max(ends)


def _is_of_trace(call: ToolCall, span: Span) -> bool:
    """Return whether a span's trace, where it has one, is that of a call found by its span."""
    if span.parent_tool_span == call.call_id or not span.traceparent:
        return True
    return not call.trace_id or call.trace_id == span.traceparent.split("-")[1]


def _says(span: Span, call: ToolCall) -> bool:
    """Return whether a span's argv is a call's command."""
    if call.argv is not None:
        return span.argv == call.argv
    return normal(call.command or "") in map(normal, texts_of(span.argv))


def _selection(what: Classification) -> object:
    """Return what two commands share that ask for the same tests."""
    return what.command_class, what.selectors, what.narrowing, what.not_a_run
