"""Receipts as evidence: what is wrong with each, and the runs that signed ones tell of."""

import os

from proctor._digest import sha256_hex
from proctor.assess.reading import ArgvReader
from proctor.gate.beside import Receipt, ReceiptRefusal
from proctor.gate.evidence import Run
from proctor.receipt.base import EXIT_ALTERED, EXIT_FIELDS, Checked
from proctor.receipt.check import Question, check_each
from proctor.receipt.fields import Part
from proctor.receipt.fields import Receipt as Certified
from proctor.receipt.here import Here
from proctor.records.span import Git, Report, Span

_NOT_BELIEVED = frozenset((EXIT_FIELDS, EXIT_ALTERED))


def read_receipts(
    question: Question, reader: ArgvReader
) -> tuple[tuple[Receipt, ...], tuple[Run, ...]]:
    """Return what is wrong with the receipts, and the runs of those that travel.

    A receipt that a trusted key signed stands for the records that are elsewhere; an
    unsigned one rests on records that are here, and adds none.

    Raises:
        EvidenceError: a receipt is unreadable.
        ConfigError, RepositoryError: the configuration or the base is.
    """
    found: list[Receipt] = []
    runs: list[Run] = []
    here, checked = check_each(question)
    for one in checked:
        run = _run_of(one, here, reader)
        runs += [run] if run is not None else []
        before = one.receipt.attempts if one.receipt else None
        found.append(
            Receipt(
                path=one.path,
                refusals=tuple(
                    ReceiptRefusal(
                        rule=refusal.rule,
                        message=f"{one.path}: {refusal.field}: {refusal.message}",
                        cure=refusal.cure,
                    )
                    for refusal in one.refusals
                ),
                signed_by=one.signed_by,
                run_id=run.run_id if run else None,
                attempts=1 + (before.runs if before else 0),
                red=before.red if before else 0,
            )
        )
    return tuple(found), tuple(runs)


def _run_of(checked: Checked, here: Here, reader: ArgvReader) -> Run | None:
    """Return the run that a receipt signed by a trusted key tells of; none if unsigned."""
    receipt = checked.receipt
    if checked.signed_by is None or receipt is None or receipt.digest is None:
        return None
    if any(refusal.code in _NOT_BELIEVED for refusal in checked.refusals):
        return None
    here.has_tree_of(receipt)
    spans = _spans(receipt, here)
    return Run(
        run_id=spans[0].run_id, seen=tuple(reader.see(span, read_text=False) for span in spans)
    )


def _spans(receipt: Certified, here: Here) -> list[Span]:
    """Return the root and the runners below it as a recorder would have written them."""
    run_id = sha256_hex((receipt.digest or "").encode())[:32]
    git = _git(receipt, here)
    alone = [part for part in receipt.parts if part.argv == receipt.argv]
    root = _span(receipt, run_id, 0, alone[0] if alone else None, git, here)
    rest = [part for part in receipt.parts if part not in alone[:1]]
    return [
        root,
        *(_span(receipt, run_id, number, part, git, here) for number, part in enumerate(rest, 1)),
    ]


def _span(
    receipt: Certified, run_id: str, number: int, part: Part | None, git: Git, here: Here
) -> Span:
    folder = (part.folder if number and part else receipt.folder) or ""
    return Span(
        span_id=f"{run_id[:12]}{number:04x}",
        run_id=run_id,
        parent_span_id=f"{run_id[:12]}{0:04x}" if number else None,
        argv=part.argv if number and part else receipt.argv,
        cwd=os.path.normpath(os.path.join(here.root, folder)),
        exit_code=part.exit_code if number and part else receipt.exit_code,
        started_at=receipt.started_utc,
        finished_at=receipt.finished_utc,
        duration_ms=None,
        duration_floor_ms=0,
        duration_ok=None,
        denied_binary=False,
        stdout_sha256=None,
        stderr_sha256=None,
        stdout_bytes=None,
        stderr_bytes=None,
        env_names=(),
        witness="tree",
        git=git,
        runner=part.runner if part else None,
        exe=part.exe if part else None,
        report=_report(part, here.state_folder) if part else None,
        narrowing_env=part.narrowing_env if part else (),
        odd_env=part.odd_env if part else (),
        host=None if number else _host(receipt),
        toolchain=None if number else dict(receipt.toolchain),
        pid=number + 1,
    )


def _git(receipt: Certified, here: Here) -> Git:
    # NOTE: signed receipts travel: what binds them is the tree, not the clone.
    return Git(
        root=here.root,
        repository=(receipt.repository[0], here.clone.repository_id),
        head=receipt.git_head,
        tree=receipt.git_tree,
        tree_after=receipt.git_tree_after,
        untracked=receipt.untracked,
        untracked_count=receipt.untracked_count,
        touched=receipt.changed_during,
        blind_spots=receipt.blind_spots,
        objects=here.objects,
    )


def _report(part: Part, state_folder: str) -> Report | None:
    if part.report is None:
        return None
    told = part.report
    return Report(
        path=os.path.join(state_folder, "reports", told.sha256),
        sha256=told.sha256,
        format=told.format,
        executed=told.executed,
        passed=told.passed,
        failed=told.failed,
        skipped=told.skipped,
        ids_sha256=told.ids_sha256,
        exit_status=told.exit_status,
        complete=told.complete,
    )


def _host(receipt: Certified) -> dict[str, str]:
    system, _, machine = receipt.platform.partition("-")
    tools = {n: v for n, v in receipt.toolchain.items() if n in ("python", "node")}
    return {
        "hostname": receipt.hostname,
        "kernel": receipt.kernel,
        "system": system,
        "machine": machine,
        **tools,
    }
