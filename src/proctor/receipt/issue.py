"""Writes the receipt of a run that has just been recorded.

Steps: 1. read the run's spans and the log's head, 2. describe them, 3. seal,
4. write the file whole beside its place and rename it there, 5. sign, if asked.
"""

import os
import time
from collections.abc import Sequence

import msgspec

from proctor._whole import write_whole
from proctor.errors import EvidenceError
from proctor.host import facts
from proctor.receipt.describe import Scene, describe, place_of_record
from proctor.receipt.fields import DEFAULT, Receipt, sealed
from proctor.records.log import Head, Wanted, read_log
from proctor.records.parts import closed_parts
from proctor.records.place import find_clone
from proctor.records.span import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.recorder.options import Options, Recorded

SIGNED = 2
"""The level of the threat model that a signature claims."""
_PATIENCE_S = 3.0
"""How long the spans of a run are waited for that another recorder writes."""
_PAUSE_S = 0.05


class RunHead(Head, frozen=True, kw_only=True, gc=False):
    """What tells whose run a line belongs to."""

    run_id: str = ""
    pid: int | None = None
    pid_start: int | None = None


class LogState(msgspec.Struct, frozen=True, kw_only=True):
    """The spans of one run, and the log when they were read."""

    spans: tuple[Span, ...]
    """None where the log has no such run."""
    head: str
    length: int
    top: str
    problem: str = ""
    """What is wrong with the chain; empty where it is whole."""


def issue(
    *, folder: str, log: str, span_id: str = "", pid: tuple[int, int] | None = None,
    level: int = 0,
) -> Receipt:  # fmt: skip
    """Return the receipt of the run whose top span is named, by id or by process.

    `folder` is one of the repository. With `pid` another recorder writes the spans,
    and they are waited for.

    Raises:
        EvidenceError: the log has no such run, or its end was not witnessed.
        LogError: the log cannot be read.
    """
    state = _wait(log, span_id, pid)
    scene = Scene(state.spans, state.top)
    receipt = describe(scene, scene.host or facts())
    if not receipt.repository[1]:
        receipt = msgspec.structs.replace(
            receipt, repository=(None, find_clone(folder).repository_id)
        )
    record = place_of_record(scene.top, state.head, state.length)
    return msgspec.structs.replace(receipt, log=record, level=level)


def issue_for_run(options: "Options", what: "Recorded") -> None:
    """Write the receipt that a run was asked for, signed if that was asked too.

    Raises:
        EvidenceError: it cannot be written or signed.
        LogError: the log cannot be read.
    """
    folder = os.getcwd()
    root = find_clone(folder).root
    path = place_for(root, options.receipt or "")
    signs = options.sign is not None
    receipt = issue(
        folder=folder,
        log=what.log,
        span_id=what.span_id,
        pid=what.pid,
        level=SIGNED if signs else 0,
    )
    envelope = envelope_path(path)
    if os.path.lexists(envelope):
        os.unlink(envelope)  # it is about the receipt that is replaced here
    data = write_receipt(receipt, path)
    if signs:
        from proctor.receipt.attest import sign
        from proctor.receipt.keys import load_key

        put_whole(envelope, sign(data, os.path.relpath(path, root), load_key(options.sign or "")))


def envelope_path(path: str) -> str:
    """Return where the signatures of the receipt at `path` lie."""
    return f"{path.removesuffix('.json')}.intoto.jsonl"


class _Search:
    """One way through a log: whose run it is that is looked for."""

    def __init__(self, span_id: str, pid: tuple[int, int] | None) -> None:
        self._span_id = span_id
        self._pid = pid
        self.found: dict[str, str] = {}
        """Span → run, of the span or the images of the process."""

    def places(self, heads: Sequence[RunHead]) -> list[int]:
        """Look at the heads of a block; nothing of it is wanted whole."""
        for head in heads:
            if head.span_id == self._span_id or (
                self._pid is not None and (head.pid, head.pid_start) == self._pid
            ):
                self.found.setdefault(head.span_id, head.run_id)
        return []


def read_run(log: str, span_id: str = "", pid: tuple[int, int] | None = None) -> LogState:
    """Return the spans of a run and the log's end; parts that were closed are read too.

    Raises:
        LogError: the log cannot be read.
    """
    search = _Search(span_id, pid)
    first = read_log(log, Wanted(RunHead, search.places))
    for _ in first:
        raise AssertionError  # nothing is wanted on the first way through
    spans = _spans_of(log, search)
    for part in closed_parts(log) if not spans and first.header is not None else ():
        if part.state == "here" and not spans:
            for _ in read_log(part.path, Wanted(RunHead, search.places)):
                raise AssertionError  # as above
            spans = _spans_of(part.path, search)
    broken = [one for one in first.problems if one.slug != "torn"]
    return LogState(
        spans=spans,
        head=first.head or "",
        length=first.chain_length,
        top=span_id or (_first_image(spans, set(search.found)) if spans else ""),
        problem=broken[0].message if broken else "",
    )


def _spans_of(log: str, search: _Search) -> tuple[Span, ...]:
    """Return the spans of the run that a search has found."""
    run_id = next(iter(search.found.values()), None)
    if run_id is None:
        return ()
    wanted = Wanted(
        RunHead, lambda heads: [n for n, one in enumerate(heads) if one.run_id == run_id]
    )
    return tuple(read_log(log, wanted))


def write_receipt(receipt: Receipt, path: str) -> bytes:
    """Write a receipt whole beside its place, rename it there, and return its bytes.

    Raises:
        EvidenceError: it cannot be written.
    """
    data = sealed(receipt)
    put_whole(path, data)
    return data


def put_whole(path: str, data: bytes) -> None:
    """Make the file at `path` hold `data`, never a part of it.

    Raises:
        EvidenceError: it cannot be written.
    """
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        write_whole(path, data, durable=True)
    except OSError as error:
        raise EvidenceError(
            f"{path}: cannot be written: {error.strerror}; choose another place with --receipt=FILE"
        ) from None


def place_for(root: str, chosen: str) -> str:
    """Return where a receipt goes: as chosen, else the default place in the repository."""
    return os.path.abspath(chosen) if chosen else os.path.join(root, DEFAULT)


def _wait(log: str, span_id: str, pid: tuple[int, int] | None) -> LogState:
    """Return the run's spans once its top span has been written."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        state = read_run(log, span_id, pid)
        if state.spans and (pid is None or _has_end(state)):
            return state
        if pid is None or time.monotonic() >= deadline:
            break
        time.sleep(_PAUSE_S)
    raise EvidenceError(
        f"{log}: holds no record of this command; "
        "a command that Proctor knows no class for is kept with: --keep all"
    )


def _has_end(state: LogState) -> bool:
    """Return whether the last image of the top span's process has been written too."""
    return Scene(state.spans, state.top).last.exit_code is not None


def _first_image(spans: Sequence[Span], same: set[str]) -> str:
    """Return which of the images of one process came first."""
    return min(
        (span for span in spans if span.span_id in same),
        key=lambda span: (span.parent_span_id in same, span.started_at),
    ).span_id
