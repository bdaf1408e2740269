"""Finds the spans of one run in a log, and the earlier runs of the same tests.

A log is read once where the run's id is known: its chain is checked on the way, the
record that a receipt remembers is met, and attempts on the same tree are counted.
"""

import json
from collections.abc import Sequence

import msgspec

from proctor.classify.typed import typed
from proctor.receipt.fields import Attempts, Part, Receipt
from proctor.records.log import Head, LogRead, Wanted, read_log
from proctor.records.parts import closed_parts
from proctor.records.span import Span

_NOTHING = msgspec.Raw(b"null")
_TEST_FAILED = (0, 1, None)
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
    receipt: Receipt | None = None
    """Whose tests, on whose tree, are looked for in earlier runs."""
    number: int | None = None
    """A record of the file whose digest is wanted; the first is 1."""


class LogState(msgspec.Struct, frozen=True, kw_only=True):
    """The spans of one run, and the log when they were read."""

    spans: tuple[Span, ...]
    """None where the log has no such run."""
    head: str
    length: int
    top: str
    problem: str = ""
    """What is wrong with the chain; empty where it is whole."""
    attempts: Attempts | None = None
    """Null where nobody asked, or the tree is not known."""
    at: str | None = None
    """The digest of the record that was asked for; only where the chain is whole."""
    is_pruned: bool = False
    """Whether earlier records stand in parts that were closed."""


class _Search:
    """One way through a log: whose run it is that is looked for."""

    def __init__(self, sought: Sought) -> None:
        self._sought = sought
        receipt = sought.receipt
        self._tree = receipt.git_tree if receipt is not None else None
        self._tests = _Tests(receipt.parts) if receipt is not None else _Tests(())
        self._met = 0
        self._is_past = False
        self._runs: dict[str, bool] = {}
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
            elif self._tree and head.kind == "leaf" and head.role == "test" and not self._is_past:
                self._look_at(head)
        number = sought.number
        if number is not None and self._met < number <= self._met + len(heads):
            self.at = heads[number - self._met - 1].digest
        self._met += len(heads)
        return wanted

    @property
    def attempts(self) -> Attempts | None:
        """Return what ran before, if that was asked."""
        if self._tree is None:
            return None
        return Attempts(runs=len(self._runs), red=sum(self._runs.values()))

    def _look_at(self, head: RunHead) -> None:
        """Count a leaf that ran the same tests on the same tree."""
        assert self._tree is not None  # noqa: S101 - asked by the caller
        if self._tree.encode() not in bytes(head.git):
            return
        git = json.loads(bytes(head.git))
        could_test = head.command_class != "pytest" or head.exit_code in _TEST_FAILED
        if git.get("tree") == self._tree and could_test and self._tests.has(head):
            red = head.exit_code != 0
            self._runs[head.run_id] = red or self._runs.get(head.run_id, False)


class _Tests:
    """Which tests the leaves of a receipt ran, by id where a report tells, else by argv."""

    def __init__(self, parts: Sequence[Part]) -> None:
        leaves = [part for part in parts if part.kind == "leaf"]
        self._ids = {part.report.ids_sha256 for part in leaves if part.report is not None}
        self._argvs = [typed(part.argv) for part in leaves]

    def has(self, head: RunHead) -> bool:
        report = json.loads(bytes(head.report))
        if report and report.get("ids_sha256") in self._ids:
            return True
        return typed(json.loads(bytes(head.argv))) in self._argvs


def read_run(log: str, sought: Sought) -> LogState:
    """Return the spans of a run and the log's end; parts that were closed are read too.

    Raises:
        LogError: the log cannot be read.
    """
    spans, search, first = _read(log, sought)
    attempts = search.attempts
    for part in closed_parts(log) if not search.found and first.header is not None else ():
        if part.state == "here" and not spans:
            spans, of_part, _ = _read(part.path, sought)
            if spans:
                search, attempts = of_part, of_part.attempts
    broken = [one for one in first.problems if one.slug != "torn"]
    return LogState(
        spans=spans,
        head=first.head or "",
        length=first.chain_length,
        top=sought.span_id or (_first_image(spans, set(search.found)) if spans else ""),
        problem=broken[0].message if broken else "",
        attempts=attempts,
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
