"""Reads evidence folders as plain values for the gate."""

import os
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from proctor._digest import sha256_hex
from proctor.capture.compare import read_side
from proctor.capture.manifest import (
    NAME,
    Command,
    Manifest,
    mismatches,
    read_file,
    read_manifest,
)
from proctor.capture.record import disagreements, unrecorded
from proctor.errors import EvidenceError, ReportError
from proctor.gate.beside import Captured, CapturedRun
from proctor.records.log import Head, Wanted, read_log
from proctor.records.parts import closed_parts
from proctor.records.span import Span
from proctor.results.read import read_summary

_CODE = re.compile(r"[0-9]{1,3}")


class _Head(Head, frozen=True, kw_only=True, gc=False):
    """What tells whose run a line belongs to."""

    run_id: str = ""


def read_captured(folder: str, root: str, logs: Sequence[str]) -> Captured:
    """Return what an evidence folder says; `root` is the repository that is judged.

    It is held against the records of `logs`, unless one of them can be read only once.

    Raises:
        EvidenceError: there is no manifest, or it cannot be read.
        LogError: a log cannot be read.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        what = f"{NAME} is missing" if os.path.isdir(folder) and os.listdir(folder) else "is empty"
        raise EvidenceError(
            f"{folder}: {what if os.path.isdir(folder) else 'is no folder'}: there is no evidence; "
            "capture some: proctor evidence capture -- pytest"
        )
    problems = list(mismatches(folder, manifest))
    lost: tuple[str, ...] = ()
    if all(os.path.isfile(log) or not os.path.lexists(log) for log in logs):
        recorded = _recorded(logs, {command.run_id for command in manifest.commands})
        problems += [(NAME, why) for why in disagreements(manifest, recorded)]
        lost = unrecorded(manifest, recorded)
    odd = {name for name, _ in problems}
    runs = tuple(_run(folder, command, odd) for command in manifest.commands)
    for run, command in zip(runs, manifest.commands, strict=True):
        if f"{run.name}.exit" not in odd and run.exit_code != command.exit_code:
            problems.append((f"{run.name}.exit", f"is not the manifest's {command.exit_code}"))
    return Captured(
        folder=folder,
        digest=manifest.digest,
        runs=runs,
        unrecorded=lost,
        problems=tuple(problems),
        has_lock=any(kept.source is not None for kept in manifest.files),
        changed_locks=tuple(_changed(root, manifest)),
        toolchain=read_side(folder).toolchain,
    )


def _recorded(logs: Sequence[str], ids: AbstractSet[str]) -> dict[str, list[Span]]:
    """Return the spans of some runs, by run; closed parts are read where one is missing."""
    found: dict[str, list[Span]] = {}

    def places(heads: Sequence[_Head]) -> list[int]:
        return [number for number, head in enumerate(heads) if head.run_id in ids]

    for log in logs if ids else ():
        if not os.path.lexists(log):
            continue
        paths = [log, *(part.path for part in closed_parts(log) if part.state == "here")]
        for path in paths:
            if found.keys() < ids:
                for span in read_log(path, Wanted(_Head, places)):
                    found.setdefault(span.run_id, []).append(span)
    return found


def _run(folder: str, command: Command, odd: AbstractSet[str]) -> CapturedRun:
    junit: dict[str, str] = {}
    failed = 0
    for name in command.junit:
        path = os.path.join(folder, os.path.basename(name))
        data = read_file(path) if name not in odd else None
        if data is None:
            continue
        junit[name] = sha256_hex(data)
        try:
            failed += read_summary(path, "junit").counts()["failed"]
        except ReportError:
            # What is no report any more has another digest, and that is said.
            continue
    code = _exit_code(os.path.join(folder, os.path.basename(f"{command.name}.exit")))
    return CapturedRun(
        name=command.name,
        exit_code=code,
        span_id=command.span_id,
        junit=junit,
        failed=failed,
    )


def _exit_code(path: str) -> int | None:
    text = (read_file(path) or b"").decode("utf-8", "replace").strip()
    return int(text) if _CODE.fullmatch(text) else None


def _changed(root: str, manifest: Manifest) -> list[str]:
    changed = []
    for kept in manifest.files:
        if kept.source is None:
            continue
        path = os.path.normpath(os.path.join(root, kept.source))
        inside = path.startswith(root.rstrip("/") + "/")
        data = read_file(path) if inside else None
        if data is None or sha256_hex(data) != (kept.source_sha256 or kept.sha256):
            changed.append(kept.source)
    return changed
