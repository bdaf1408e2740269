"""A receipt for people, and as a statement or predicate for other tools."""

import json
import os
from typing import Any

from proctor.errors import EvidenceError
from proctor.receipt.attest import predicate_of, statement_of
from proctor.receipt.base import shown
from proctor.receipt.fields import DEFAULT, read_file, read_receipt
from proctor.records.place import find_clone

_ROWS = (
    ("command", "command"),
    ("exit code", "exit_code"),
    ("commit", "git_head"),
    ("tree", "git_tree"),
    ("uncommitted", "dirty"),
    ("started", "started_utc"),
    ("finished", "finished_utc"),
    ("host", "hostname"),
    ("platform", "platform"),
    ("runtime", "runtime"),
    ("level", "level"),
    ("digest", "digest"),
)


def members_of(folder: str, path: str) -> tuple[str, bytes]:
    """Return the path and the bytes of a receipt; '' is the default one.

    Raises:
        EvidenceError: there is none, or it is unreadable.
    """
    path = path or os.path.join(find_clone(folder).root, DEFAULT)
    try:
        data = read_file(path)
    except FileNotFoundError:
        raise EvidenceError(
            f"{path}: there is no receipt; issue one: proctor receipt issue"
        ) from None
    read_receipt(data, path)
    return path, data


def as_text(data: bytes, path: str) -> list[str]:
    """Return a receipt as lines for people. It is only shown, not checked."""
    receipt = read_receipt(data, path).receipt
    assert receipt is not None  # noqa: S101 - its members can be read
    lines = [f"{path} (shown as it is; to check it: proctor receipt check)"]
    lines += [f"  {name:<12} {shown(getattr(receipt, member))}" for name, member in _ROWS]
    ran = receipt.executed
    if ran is not None:
        lines.append(
            f"  {'tests':<12} {ran.executed} executed: {ran.passed} passed, {ran.failed} failed; "
            f"{ran.skipped} skipped"
        )
    before = receipt.attempts
    if before is not None and before.runs:
        lines.append(
            f"  {'attempts':<12} {before.runs} of the same tests before on these files, "
            f"{before.red} red"
        )
    lines += [f"  {'ran':<12} {shown(part.argv)}: {part.exit_code}" for part in receipt.parts]
    lines += [f"  {'toolchain':<12} {n} {shown(v)}" for n, v in sorted(receipt.toolchain.items())]
    lines.append("  it does not say that the tests are good ones, nor the right ones")
    return lines


def statement(data: bytes, path: str, folder: str) -> dict[str, Any]:
    """Return the unsigned in-toto statement about a receipt.

    Raises:
        EvidenceError: fields are missing.
    """
    _require_whole(data, path)
    name = os.path.relpath(os.path.abspath(path), find_clone(folder).root)
    return statement_of(data, name)


def predicate(data: bytes, path: str, folder: str) -> dict[str, Any]:
    """Return the predicate about a receipt, for a tool that makes the statement.

    Raises:
        EvidenceError: fields are missing.
    """
    del folder
    _require_whole(data, path)
    found: dict[str, Any] = predicate_of(json.loads(data))
    return found


def _require_whole(data: bytes, path: str) -> None:
    reading = read_receipt(data, path)
    if reading.missing or reading.off:
        what = ", ".join((*reading.missing, *reading.off))
        raise EvidenceError(f"{path}: not a whole receipt ({what}); issue it again")
