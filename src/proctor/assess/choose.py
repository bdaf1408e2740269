"""Chooses, in one pass over a log, the spans that a judgement may rest on.

Spans are appended when an image ends, so children come before their parents:
what is kept asks for its parent, which is yet to come. Only an image that was
replaced by another (exec) comes before what it became; such images are held back
until the root of their run shows that nothing needs them. Memory holds what is
kept, whatever the size of the log.
"""

from proctor.assess.reading import MOST_ANSWERS, ArgvReader
from proctor.gate.evidence import Run, Seen
from proctor.recorder.image import is_shell_line
from proctor.records.log import Head
from proctor.records.span import Span

KEPT_ROLES = frozenset(("test", "lint", "build"))
OFFENDING_LIMIT = 1000
"""Offending records that are kept under `--every`; the rest is counted."""
_NOT_STARTED = frozenset((126, 127))


class Choice:
    """The spans of test runs, and everything above them.

    `since` is a time as spans write it: older records are passed over.
    """

    def __init__(self, reader: ArgvReader, since: str) -> None:
        self._reader = reader
        self._since = since
        self._asked: set[str] = set()
        self._kept: dict[str, dict[str, Span]] = {}
        self._replaced: dict[str, dict[str, Span]] = {}

    def want(self, head: Head) -> bool:
        """Return whether the span with this head is to be read whole."""
        if head.span_id in self._asked:
            return True
        if head.started_at < self._since:
            return False
        return head.ended_by == "exec" or self._is_telling(head)

    def take(self, span: Span) -> None:
        """Keep a span that was wanted, if it is told to be."""
        if span.span_id in self._asked or self._is_telling(span):
            self._keep(span)
        else:
            self._replaced.setdefault(span.run_id, {})[span.span_id] = span
        if span.parent_span_id is None:
            self._replaced.pop(span.run_id, None)

    def runs(self) -> tuple[Run, ...]:
        """Return what was kept, by run."""
        return tuple(
            Run(run_id=run_id, seen=tuple(self._see(span, kept) for span in kept.values()))
            for run_id, kept in self._kept.items()
        )

    def _is_telling(self, head: "Head | Span") -> bool:
        if head.claims is not None or head.kind == "worker":
            return True
        if not head.argv:
            return head.exit_code in _NOT_STARTED
        found = self._reader.image(head.argv)
        if found is None and head.parent_span_id is None:
            found = self._reader.outermost(head.argv)
        return found is not None and found.role in KEPT_ROLES

    def _keep(self, span: Span) -> None:
        self._asked.discard(span.span_id)
        self._kept.setdefault(span.run_id, {})[span.span_id] = span
        parent = span.parent_span_id
        if parent is None or parent in self._kept[span.run_id]:
            return
        replaced = self._replaced.get(span.run_id, {}).pop(parent, None)
        if replaced is None:
            self._asked.add(parent)
        else:
            self._keep(replaced)

    def _see(self, span: Span, kept: dict[str, Span]) -> Seen:
        """Read a span, and its shell text where nothing below says enough.

        That is every line of the direct witness, and under the tree witness the
        root and any shell below which a program could not be started.
        """
        if not is_shell_line(list(span.argv)):
            return self._reader.see(span, read_text=False)
        telling = (
            span.witness != "tree"
            or span.parent_span_id is None
            or any(
                not other.argv and other.parent_span_id == span.span_id for other in kept.values()
            )
        )
        return self._reader.see(span, read_text=telling)


class Offending:
    """The records that `--every` takes exception to; the others are counted."""

    def __init__(self, reader: ArgvReader, floors: dict[str, int]) -> None:
        self._reader = reader
        self._floors = floors
        self._known: dict[tuple[str, ...], int] = {}
        self._kept: list[Span] = []
        self.count = 0

    def want(self, head: Head) -> bool:
        """Return whether the record is to be read whole: something is wrong with it."""
        took = head.duration_ms
        if (
            (head.exit_code == 0 or (head.exit_code is None and head.ended_by == "exec"))
            and not head.denied_binary
            and head.argv
            and (took is None or took >= head.duration_floor_ms)
            and (took is None or took >= self._floor(head.argv))
        ):
            return False
        self.count += 1
        return self.count <= OFFENDING_LIMIT

    def take(self, span: Span) -> None:
        """Keep a record that was wanted."""
        self._kept.append(span)

    def runs(self) -> tuple[Run, ...]:
        """Return what was kept, each record by itself."""
        return tuple(
            Run(run_id=span.run_id, seen=(self._reader.see(span, read_text=False),))
            for span in self._kept
        )

    def _floor(self, argv: tuple[str, ...]) -> int:
        """Return the floor of what an argv is, read anew."""
        floor = self._known.get(argv)
        if floor is None:
            found = self._reader.image(argv)
            floor = self._floors.get(found.command_class, 0) if found is not None else 0
            if len(self._known) < MOST_ANSWERS:
                self._known[argv] = floor
        return floor
