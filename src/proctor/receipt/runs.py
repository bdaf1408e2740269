"""Finds the spans of one run in a log, and the earlier runs of the same tests.

A log is read once where the run's id is known: its chain is checked on the way, the
record that a receipt remembers is met, and earlier test runs are counted.
"""

import json
from collections.abc import Sequence

import msgspec

from proctor.classify.typed import typed
from proctor.receipt.fields import Attempts, Receipt
from proctor.records.log import Head, LogRead, Wanted, read_log
from proctor.records.parts import closed_parts
from proctor.records.span import Span

_NOTHING = msgspec.Raw(b"null")
_TESTED = (0, 1, None)
"""pytest's exit codes but those that say that it could not test."""


class RunHead(Head, frozen=True, kw_only=True, gc=False):
    """What tells whose run a line belongs to, and which tests it was on which tree."""

    run_id: str = ""
    pid: int | None = None
    pid_start: int | None = None
    role: str | None = None
    kind: str | None = None
    exit_code: int | None = None
    command_class: str | None = None
    digest: str | None = None
    argv: msgspec.Raw = _NOTHING
    git: msgspec.Raw = _NOTHING
    report: msgspec.Raw = _NOTHING


class Sought(msgspec.Struct, frozen=True, kw_only=True):
    """Which run is looked for, and what else is to be found out on the way."""

    span_id: str = ""
    pid: tuple[int, int] | None = None
    """Process id and start, where the span is not known."""
    run_id: str = ""
    """Spares another way through the log where it is known."""
    number: int | None = None
    """A record of the file whose digest is wanted; the first is 1."""


class Before:
    """The test runs before one, counted by tree, executed tests and argv.

    What was run alike is kept once, so that a long log takes little memory.
    """

    def __init__(self) -> None:
        self._met: dict[tuple[bytes, bytes, bytes], tuple[int, int, str]] = {}

    def add(self, head: RunHead) -> None:
        """Count a test leaf, once for each run."""
        if head.command_class == "pytest" and head.exit_code not in _TESTED:
            return
        # NOTE: not read as JSON, which costs ten times as much.
        tree = _text_of(bytes(head.git), b"tree")
        key = tree, _text_of(bytes(head.report), b"ids_sha256"), bytes(head.argv)
        runs, red, last = self._met.get(key, (0, 0, ""))
        if tree and last != head.run_id:
            self._met[key] = runs + 1, red + (head.exit_code != 0), head.run_id

    def attempts(self, receipt: Receipt) -> Attempts | None:
        """Return how often a receipt's tests ran before on its tree; null if that is unknown.

        Of several runners the one counts that ran, or failed, most often.
        """
        if receipt.git_tree is None:
            return None
        tree, runs, red = receipt.git_tree.encode(), 0, 0
        here = [(key, met) for key, met in self._met.items() if key[0] == tree]
        for part in receipt.parts:
            if part.kind != "leaf":
                continue
            ids = part.report.ids_sha256.encode() if part.report is not None else None
            asked = typed(part.argv)
            same = [
                met
                for (_, told, argv), met in here
                if (told and told == ids) or typed(json.loads(argv)) == asked
            ]
            runs = max(runs, sum(met[0] for met in same))
            red = max(red, sum(met[1] for met in same))
        return Attempts(runs=runs, red=red)


def _text_of(raw: bytes, name: bytes) -> bytes:
    """Return a member's text in the JSON of an object, nothing where it has none."""
    at = raw.find(b'"%s":' % name)
    if at < 0:
        return b""
    start = at + len(name) + 3
    start += raw[start : start + 1] == b" "
    if raw[start : start + 1] != b'"':
        return b""
    return raw[start + 1 : raw.find(b'"', start + 1)]


class LogState(msgspec.Struct, frozen=True, kw_only=True):
    """The spans of one run, and the log when they were read."""

    spans: tuple[Span, ...]
    """None where the log has no such run."""
    head: str
    length: int
    top: str
    problem: str = ""
    """What is wrong with the chain; empty where it is whole."""
    before: "Before"
    """The test runs that were recorded before this one."""
    at: str | None = None
    """The digest of the record that was asked for; only where the chain is whole."""
    is_pruned: bool = False
    """Whether earlier records stand in parts that were closed."""


class _Search:
    """One way through a log: whose run it is that is looked for."""

    def __init__(self, sought: Sought) -> None:
        self._sought = sought
        self._met = 0
        self._is_past = False
        self.before = Before()
        self.at: str | None = None
        self.found: dict[str, str] = {}
        """Span → run, of the span or the images of the process."""

    def places(self, heads: Sequence[RunHead]) -> list[int]:
        """Look at the heads of a block; those of the known run are wanted whole."""
        sought, wanted = self._sought, []
        for place, head in enumerate(heads):
            if head.span_id == sought.span_id or (
                sought.pid is not None and (head.pid, head.pid_start) == sought.pid
            ):
                self.found.setdefault(head.span_id, head.run_id)
            if sought.run_id and head.run_id == sought.run_id:
                wanted.append(place)
                self._is_past = True
            elif head.kind == "leaf" and head.role == "test" and not self._is_past:
                self.before.add(head)
        number = sought.number
        if number is not None and self._met < number <= self._met + len(heads):
            self.at = heads[number - self._met - 1].digest
        self._met += len(heads)
        return wanted


def read_run(log: str, sought: Sought) -> LogState:
    """Return the spans of a run and the log's end; parts that were closed are read too.

    Raises:
        LogError: the log cannot be read.
    """
    spans, search, first = _read(log, sought)
    for part in closed_parts(log) if not search.found and first.header is not None else ():
        if part.state == "here" and not spans:
            spans, of_part, _ = _read(part.path, sought)
            search = of_part if spans else search
    broken = [one for one in first.problems if one.slug != "torn"]
    return LogState(
        spans=spans,
        head=first.head or "",
        length=first.chain_length,
        top=sought.span_id or (_first_image(spans, set(search.found)) if spans else ""),
        problem=broken[0].message if broken else "",
        before=search.before,
        at=None if broken else search.at,
        is_pruned=first.header is not None,
    )


def _read(log: str, sought: Sought) -> tuple[tuple[Span, ...], _Search, LogRead]:
    """Go through one file, and once more where the run's id was not known."""
    search = _Search(sought)
    read = read_log(log, Wanted(RunHead, search.places))
    spans = tuple(read)
    run_id = next(iter(search.found.values()), None)
    if run_id is None:
        return (), search, read
    if run_id != sought.run_id:
        again = _Search(msgspec.structs.replace(sought, run_id=run_id))
        spans = tuple(read_log(log, Wanted(RunHead, again.places)))
        search = again
    return spans, search, read


def _first_image(spans: Sequence[Span], same: set[str]) -> str:
    """Return which of the images of one process came first."""
    return min(
        (span for span in spans if span.span_id in same),
        key=lambda span: (span.parent_span_id in same, span.started_at),
    ).span_id
