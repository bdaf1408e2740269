"""Writes down a span log: rows, trees or JSON, what is unfinished, what is wrong."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec

from proctor.records.log import Head, LogRead, Wanted, read_log
from proctor.records.span import Span
from proctor.records.starts import read_pending
from proctor.report.plain import visible, visible_argv
from proctor.report.span_text import HEADING, failed, is_test, line_of, started
from proctor.report.span_tree import tree_of
from proctor.report.style import Style

ROWS, RUNS = 50, 10
"""Records, or runs with `tree`, that are shown where no number is given."""
PROBLEMS = 3
"""Problems of the log that are named; the rest is counted."""
_Item = TypeVar("_Item")


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What to show of a log."""

    tests: bool = False
    failing: bool = False
    last: int | None = None
    """Records, or runs with `tree`; none: a screenful, as JSON all. 0: all, in
    the order in which they ended."""
    tree: bool = False

    def takes(self, span: Span) -> bool:
        """Return whether a record is to be shown."""
        return (not self.tests or is_test(span)) and (not self.failing or failed(span))


class _Head(Head, frozen=True, kw_only=True):
    """What tells the runs of a log apart."""

    run_id: str = ""


class LogView:
    """What is to be shown of the log at `path`.

    Iterate over `lines` (or, for JSON, `json_lines`); `notes` and `empty` hold
    afterwards. With `may_be_missing`, a log that does not exist is one in which
    nothing is recorded yet.

    Raises:
        LogError: the log cannot be read.
    """

    def __init__(
        self, path: str, choice: Choice, style: Style, *, may_be_missing: bool = False
    ) -> None:
        self._choice = choice
        self._style = style
        self._path = path
        self._pending = read_pending(path)
        missing = may_be_missing and not os.path.lexists(path)
        self._log = None if missing else read_log(path)

    @property
    def empty(self) -> bool:
        """Whether not one record could be read."""
        return self._log is None or not self._log.length

    def lines(self) -> Iterator[str]:
        """Yield the table, or the trees, then the runs that have no end yet."""
        log = self._log
        if log is not None:
            yield from self._trees(log) if self._choice.tree else self._rows(log)
        yield from self._unfinished()
        if log is not None and log.header is not None:
            closed = os.path.join(os.path.dirname(self._path), log.header.closed)
            more = (
                f"{log.header.length} earlier records were closed, the last of them into {closed}"
            )
            yield self._style.paint(visible(more), "dim")
        elif self.empty and not self._pending and (log is None or not log.problem_count):
            yield f"nothing recorded yet in {visible(self._path)}"
            yield "start with: proctor run -- pytest -q (around an agent: proctor watch -- claude)"

    def json_lines(self) -> Iterator[bytes]:
        """Yield an array of the records as they stand in the log, unknown members included."""
        before = b"["
        if self._log is not None:
            pairs = self._log.with_lines()
            lines = (line for span, line in pairs if self._choice.takes(span))
            for line in _last(lines, self._choice.last or 0):
                yield before + b"\n" + line
                before = b","
        yield b"[]\n" if before == b"[" else b"\n]\n"

    def notes(self) -> Iterator[str]:
        """Yield what is wrong with the log, a line each."""
        log = self._log
        if log is None:
            return
        for problem in log.problems[:PROBLEMS]:
            yield f"{log.path}: {visible(problem.message)}"
        if log.problem_count > PROBLEMS:
            yield (
                f"{log.path}: {log.problem_count - PROBLEMS} more problems; "
                f"see them with: proctor verify {visible_argv([log.path])}"
            )

    def _rows(self, log: LogRead) -> Iterator[str]:
        last = ROWS if self._choice.last is None else self._choice.last
        counted = _Counted(span for span in log if self._choice.takes(span))
        shown = _last(counted, last)
        if last:
            shown = iter(sorted(shown, key=lambda span: span.started_at))
        first = next(shown, None)
        if first is None:
            yield from _none_of(log)
            return
        yield self._style.paint(HEADING, "bold")
        yield line_of(first, self._style)
        rows = 1
        for span in shown:
            rows += 1
            yield line_of(span, self._style)
        if counted.seen > rows:
            yield self._style.paint(f"{counted.seen - rows} earlier, shown by --last 0", "dim")

    def _trees(self, log: LogRead) -> Iterator[str]:
        """Yield the last runs that hold a chosen record, each whole.

        The log is read twice, so that only the spans of these runs are held.
        """
        runs: dict[str, None] = {}
        for span in log:
            if self._choice.takes(span):
                runs.pop(_run_of(span), None)
                runs[_run_of(span)] = None
        last = RUNS if self._choice.last is None else self._choice.last
        kept: dict[str, list[Span]] = {name: [] for name in list(runs)[-last:]}

        def places(heads: Sequence[_Head]) -> list[int]:
            return [n for n, head in enumerate(heads) if (head.run_id or head.span_id) in kept]

        for span in read_log(log.path, Wanted(_Head, places)) if kept else ():
            kept[_run_of(span)].append(span)
        for spans in kept.values():
            yield from tree_of(spans, self._style)
        if len(kept) < len(runs):
            more = f"{len(runs) - len(kept)} earlier runs, shown by --last 0"
            yield self._style.paint(more, "dim")
        elif not kept:
            yield from _none_of(log)

    def _unfinished(self) -> Iterator[str]:
        for run in self._pending:
            what = self._style.cut(visible_argv(run.argv) or run.run_id, 32)
            word = "running" if run.locked else "? no end"
            yield f"{started(run.started_at)}  {self._style.paint(f'{word:<9}', 'yellow')} {what}"


class _Counted(Iterator[Span]):
    """Counts what passes."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = iter(spans)
        self.seen = 0

    def __next__(self) -> Span:
        span = next(self._spans)
        self.seen += 1
        return span


def _last(items: Iterable[_Item], number: int) -> Iterator[_Item]:
    """Return the last `number` items; 0 stands for all of them, as a stream."""
    return iter(deque(items, maxlen=number)) if number else iter(items)


def _none_of(log: LogRead) -> Iterator[str]:
    if log.length:
        yield f"none of the {log.length} records is of that kind"


def _run_of(span: Span) -> str:
    return span.run_id or span.span_id
