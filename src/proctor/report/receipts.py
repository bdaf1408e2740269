"""What a check of receipts found: as lines for people, as JSON, and as a verdict."""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from proctor.findings import Finding, Level, Outcome
from proctor.receipt.base import EXIT_MISSING, Checked, Refusal, shown
from proctor.receipt.check import Answer, Question, check_receipts
from proctor.receipt.fields import Receipt
from proctor.records.place import find_clone
from proctor.report.answer import Answer as Shown
from proctor.report.plain import visible
from proctor.report.summary import Case, Summary, Table, outcome_of

_DIGEST = re.compile(r"\b[0-9a-f]{40,}\b")
LIMITS = "A receipt shows one command on one tree. It does not show that the tests are good ones."


class CheckedReceipt(msgspec.Struct, frozen=True, kw_only=True):
    """One receipt, and all that is wrong with it."""

    path: str
    receipt: Receipt | None
    refusals: tuple[Refusal, ...]
    signed_by: str | None
    requirement: str | None
    notes: tuple[str, ...]
    level: int
    exit_code: int


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """What `--format json` writes."""

    schema: str = "proctor.receipt-check/1"
    """1: the first version."""
    exit_code: int
    not_owed: tuple[str, ...]
    checked: tuple[CheckedReceipt, ...]


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
    return "\n".join(lines_of(answer)), msgspec.to_builtins(document_of(answer))


def answer_of(answer: Answer) -> Shown:
    """Return what was found, ready for every format."""
    from proctor.report.page.base import page_of

    summary = summary_of(answer)
    return Shown(
        verdict=summary,
        document=document_of(answer),
        page=lambda: page_of(summary),
        own={"text": lambda _: "".join(f"{line}\n" for line in lines_of(answer))},
    )


def lines_of(answer: Answer) -> list[str]:
    """Return the lines about each receipt, the level reached first."""
    lines = []
    for one in answer.checked:
        lines += _about(one)
    lines += [f"not owed  {name}: the patch touches none of its paths" for name in answer.not_owed]
    return lines or ["nothing was checked: no receipt, and no requirement"]


def document_of(answer: Answer) -> Document:
    """Return the answer as JSON has it."""
    return Document(
        exit_code=answer.exit_code,
        not_owed=answer.not_owed,
        checked=tuple(
            CheckedReceipt(level=one.level, exit_code=one.exit_code, **msgspec.structs.asdict(one))
            for one in answer.checked
        ),
    )


def summary_of(answer: Answer) -> Summary:
    """Return the answer as a verdict: a finding for each refusal."""
    root = find_clone(os.getcwd()).root
    findings = [*_findings(answer, root)]
    refused = [one for one in answer.checked if one.refusals]
    levels = [one.level for one in answer.checked]
    return Summary(
        command="receipt check",
        outcome=outcome_of(findings),
        sentence=_sentence(answer, refused),
        findings=tuple(findings),
        facts=(
            f"level {min(levels, default=0)}",
            _number(len(answer.checked), "receipt"),
            f"{len(refused):,} refused",
            *((f"{len(answer.not_owed):,} not owed",) if answer.not_owed else ()),
        ),
        cases=tuple(_case(one, root) for one in answer.checked),
        tables=tuple(_tables(answer, root)),
        inputs={
            f"receipt {_place(one.path, root)}": one.receipt.digest or ""
            for one in answer.checked
            if one.receipt is not None
        },
        limits=LIMITS,
    )


def _findings(answer: Answer, root: str) -> Iterator[Finding]:
    if not answer.checked and not answer.not_owed:
        yield Finding(
            rule="no-records",
            level=Level.UNPROVEN,
            message="nothing was checked: no receipt, and no requirement",
            cure="proctor receipt issue -- pytest",
        )
    for one in answer.checked:
        for refusal in one.refusals:
            yield Finding(
                rule=refusal.rule,
                level=Level.UNPROVEN if refusal.code == EXIT_MISSING else Level.ERROR,
                message=f"{refusal.field}: {refusal.message}",
                cure=refusal.cure,
                argv=tuple(one.receipt.argv or ()) if one.receipt is not None else (),
                paths=(_place(one.path, root),),
                requirement=one.requirement,
            )


def _sentence(answer: Answer, refused: list[Checked]) -> str:
    if not answer.checked:
        spared = "nothing is owed: the patch touches no path of a requirement"
        return spared if answer.not_owed else "nothing was checked"
    if not refused:
        count = len(answer.checked)
        return "the receipt is good" if count == 1 else f"all {count:,} receipts are good"
    first = refused[0].refusals[0]
    which = "the receipt is refused"
    if len(answer.checked) > 1:
        which = f"{len(refused):,} of {len(answer.checked):,} receipts are refused"
    return f"{which}: {_DIGEST.sub(_short, first.message)}"


def _case(one: Checked, root: str) -> Case:
    codes = {refusal.code for refusal in one.refusals}
    missing = codes == {EXIT_MISSING}
    outcome = Outcome.UNPROVEN if missing else Outcome.FAIL if codes else Outcome.PASS
    said, *lines = _about(one)
    place = _place(one.path, root)
    name = f"{one.requirement}: {place}" if one.requirement else place
    return Case(name=name, outcome=outcome, said=said, lines=tuple(map(str.strip, lines)))


def _tables(answer: Answer, root: str) -> Iterator[Table]:
    rows = []
    for one in answer.checked:
        if one.receipt is not None:
            ran = one.receipt.executed
            rows.append(
                (
                    _place(one.path, root),
                    str(one.receipt.command),
                    str(one.receipt.exit_code),
                    f"{ran.executed:,}" if ran else "not counted",
                    f"signed by {one.signed_by[:12]}…" if one.signed_by else "this clone's log",
                    "; ".join(one.notes),
                )
            )
    if rows:
        head = ("Receipt", "Command", "Exit code", "Tests", "Rests on", "Notes")
        yield Table(title="What the receipts say", head=head, rows=tuple(rows))


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
    return [visible(line) for line in lines + [f"  note: {note}" for note in one.notes]]


def _place(path: str, root: str) -> str:
    """Return a receipt's path as forges know it: from the repository's root, if it is inside."""
    inside = os.path.relpath(os.path.realpath(path), root)
    return path if inside.startswith("..") else inside


def _short(digest: re.Match[str]) -> str:
    return f"{digest[0][:12]}…"


def _number(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"
