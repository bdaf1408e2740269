"""Compares a receipt with the record that it rests on."""

import os
from collections.abc import Iterator

import msgspec

from proctor.errors import Error
from proctor.host import facts
from proctor.receipt.base import EXIT_ALTERED, Refusal, both, rerun, shown
from proctor.receipt.describe import Scene, describe
from proctor.receipt.fields import Attempts, Receipt, Record
from proctor.receipt.here import Here
from proctor.receipt.runs import LogState, Sought, read_run
from proctor.records.parts import holds, number_in_file

_NOT_IN_RECORD = frozenset(("attempts", "log", "level", "digest"))
_NEED_OBJECTS = ("dirty", "changed_during")
"""Members that are found by comparing trees, which may be gone."""


def unrecorded(receipt: Receipt, here: Here) -> Iterator[Refusal]:
    """Yield why an unsigned receipt does not rest on a record of this clone's log."""
    if receipt.log is None:
        return
    issued, own = receipt.repository[1], here.clone.repository_id
    if issued != own:
        yield _without(
            "repository",
            f"the receipt was issued in clone {shown(issued)}, this is clone {own}: unsigned, "
            "it counts only where its log is",
            f"{rerun(receipt.argv, receipt.folder)}, or have it signed: --sign",
        )
        return
    if not os.path.lexists(here.log):
        yield _without("log", f"there is no log {here.log}", rerun(receipt.argv, receipt.folder))
        return
    try:
        state, stands = _read(here.log, receipt.log)
    except Error as error:
        yield _without("log", str(error), rerun(receipt.argv, receipt.folder))
        return
    broken = list(_breaks(receipt, state, here, stands=stands))
    yield from broken
    if not state.spans:
        if not broken:
            yield _without(
                "log.span_id",
                f"the log has no record {shown(receipt.log.span_id)}",
                rerun(receipt.argv, receipt.folder),
            )
        return
    yield from _differences(receipt, state, here)


def _read(log: str, place: Record) -> tuple[LogState, bool | None]:
    """Return the run, and whether the log has the head that the receipt remembers.

    NOTE: a long log takes most of a check's time, and is read once where that does.
    """
    number = number_in_file(log, place.length)
    state = read_run(
        log,
        Sought(span_id=place.span_id, run_id=place.run_id, number=number),
    )
    if state.problem or state.length < place.length:
        return state, None
    if number is not None:
        return state, state.at == place.head
    return state, holds(log, place.head, place.length)


def _breaks(
    receipt: Receipt, state: LogState, here: Here, *, stands: bool | None
) -> Iterator[Refusal]:
    """Yield what shows that the log is not the one that the receipt remembers."""
    place = receipt.log
    assert place is not None  # noqa: S101 - asked by the caller
    if state.problem:
        yield _broken("log", f"{here.log}: {state.problem}", receipt)
    elif place.length < 1 or state.length < place.length:
        yield _broken(
            "log.length",
            f"the receipt remembers {place.length} records, the log has {state.length}: "
            "records were taken from its end",
            receipt,
        )
    elif not stands:
        which = "another" if stands is False else "that part of it is gone or was altered"
        yield _broken(
            "log.head",
            f"the receipt remembers {shown(place.head)} as record {place.length}; "
            f"in the log that is {which}",
            receipt,
        )


def _differences(receipt: Receipt, state: LogState, here: Here) -> Iterator[Refusal]:
    """Yield each member that is not what the record says."""
    assert receipt.log is not None  # noqa: S101 - asked by the caller
    scene = Scene(state.spans, state.top)
    place = {"record": scene.top.digest, "run_id": scene.top.run_id}
    for name, known in place.items():
        told = getattr(receipt.log, name)
        if told != known:
            yield _altered(f"log.{name}", told, known, receipt)
    try:
        expected = describe(scene, scene.host or facts())
    except Error as error:
        yield _without("log.span_id", str(error), rerun(receipt.argv, receipt.folder))
        return
    for field in msgspec.structs.fields(Receipt):
        name = field.name
        told, known = getattr(receipt, name), getattr(expected, name)
        if name in _NOT_IN_RECORD or told == known:
            continue
        if name == "repository" and scene.top.git is None and not expected.repository[1]:
            continue  # a run outside git: compared with this clone already
        if name in _NEED_OBJECTS and not here.has_tree_of(receipt):
            continue
        yield _altered(name, told, known, receipt)
    yield from _attempts(receipt, state)


def _attempts(receipt: Receipt, state: LogState) -> Iterator[Refusal]:
    """Yield where a receipt tells of other earlier runs than the log holds.

    Those that stand in closed parts by now are not counted here.
    """
    told, known = receipt.attempts, state.before.attempts(receipt)
    if state.is_pruned and told is not None and known is not None:
        known = Attempts(runs=max(told.runs, known.runs), red=max(told.red, known.red))
    if told == known:
        return
    yield _altered(
        "attempts",
        msgspec.to_builtins(told),
        msgspec.to_builtins(known),
        receipt,
    )


def _altered(name: str, told: object, known: object, receipt: Receipt) -> Refusal:
    says, recorded = both(told, known)
    return Refusal(
        code=EXIT_ALTERED,
        rule="digest-mismatch",
        field=name,
        message=f"the receipt says {says}, the record {recorded}",
        cure=rerun(receipt.argv, receipt.folder),
    )


def _without(field: str, message: str, cure: str) -> Refusal:
    return Refusal(
        code=EXIT_ALTERED, rule="receipt-without-record", field=field, message=message, cure=cure
    )


def _broken(field: str, message: str, receipt: Receipt) -> Refusal:
    return Refusal(
        code=EXIT_ALTERED,
        rule="chain-broken",
        field=field,
        message=message,
        cure=rerun(receipt.argv, receipt.folder),
    )
