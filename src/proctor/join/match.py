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

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Literal

import msgspec

from proctor.classify.base import Classification
from proctor.join.becoming import may_become
from proctor.join.texts import holds, normal, texts_of
from proctor.join.toolcall import ToolCall
from proctor.join.windows import Live, Queue, Window
from proctor.records.moments import moment
from proctor.records.span import Span

How = Literal["id", "text", "inferred", ""]


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
    found.by_part()
    found.by_sense()
    found.by_time()
    found.by_shape()
    return found.result()


class _Matching:
    """The calls and spans that have found each other so far."""

    def __init__(self, asked: Sequence[Asked], ran: Sequence[Ran]) -> None:
        self._asked = list(asked)
        self._ran = sorted(ran, key=lambda one: (one.span.started_at, one.span.span_id))
        self._by_id = {one.span.span_id: one for one in self._ran}
        self._began = {one.span.span_id: moment(one.span.started_at) for one in self._ran}
        self._owner: dict[str, int] = {}
        """Span id → the place of its call."""
        self._how: dict[int, How] = {}
        self._windows = [Window(one.call) for one in self._asked]

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
        commands = self._commands(tests=False)
        waiting: dict[str, list[int]] = {}
        for place, command in commands.items():
            waiting.setdefault(command, []).append(place)
        queues = {text: Queue(places, self._windows) for text, places in waiting.items()}
        for one, texts in self._shells() if queues else ():
            self._take([queues[text] for text in texts if text in queues], one, "text")

    def by_part(self) -> None:
        """Join shells that hold the exact command of a test call within more text."""
        commands = self._commands(tests=True)
        live = Live(commands, self._windows)
        for one, texts in self._shells() if commands else ():
            found = [
                place
                for place in live.at(self._began[one.span.span_id])
                if place not in self._how and any(holds(text, commands[place]) for text in texts)
            ]
            longest = max((len(commands[place]) for place in found), default=0)
            places = [place for place in found if len(commands[place]) == longest]
            self._take([Queue(places, self._windows)], one, "text")

    def _commands(self, *, tests: bool) -> dict[int, str]:
        """Return the commands of the calls that have no span yet, as they are compared."""
        return {
            place: normal(asked.call.command)
            for place, asked in enumerate(self._asked)
            if asked.call.command and place not in self._how and (asked.runners or not tests)
        }

    def _shells(self) -> Iterator[tuple[Ran, list[str]]]:
        """Yield the shells that belong to no call yet, with their texts, outermost first."""
        for one in self._ran:
            texts = [normal(text) for text in texts_of(one.span.argv)]
            if texts and self._owner_of(one) is None:
                yield one, texts

    def by_sense(self) -> None:
        """Join runs that are what a call asks for, at its time and in its folder.

        Each test runner that a call names may have been recorded by itself.
        """
        keys: dict[object, list[int]] = {}
        for place, asked in enumerate(self._asked):
            if place not in self._how:
                for key in (*map(_selection, asked.runners), asked.call.argv):
                    keys.setdefault(key, []).append(place)
        keys.pop(None, None)
        queues = {key: Queue(places, self._windows) for key, places in keys.items()}
        for one in self._ran if queues else ():
            own = [key for key in (*map(_selection, one.runners), one.span.argv) if key in queues]
            if own and self._owner_of(one) is None:
                self._take([queues[key] for key in own], one, "inferred")

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

    def by_shape(self) -> None:
        """Join test runs that the one call of their kind and time may have become.

        A shell that is given its commands by a terminal leaves no text; what it made of
        variables and patterns is not known.
        """
        open_calls = [
            place
            for place, asked in enumerate(self._asked)
            if asked.runners and self._how.get(place, "inferred") == "inferred"
        ]
        live = Live(open_calls, self._windows)
        for one in self._ran if open_calls else ():
            began = self._began[one.span.span_id]
            now = live.at(began)
            if one.runners and self._owner_of(one) is None:
                places = [n for n in now if self._is_beside(n, one)]
                if len(places) == 1 and _may_be_asked(self._asked[places[0]], one):
                    self._join(one, places[0], "inferred")

    def _is_beside(self, place: int, one: Ran) -> bool:
        """Return whether a test run is of the kind, time and folder of a call, without doubt."""
        window = self._windows[place]
        classes = {runner.command_class for runner in one.runners}
        return (
            window.is_closed
            and any(runner.command_class in classes for runner in self._asked[place].runners)
            and window.holds(self._began[one.span.span_id], timedelta())
            and self._may_be(place, one)
        )

    def _take(self, queues: "Iterable[Queue]", one: Ran, how: How) -> None:
        """Join a span to the call that it fits best, if one waits for it."""
        began = self._began[one.span.span_id]
        for queue in queues:
            place = queue.take(began, lambda n: self._may_be(n, one), sure=how == "text")
            if place is not None:
                self._join(one, place, how)
                return

    def _may_be(self, place: int, one: Ran) -> bool:
        """Return whether time and folder allow that a call started a span."""
        roots = self._asked[place].roots
        if roots and one.root is not None and one.root not in roots:
            return False
        return self._windows[place].holds(self._began[one.span.span_id])

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
        unjoined = [n for n, one in enumerate(self._asked) if one.runners and n not in self._how]
        for one in loose:
            places = [place for place in unjoined if self._is_beside(place, one)]
            if len(places) == 1:
                found.setdefault(places[0], []).append(one.span.span_id)
        return found

    def _orphans(self, loose: list[Ran]) -> Iterator[str]:
        runs = {self._by_id[span_id].span.run_id for span_id in self._owner}
        sessions = self._sessions()
        for one in loose:
            within = any(
                window.holds(self._began[one.span.span_id], timedelta()) for window in sessions
            )
            if (within or one.span.run_id in runs) and self._is_whole(one):
                yield one.span.span_id

    def _sessions(self) -> "list[Window]":
        spans: dict[tuple[str, str], Window] = {}
        for asked, window in zip(self._asked, self._windows, strict=True):
            key = (asked.call.agent, asked.call.session)
            if window.start is not None and (asked.call.is_shell or asked.claims):
                spans.setdefault(key, Window(asked.call)).widen(window)
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


def _may_be_asked(asked: Asked, one: Ran) -> bool:
    return any(may_become(mine, other) for mine in asked.runners for other in one.runners)


def _selection(what: Classification) -> object:
    """Return what two commands share that ask for the same tests."""
    return what.command_class, what.selectors, what.narrowing, what.not_a_run
