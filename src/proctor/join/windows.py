"""When calls were made and answered, and which of them something may belong to."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from proctor.join.toolcall import ToolCall
from proctor.records.moments import moment

SLACK = timedelta(seconds=2)
"""How much earlier or later than the transcript says a process may start."""


class Window:
    """When a call was made and answered, as far as the transcript says."""

    def __init__(self, call: ToolCall) -> None:
        self.start = _believable(call.started_at)
        self.end = _believable(call.finished_at)
        if call.told.ending == "running" or call.background:
            self.end = None

    @property
    def is_closed(self) -> bool:
        """Whether both ends are known."""
        return self.start is not None and self.end is not None

    def holds(self, began: datetime | None, slack: timedelta = SLACK) -> bool:
        """Return whether what began then may have begun while the call ran."""
        if began is None:
            return True
        if self.start is not None and began < self.start - slack:
            return False
        return not self.is_over(began, slack)

    def is_over(self, began: datetime, slack: timedelta = SLACK) -> bool:
        """Return whether the call was answered before."""
        return self.end is not None and began > self.end + slack

    def widen(self, other: "Window") -> None:
        """Take in another call of the same session."""
        ends = [end for end in (self.end, other.end, other.start) if end is not None]
        starts = [start for start in (self.start, other.start) if start is not None]
        self.start, self.end = min(starts), max(ends)


def _believable(text: str | None) -> datetime | None:
    """Return a time of a transcript, none where it lies outside of what can be reckoned with."""
    found = moment(text)
    return found if found is not None and 1970 <= found.year < 9999 else None


class Queue:
    """The calls that wait for a span of one kind, in order of time."""

    def __init__(self, places: Iterable[int], windows: Sequence[Window]) -> None:
        self._windows = windows
        timed = [(start, n) for n in places if (start := windows[n].start) is not None]
        self._timed = sorted(timed)
        self._untimed = [n for n in places if windows[n].start is None]

    def take(
        self, began: datetime | None, fits: Callable[[int], bool], *, sure: bool
    ) -> int | None:
        """Take the call that was made last before `began`; spans come in order of time.

        Where the transcript has no times, the calls are taken in its order, and if it is
        not `sure` that it is the span of one of them, only where there is no other.
        """
        at = len(self._timed) if began is None else bisect_right(self._timed, (began, 1 << 62))
        for index in range(at - 1, -1, -1):
            _, place = self._timed[index]
            if began is not None and self._windows[place].is_over(began):
                del self._timed[index]  # for every span that is still to come, too
                at -= 1
            elif fits(place):
                del self._timed[index]
                return place
        for index in range(at, len(self._timed)):
            start, place = self._timed[index]
            if began is not None and start > began + SLACK:
                break
            if fits(place):
                del self._timed[index]
                return place
        fitting = [place for place in self._untimed if fits(place)]
        if fitting and (sure or len(fitting) == 1):
            self._untimed.remove(fitting[0])
            return fitting[0]
        return None


class Live:
    """The calls that may have been running at a time; times are asked for in order."""

    def __init__(self, places: Iterable[int], windows: Sequence[Window]) -> None:
        self._windows = windows
        timed = [(start, n) for n in places if (start := windows[n].start) is not None]
        self._later = sorted(timed, reverse=True)
        self._now = [n for n in places if windows[n].start is None]

    def at(self, began: datetime | None) -> list[int]:
        """Return the calls during which something may have begun then."""
        if began is None:
            return [*self._now, *(place for _, place in self._later)]
        while self._later and self._later[-1][0] <= began + SLACK:
            self._now.append(self._later.pop()[1])
        self._now = [place for place in self._now if not self._windows[place].is_over(began)]
        return self._now
