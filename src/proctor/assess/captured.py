"""Reads evidence folders as plain values for the gate."""

import os
import re

from proctor._digest import sha256_hex
from proctor.capture.compare import read_side
from proctor.capture.manifest import Command, Manifest, mismatches, read_file, read_manifest
from proctor.errors import EvidenceError, ReportError
from proctor.gate.beside import Captured, CapturedRun
from proctor.results.read import read_summary

_CODE = re.compile(r"[0-9]{1,3}")


def read_captured(folder: str, root: str) -> Captured:
    """Return what an evidence folder says; `root` is the repository that is judged.

    Raises:
        EvidenceError: there is no manifest, or it cannot be read.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        raise EvidenceError(
            f"{folder}: no evidence is there; capture some: proctor evidence capture -- pytest"
        )
    return Captured(
        folder=folder,
        digest=manifest.digest,
        runs=tuple(_run(folder, command) for command in manifest.commands),
        problems=tuple(mismatches(folder, manifest)),
        has_lock=any(kept.source is not None for kept in manifest.files),
        changed_locks=tuple(_changed(root, manifest)),
        toolchain=read_side(folder).toolchain,
    )


def _run(folder: str, command: Command) -> CapturedRun:
    junit: dict[str, str] = {}
    failed = 0
    for name in command.junit:
        path = os.path.join(folder, os.path.basename(name))
        data = read_file(path)
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
