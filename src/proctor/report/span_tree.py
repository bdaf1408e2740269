"""Writes the spans of a run down as a tree, each with its own exit code.

The shell that said 0 stands above the runner that said 1. What a process started again
and again with the same end is one line with its number; test runs never are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo

from proctor.records.span import Span
from proctor.report.span_text import command_of, counts_of, end_of, failed, is_test, started, took
from proctor.report.style import Style

DEEPEST = 100
"""Levels that are drawn; a log can claim any parents."""


def tree_of(spans: Iterable[Span], style: Style, zone: tzinfo | None = None) -> Iterator[str]:
    """Yield the lines of one run's tree (or trees: a parent may be missing)."""
    every = sorted(spans, key=lambda span: (span.started_at, span.pid or 0))
    known = {span.span_id: span for span in every}
    children: dict[str, list[Span]] = {}
    roots = []
    for span in every:
        if span.parent_span_id in known and span.parent_span_id != span.span_id:
            children.setdefault(str(span.parent_span_id), []).append(span)
        else:
            roots.append(span)
    drawn = 0
    for root in roots:
        yield f"{started(root.started_at, zone)}  {_text([root], (), style, 21)}"
        drawn += 1
        for line, number in _below(root, children, style):
            yield line
            drawn += number
    if drawn < len(every):
        more = f"{len(every) - drawn} more, whose parents lie too deep or name one another"
        yield style.paint(more, "dim")


def _below(
    root: Span, children: Mapping[str, list[Span]], style: Style
) -> Iterator[tuple[str, int]]:
    """Yield the lines below `root` and how many spans each stands for.

    Without recursion: depth is the log's choice.
    """
    stack = [_entry(root, (), "  ", children)]
    while stack:
        prefix, above, waiting = stack[-1]
        if not waiting:
            stack.pop()
            continue
        equal = waiting.pop(0)
        span = equal[0]
        last = not waiting
        branch = style.sign("└─ " if last else "├─ ", "`- " if last else "|- ")
        yield f"{prefix}{branch}{_text(equal, above, style, len(prefix) + 3)}", len(equal)
        if len(stack) < DEEPEST:
            deeper = prefix + ("   " if last else style.sign("│  ", "|  "))
            stack.append(_entry(span, above, deeper, children))


def _entry(
    span: Span, above: tuple[Span, ...], prefix: str, children: Mapping[str, list[Span]]
) -> tuple[str, tuple[Span, ...], list[list[Span]]]:
    return prefix, (*above, span), _folded(children.get(span.span_id, ()), children)


def _folded(spans: Iterable[Span], children: Mapping[str, list[Span]]) -> list[list[Span]]:
    """Put spans together that tell the same, where the first of them stands."""
    found: dict[object, list[Span]] = {}
    for span in spans:
        alone = is_test(span) or span.span_id in children
        end = (span.exit_code, span.ended_by, span.signal, span.timed_out)
        told = span.span_id if alone else (command_of(span), end)
        found.setdefault(told, []).append(span)
    return list(found.values())


def _text(equal: list[Span], above: tuple[Span, ...], style: Style, used: int) -> str:
    span = equal[0]
    end, colour = end_of(span, style)
    lasted = [one.duration_ms for one in equal if one.duration_ms is not None]
    notes = [
        part
        for part in (took(sum(lasted) if lasted else None), counts_of(span))
        if part not in ("-", "")
    ]
    after = f"  ({', '.join(notes)})" if notes else ""
    if len(equal) > 1:
        after = f"  {style.sign('×', 'x')}{len(equal)}{after}"
    mark = _mark(span, above)
    arrow = f"   {style.sign('←', '<-')} {mark}" if mark else ""
    room = used + len(end) + 2 + len(after) + len(arrow)
    command = style.cut(command_of(span), room)
    return (
        f"{style.paint(end, colour)}  {command}{style.paint(after, 'dim')}"
        f"{style.paint(arrow, 'red')}"
    )


def _mark(span: Span, above: tuple[Span, ...]) -> str:
    """Return what should strike the eye about a failed test run."""
    return "masked: the line above said 0" if mask_of(span, above) is not None else ""


def mask_of(span: Span, above: Sequence[Span]) -> Span | None:
    """Return the span that told 0 of a failed test run, if one did.

    Below a leaf a failure is the suite's own business.
    """
    if not is_test(span) or not failed(span) or any(s.kind == "leaf" for s in above):
        return None
    for ancestor in reversed(above):
        if ancestor.ended_by == "exec":
            continue
        return ancestor if ancestor.exit_code == 0 else None
    return None
