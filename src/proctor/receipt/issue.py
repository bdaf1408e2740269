"""Writes the receipt of a run that has just been recorded.

Steps: 1. read the run's spans and the log's head, 2. describe them, 3. seal,
4. write the file whole beside its place and rename it there, 5. sign, if asked.
"""

import os
import time

import msgspec

from proctor._whole import write_whole
from proctor.errors import EvidenceError
from proctor.host import facts
from proctor.receipt.describe import Scene, describe, place_of_record
from proctor.receipt.fields import DEFAULT, Receipt, sealed
from proctor.receipt.runs import LogState, Sought, read_run
from proctor.records.place import find_clone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.recorder.options import Options, Recorded

SIGNED = 2
"""The level of the threat model that a signature claims."""
_PATIENCE_S = 3.0
"""How long the spans of a run are waited for that another recorder writes."""
_PAUSE_S = 0.05


def issue(*, folder: str, log: str, sought: Sought, level: int = 0) -> Receipt:
    """Return the receipt of the run whose top span is named, by id or by process.

    `folder` is one of the repository. Where a process is named another recorder writes
    the spans, and they are waited for.

    Raises:
        EvidenceError: the log has no such run, or its end was not witnessed.
        LogError: the log cannot be read.
    """
    state = _wait(log, sought)
    scene = Scene(state.spans, state.top)
    receipt = describe(scene, scene.host or facts())
    if not receipt.repository[1]:
        receipt = msgspec.structs.replace(
            receipt, repository=(None, find_clone(folder).repository_id)
        )
    return msgspec.structs.replace(
        receipt,
        attempts=state.before.attempts(receipt),
        log=place_of_record(scene.top, state.head, state.length),
        level=level,
    )


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
        sought=Sought(span_id=what.span_id, run_id=what.run_id, pid=what.pid),
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


def _wait(log: str, sought: Sought) -> LogState:
    """Return the run's spans once its top span has been written."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        state = read_run(log, sought)
        if state.spans and (sought.pid is None or _has_end(state)):
            return state
        if sought.pid is None or time.monotonic() >= deadline:
            break
        time.sleep(_PAUSE_S)
    raise EvidenceError(
        f"{log}: holds no record of this command; "
        "a command that Proctor knows no class for is kept with: --keep all"
    )


def _has_end(state: LogState) -> bool:
    """Return whether the last image of the top span's process has been written too."""
    return Scene(state.spans, state.top).last.exit_code is not None
