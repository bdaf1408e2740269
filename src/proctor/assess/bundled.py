"""The records of another job, read from a bundle as if they had been made in this clone.

Steps: 1. the bundle is read whole and written into a private folder for the time, 2. in
each record the other job's folder and clone become the ones here, 3. the trees that its
runs saw and that are not here are made again of what is.

What a bundle says is what the other job says: paths in it are names to compare, and
none is opened. That a record says it was made on this repository's files shows nothing;
that the tree which it names comes out of git's objects here does.
"""

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from proctor.errors import EvidenceError, RepositoryError
from proctor.gate.beside import OtherJob
from proctor.gate.evidence import Evidence, Run
from proctor.receipt.bundle import Origin, is_allowed, read_bundle, unpack
from proctor.records.place import Clone
from proctor.records.span import Span, files_of
from proctor.repo.rebuild import Told, made_here

_LOG = os.path.join("log", "spans.jsonl")
_EVIDENCE = "evidence"
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
MOST_TREES = 200
"""Trees that are made again; a run on any other is unknown."""


class Bundled(msgspec.Struct, frozen=True, kw_only=True):
    """An open bundle: its files lie below `folder` until it is closed."""

    path: str
    """As it was named."""
    folder: str
    origin: Origin

    @property
    def log(self) -> str:
        """The log that it holds."""
        return os.path.join(self.folder, _LOG)

    @property
    def evidence(self) -> str | None:
        """The evidence folder that it holds, if any."""
        folder = os.path.join(self.folder, _EVIDENCE)
        return folder if os.path.isdir(folder) else None

    def named(self, path: str) -> str:
        """Return what a file of the bundle is called in messages."""
        return f"{self.path}: {os.path.relpath(path, self.folder)}"


@contextlib.contextmanager
def opened(path: str) -> Iterator[Bundled]:
    """Open a bundle that holds a log; its files are gone afterwards.

    Raises:
        EvidenceError: it is not there, not as it was made, or holds no log.
    """
    bundle = read_bundle(path)
    if _LOG.replace(os.sep, "/") not in bundle.files or bundle.origin is None:
        raise EvidenceError(
            f"{path}: holds no span log; where the tests ran: proctor bundle make --log"
        )
    folder = tempfile.mkdtemp(prefix="proctor-bundle-")
    try:
        unpack(bundle, folder)
        yield Bundled(path=path, folder=folder, origin=bundle.origin)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def other_job_in(bundled: Bundled | None, own_log: str) -> OtherJob | None:
    """Return what the gate is told of a bundle; `own_log` is where this clone's would be."""
    if bundled is None:
        return None
    here = os.path.lexists(own_log)
    return OtherJob(path=bundled.path, root=bundled.origin.root, recorded_here=here)


class Mover:
    """Reads records of a bundle as records of the clone that is judged."""

    def __init__(self, bundled: Bundled, clone: Clone) -> None:
        self._reports = os.path.join(bundled.folder, "log", "reports")
        self._origin = bundled.origin
        self._clone = clone
        root = bundled.origin.root
        self._root = root.rstrip("/") if os.path.isabs(root) and root.strip("/") else None

    def moved(self, span: Span) -> Span:
        """Return a record with the folders and the clone of this job."""
        known: dict[str, Any] = self._renamed(msgspec.to_builtins(span))
        report, git = known["report"], known["git"]
        for kept in [] if report is None else [report, *report["also"]]:
            kept["path"] = self._report(kept["path"])
        if git is not None:
            # NOTE: objects are read, and new ones written, where this clone keeps its own.
            git["objects"] = None
            for name in ("head", "tree", "tree_after"):
                git[name] = git[name] if _ID.fullmatch(git[name] or "") else None
            first, clone = git["repository"]
            own = clone == self._origin.repository
            git["repository"] = (first, self._clone.repository_id if own else clone)
        return msgspec.convert(known, Span)

    def _renamed(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._path(value)
        if isinstance(value, dict):
            return {name: self._renamed(one) for name, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._renamed(one) for one in value]
        return value

    def _path(self, text: str) -> str:
        if self._root is None or not text.startswith(self._root):
            return text
        rest = text[len(self._root) :]
        return self._clone.root.rstrip("/") + rest if not rest or rest[0] == "/" else text

    def _report(self, path: str) -> str:
        name = os.path.basename(path)
        known = is_allowed(f"log/reports/{name}")
        return os.path.join(self._reports, name if known else "unknown")


def junit_written(names: Iterable[str], evidence: Evidence) -> dict[str, str | None]:
    """Return for each JUnit file the digest of what the newest run wrote there, if any did."""
    written: dict[str, str] = {}
    for span in sorted((one.span for one in evidence.every_seen()), key=lambda one: one.started_at):
        for kept in files_of(span.report) if span.report is not None else ():
            if kept.source is not None:
                written[os.path.normpath(kept.source)] = kept.sha256
    return {
        name: written.get(os.path.normpath(os.path.join(evidence.root, name))) for name in names
    }


def make_trees(clone: Clone, state_folder: str, objects: str | None, runs: Iterable[Run]) -> None:
    """Make the trees that runs of another job saw, as far as what is here allows.

    What cannot be made stays unknown to the gate, which says so.
    """
    seen = (seen.span.git for run in runs for seen in run.seen)
    told = {
        git.tree: Told(git.tree, git.head, git.untracked, git.untracked_count)
        for git in seen
        if git is not None and git.tree is not None
    }
    for one in list(told.values())[:MOST_TREES]:
        with contextlib.suppress(RepositoryError):
            made_here(clone, state_folder, objects, one)
