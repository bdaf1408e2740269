"""The recorded processes as data inside the page, in the order in which they are drawn.

The order is that of the tree, from the top: a span, then all that it started. So the
browser folds a branch away by passing over as many rows as the branch has.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from proctor.records.span import Span
from proctor.report.page.words import shortened
from proctor.report.plain import visible, visible_argv
from proctor.report.span_text import command_of, counts_of, end_of, failed, is_test, started
from proctor.report.span_tree import mask_of
from proctor.report.style import Style

DEEPEST = 100
"""Levels that are told apart; a log can claim any parents."""
GLANCE, LONGEST = 300, 8_000
"""Characters of a command in a row, and of the whole of it below the tree."""
TEST, FAILED, MASKED, MASKING, NAMED, ENDED = 1, 2, 4, 8, 16, 32
"""What is known of a row, added up: it ran tests; did not return 0; was told as 0; told
that 0; the verdict speaks of it; it ended, rather than going on as another program."""


class _Strings:
    """Texts that stand once, and are named by their place."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        """Return the place of a text."""
        found = self._places.setdefault(text, len(self.texts))
        if found == len(self.texts):
            self.texts.append(text)
        return found


def island_of(spans: Sequence[Span], named: set[str]) -> str:
    """Return the data of a page as JSON that may stand in a `script` element."""
    strings = _Strings()
    columns: dict[str, list[Any]] = {
        name: []
        for name in ("id", "depth", "run", "flags", "at", "ms", "end", "cls", "tests", "cmd",
                     "argv", "cwd", "when")
    }  # fmt: skip
    runs = []
    for number, run in enumerate(_by_run(spans)):
        begin = min((_ms(span.started_at) for span in run), default=0)
        finish = max(_ms(span.started_at) + (span.duration_ms or 0) for span in run)
        runs.append([begin, max(finish - begin, 1)])
        places: dict[str, int] = {}
        for span, above in _in_order(run):
            places[span.span_id] = len(columns["id"])
            _add(columns, strings, span, (len(above), number, _ms(span.started_at) - begin))
            mask = mask_of(span, above)
            columns["flags"].append(_flags(span, named) + MASKED * (mask is not None))
            if mask is not None:
                columns["flags"][places[mask.span_id]] |= MASKING
    data = {"runs": runs, "strings": strings.texts, **columns}
    return safe_json(data)


def safe_json(data: object) -> str:
    """Return JSON in which no sign can end, or open, an element of the page."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _add(
    columns: dict[str, list[Any]], strings: _Strings, span: Span, where: tuple[int, int, int]
) -> None:
    depth, run, at = where
    short = shortened(command_of(span), GLANCE)
    whole = shortened(visible_argv(span.argv), LONGEST)
    end, _ = end_of(span, Style())
    row = {
        "id": visible(span.span_id),
        "depth": min(depth, DEEPEST),
        "run": run,
        "at": at,
        "ms": span.duration_ms,
        "end": strings.place(end),
        "cls": strings.place(visible(span.command_class or "")),
        "tests": strings.place(counts_of(span)),
        "cmd": strings.place(short),
        "argv": strings.place(whole) if whole != short else -1,
        "cwd": strings.place(visible(span.cwd or "")),
        "when": strings.place(started(span.started_at)),
    }
    for name, value in row.items():
        columns[name].append(value)


def _flags(span: Span, named: set[str]) -> int:
    return (
        TEST * is_test(span)
        + FAILED * failed(span)
        + NAMED * (span.span_id in named)
        + ENDED * (span.ended_by != "exec")
    )


def _by_run(spans: Iterable[Span]) -> Iterator[list[Span]]:
    runs: dict[str, list[Span]] = {}
    for span in spans:
        runs.setdefault(span.run_id or span.span_id, []).append(span)
    yield from runs.values()


def _in_order(run: list[Span]) -> Iterator[tuple[Span, tuple[Span, ...]]]:
    """Yield each span of a run once, with those above it.

    Spans whose parents name one another, or stand below `DEEPEST`, come last, as roots.
    Without recursion: depth is the log's choice.
    """
    every = sorted(run, key=lambda span: (span.started_at, span.pid or 0))
    known = {span.span_id for span in every}
    below: dict[str, list[Span]] = {}
    roots = []
    for span in every:
        if span.parent_span_id in known and span.parent_span_id != span.span_id:
            below.setdefault(str(span.parent_span_id), []).append(span)
        else:
            roots.append(span)
    done: set[str] = set()
    for root in (*roots, *every):
        stack: list[tuple[Span, tuple[Span, ...]]] = [(root, ())]
        while stack:
            span, above = stack.pop()
            if span.span_id in done:
                continue
            done.add(span.span_id)
            yield span, above
            if len(above) < DEEPEST:
                deeper = (*above, span)
                stack += [(one, deeper) for one in reversed(below.get(span.span_id, ()))]


def _ms(when: str) -> int:
    try:
        return int(datetime.fromisoformat(when).timestamp() * 1000)
    except (ValueError, OverflowError):
        return 0
