"""Chooses, in one pass over a log, the spans that a judgement may rest on.

Spans are appended when an image ends, so children come before their parents:
what is kept asks for its parent, which is yet to come. Only an image that was
replaced by another (exec) comes before what it became; such images are held back
until the root of their run shows that nothing needs them. A run that has ended is
folded with those that tell the same (`proctor.assess.fold`): memory follows what
differs, not the size of the log.
"""

import json
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import msgspec

from proctor.assess.fold import Fold
from proctor.assess.reading import MOST_ANSWERS, ArgvReader
from proctor.gate.case import SCRIPT_CLASS
from proctor.gate.evidence import Run, Seen
from proctor.recorder.image import is_shell_line
from proctor.records.log import Head, Wanted
from proctor.records.span import Span

KEPT_ROLES = frozenset(("test", "lint", "build"))
OFFENDING_LIMIT = 1000
"""Offending records that are kept under `--every`; the rest is counted."""
_NOT_STARTED = frozenset((126, 127))
_NONE: AbstractSet[str] = frozenset()
_NEVER = 1 << 63
"""Milliseconds that nothing took."""


class ImageHead(Head, frozen=True, kw_only=True, gc=False):
    """What tells whether an image belongs to a test run."""

    run_id: str = ""
    parent_span_id: str | None = None
    argv: tuple[str, ...]
    kind: str | None = None
    exit_code: int | None
    ended_by: str = "exit"
    started_at: str = ""
    claims: str | None = None


class RecordHead(Head, frozen=True, kw_only=True, gc=False):
    """What `--every` asks of each record."""

    argv: msgspec.Raw
    """As it stands: most are known already, and reading it is a quarter of the cost."""
    exit_code: int | None
    ended_by: str = "exit"
    duration_ms: int | None
    duration_floor_ms: int
    denied_binary: bool


class Choice:
    """The spans of test runs, and everything above them.

    `since` is a time as spans write it: older records are passed over; `junit` as in
    `Fold`. A log
    asks for a whole block of heads before it hands out the block's spans, and
    may ask twice; what is wanted is therefore decided by heads alone.
    """

    def __init__(self, reader: ArgvReader, since: str, junit: frozenset[str] = frozenset()) -> None:
        self._reader = reader
        self._since = since
        self._fold = Fold(junit)
        self._marked: dict[str, set[str]] = {}
        """Spans that are kept, read or yet to come, by run."""
        self._parents: dict[str, dict[str, str | None]] = {}
        """Of replaced images, by run."""
        self._kept: dict[str, dict[str, Span]] = {}
        self._held: dict[str, dict[str, Span]] = {}
        """Replaced images that nothing has needed yet, by run."""

    @property
    def wanted(self) -> Wanted[ImageHead]:
        """What is to be read whole of a log."""
        return Wanted(ImageHead, self._places)

    def _places(self, heads: Sequence[ImageHead]) -> list[int]:
        return [place for place, head in enumerate(heads) if self._wants(head)]

    def _wants(self, head: ImageHead) -> bool:
        if head.span_id not in self._marked.get(head.run_id, _NONE):
            if head.started_at < self._since:
                return False
            if not self._is_telling(head):
                if head.ended_by != "exec":
                    # A root ends its run, and frees what is held back for it.
                    return head.parent_span_id is None and head.run_id in self._parents
                self._parents.setdefault(head.run_id, {})[head.span_id] = head.parent_span_id
                return True
        marked = self._marked.setdefault(head.run_id, set())
        marked.add(head.span_id)
        replaced = self._parents.get(head.run_id, {})
        parent = head.parent_span_id
        while parent is not None and parent not in marked:
            marked.add(parent)
            parent = replaced.get(parent)
        return True

    def take(self, span: Span) -> None:
        """Keep a span that was wanted, or hold it back."""
        needed = span.span_id in self._marked.get(span.run_id, _NONE)
        chosen = self._kept if needed else self._held
        chosen.setdefault(span.run_id, {})[span.span_id] = span
        if span.parent_span_id is None and span.host is not None:
            self._end(span.run_id)

    def runs(self) -> tuple[Run, ...]:
        """Return what was kept, by run, folded."""
        for run_id in list(self._kept):
            self._end(run_id)
        return self._fold.runs()

    def _end(self, run_id: str) -> None:
        """Fold a run that has ended; its replaced images that nothing needs go."""
        kept = self._kept.pop(run_id, {})
        marked = self._marked.pop(run_id, _NONE)
        for span in self._held.pop(run_id, {}).values():
            if span.span_id in marked:
                kept[span.span_id] = span
        self._parents.pop(run_id, None)
        if kept:
            seen = tuple(self._see(span, kept) for span in kept.values())
            self._fold.add(Run(run_id=run_id, seen=seen))

    def _is_telling(self, head: ImageHead) -> bool:
        if head.claims is not None or head.kind == "worker":
            return True
        if not head.argv:
            return head.exit_code in _NOT_STARTED
        found = self._reader.image(head.argv)
        if found is None and head.parent_span_id is None:
            found = self._reader.outermost(head.argv)
        return found is not None and (
            found.role in KEPT_ROLES or found.command_class == SCRIPT_CLASS
        )

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
        self._known: dict[bytes, int] = {}
        self._kept: list[Span] = []
        self.count = 0

    @property
    def wanted(self) -> Wanted[RecordHead]:
        """What is to be read whole of a log: something is wrong with it."""
        return Wanted(RecordHead, self._places)

    def _places(self, heads: Sequence[RecordHead]) -> list[int]:
        known = self._known
        found = []
        for place, head in enumerate(heads):
            took = head.duration_ms
            argv = bytes(head.argv)
            # NOTE: a record in a million is not looked at twice; a call would cost as much.
            if (
                took is None
                or took < head.duration_floor_ms
                or took < (known[argv] if argv in known else self._floor(argv))
                or head.denied_binary
                or (head.exit_code != 0 and not _is_replaced(head))
            ):
                found.append(place)
        room = max(0, OFFENDING_LIMIT - self.count)
        self.count += len(found)
        return found[:room]

    def take(self, span: Span) -> None:
        """Keep a record that was wanted."""
        self._kept.append(span)

    def runs(self) -> tuple[Run, ...]:
        """Return what was kept, each record by itself."""
        return tuple(
            Run(run_id=span.run_id, seen=(self._reader.see(span, read_text=False),))
            for span in self._kept
        )

    def _floor(self, argv: bytes) -> int:
        """Return the floor of what an argv is, read anew; no duration reaches that of none."""
        floor = _NEVER
        words = _words(argv)
        if words:
            found = self._reader.image(words)
            floor = self._floors.get(found.command_class, 0) if found is not None else 0
        if len(self._known) < MOST_ANSWERS:
            self._known[argv] = floor
        return floor


def _is_replaced(head: RecordHead) -> bool:
    return head.exit_code is None and head.ended_by == "exec"


def _words(argv: bytes) -> tuple[str, ...]:
    """Return the arguments that a record holds; none where they are not a list of words."""
    try:
        return msgspec.json.decode(argv, type=tuple[str, ...])
    except msgspec.ValidationError:
        return ()
    except (ValueError, RecursionError):
        pass  # arguments that are not UTF-8 stand there as lone surrogates
    try:
        return tuple(str(word) for word in json.loads(argv))
    except (ValueError, RecursionError):
        return ()
