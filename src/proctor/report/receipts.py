"""What a check of receipts found, as lines for people and as JSON."""

import os
from datetime import UTC, datetime
from typing import Any

from proctor.receipt.base import Checked, shown
from proctor.receipt.check import Answer, Question, check_receipts


def told(
    folder: str, path: str | None, base: str | None, command: str | None
) -> tuple[str, dict[str, Any]]:
    """Return what is wrong with a receipt, or with those at the default place, in both forms.

    Raises:
        EvidenceError, ConfigError, RepositoryError, UsageError: as `check_receipts`.
    """
    answer = check_receipts(
        Question(
            folder=folder,
            environ=os.environ,
            now=datetime.now(UTC),
            paths=(os.path.join(folder, path),) if path is not None else (),
            base=base,
            command=command,
        )
    )
    return "\n".join(lines_of(answer)), as_json(answer)


def lines_of(answer: Answer) -> list[str]:
    """Return the lines about each receipt, the level reached first."""
    lines = []
    for one in answer.checked:
        lines += _about(one)
    lines += [f"not owed  {name}: the patch touches none of its paths" for name in answer.not_owed]
    return lines or ["nothing was checked: no receipt, and no requirement"]


def as_json(answer: Answer) -> dict[str, Any]:
    """Return the answer as JSON has it."""
    import msgspec

    return {
        "schema": "proctor.receipt-check/1",
        "exit_code": answer.exit_code,
        "not_owed": list(answer.not_owed),
        "checked": [
            {**msgspec.to_builtins(one), "level": one.level, "exit_code": one.exit_code}
            for one in answer.checked
        ],
    }


def _about(one: Checked) -> list[str]:
    unsigned = "not signed" if one.refusals else "rests on this clone's log alone"
    by = f"signed by {one.signed_by[:12]}…" if one.signed_by else unsigned
    name = f"{one.requirement}: " if one.requirement else ""
    lines = []
    if one.refusals:
        lines.append(f"refused   level {one.level} of 3 ({by}); {name}{one.path}")
        lines += [f"  {refusal.code} {refusal.line}" for refusal in one.refusals]
    else:
        assert one.receipt is not None  # noqa: S101 - what is not there is refused
        ran = one.receipt.executed
        tests = f"{ran.executed} tests executed" if ran else "executed tests not counted"
        lines.append(f"good      level {one.level} of 3 ({by}); {name}{one.path}")
        lines.append(f"  {shown(one.receipt.command)}: exit 0, {tests}, on these files")
    return lines + [f"  note: {note}" for note in one.notes]
