"""Reads reports of the oracle, and holds each to what is judged.

A report counts for the working tree, the base and the rules that it names by digest;
about any others it is stale. That its figures are true a report does not show: who
can write the file can write them.
"""

import hashlib
import os
from collections.abc import Iterator

from proctor.config import OracleTable
from proctor.errors import OracleError, RepositoryError
from proctor.gate.beside import OracleFacts
from proctor.gate.evidence import Base
from proctor.oracle.check import settings_sha256
from proctor.oracle.cluster import Cluster
from proctor.oracle.corpus import drifted, sha256_of
from proctor.oracle.difference import cap_of
from proctor.oracle.limited import read_limited
from proctor.oracle.result import Report, read_report
from proctor.repo.files import Files
from proctor.repo.history import changed_files

LARGEST = 512 << 20
_WRITES = "; write it with `proctor oracle check --base REV --format json --output FILE`"
_OWN = ("approvals.toml",)
"""May differ: the approval of the deltas rides in the patch."""


class Judged:
    """The state that reports are held to."""

    def __init__(
        self,
        root: str,
        tree: str | None,
        objects: str | None,
        base: Base | None,
        table: OracleTable,
    ) -> None:
        self.root = root
        self.tree = tree
        self.objects = objects
        self.base = base
        self.table = table

    def facts(self, path: str) -> OracleFacts:
        """Return what a report says, and why it may be about another state.

        Raises:
            OracleError: it cannot be read.
        """
        report = read_from(path)
        counts = report.counts
        return OracleFacts(
            path=path,
            stale=tuple(self._stale(report, path)),
            sentence=report.sentence,
            steps=counts.steps,
            deltas=counts.deltas,
            flagged=counts.flagged,
            changes=tuple(_said(one) for one in report.clusters if one.flagged),
            delta_set=report.delta_set,
            unstable=counts.unstable,
            cap=cap_of(counts, self.table.unstable_cap),
            drift=report.drift,
            corpus_drift=tuple(self._corpus_drift(report)),
            same_build=report.same_build,
            lifeless=tuple(_lifeless(report)),
            allowances=tuple(one.message for one in report.remarks),
        )

    def _stale(self, report: Report, path: str) -> Iterator[str]:
        if report.corpus is None:
            yield "it compares two traces, not two builds; `proctor oracle check` does"
            return
        if not report.corpus.whole:
            yield "only a part of the corpus was replayed"
        if self.tree is None or report.new.tree is None:
            yield "nothing says which files its new build was made of"
        elif report.new.tree != self.tree:
            yield from self._differs(report.new.tree, path)
        if self.base is None:
            return
        if report.old.tree != self.base.merge_tree:
            yield "its old build is not where this patch began"
        if report.settings != settings_sha256(self.table):
            yield f"its [oracle] settings are not those of {self.base.name}"
        policy = Files(self.root, self.base.tree).read(self.table.policy)
        wanted = None if policy is None else hashlib.sha256(policy).hexdigest()
        if (report.policy.sha256 if report.policy else None) != wanted:
            yield f"its policy is not that of {self.base.name}"

    def _differs(self, tree: str, path: str) -> Iterator[str]:
        """Yield that the working tree is another, if files differ that could matter."""
        own = {*_OWN, os.path.relpath(os.path.abspath(path), self.root)}
        try:
            changed = changed_files(self.objects, self.root, tree, self.tree or "")
        except RepositoryError:
            yield "the files that its new build was made of are not known here any more"
            return
        names = [name for name, _, _ in changed if name not in own]
        if names:
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            yield f"{', '.join(names[:3])}{more} changed since"

    def _corpus_drift(self, report: Report) -> Iterator[str]:
        """Yield what the report says was missing, and what is now found to be."""
        yield from report.corpus_drift
        if report.corpus is None:
            return
        path = os.path.join(self.root, self.table.corpus)
        try:
            if sha256_of(path) != report.corpus.sha256:
                yield f"{self.table.corpus} is not what was replayed"
                return
        except OracleError:
            yield f"{self.table.corpus} is not here"
            return
        base = None if self.base is None else Files(self.root, self.base.tree)
        before = None if base is None else base.read(self.table.corpus)
        if before is not None and not report.corpus_drift:
            yield from (f"the seed {name!r} of the base is gone" for name in drifted(before, path))


def read_from(path: str) -> Report:
    """Return the report at `path`.

    Raises:
        OracleError: it cannot be read, or is none.
    """
    data = read_limited(path, LARGEST, "that is no report", missing=_WRITES)
    return read_report(data, path)


def _said(one: Cluster) -> str:
    commands = ", ".join(one.commands[:3])
    follows = f" (follows from {one.follows})" if one.follows is not None else ""
    return f"{commands}: {one.what[0] if one.what else '?'}{follows}"


def _lifeless(report: Report) -> Iterator[str]:
    if not report.counts.steps:
        yield "nothing was compared"
    yield from report.lifeless
    if report.counts.duplicates:
        yield f"{report.counts.duplicates:,} steps bear the name of another"
