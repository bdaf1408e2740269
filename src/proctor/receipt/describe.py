"""Spans of one run to the members of a receipt.

The same function serves the issuer and the reader: what a receipt says is made anew
from the log and compared, member by member.
"""

import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from proctor.classify.typed import typed
from proctor.errors import EvidenceError, RepositoryError
from proctor.receipt.fields import Counts, Junit, Part, Receipt, Record, Told
from proctor.records.span import Git, KeptFile, Report, Span
from proctor.repo.history import changed_files
from proctor.repo.names import decides_tests, may_change_tests

_PYTHON = re.compile(r"/lib/python(\d+\.\d+)/")
_MOST_CHANGED = 100


class Scene:
    """The spans of one run, by id, and the one that the receipt is about."""

    def __init__(self, spans: Iterable[Span], top: str) -> None:
        self.by_id = {span.span_id: span for span in spans}
        self.top = self.by_id[top]
        self.last = self._last_image(self.top)
        self.below = [span for span in self.by_id.values() if self._is_below(span)]
        self.below.sort(key=lambda span: (span.started_at, span.span_id))

    def parts(self) -> list[Span]:
        """Return the drivers, and the leaves that no leaf started, oldest first."""
        return [span for span in self.below if self._counts(span)]

    @property
    def host(self) -> dict[str, str] | None:
        """What the root says of the machine; none while its recorder still runs."""
        return next((span.host for span in self.by_id.values() if span.host is not None), None)

    def _last_image(self, span: Span) -> Span:
        """Return the image that the process of `span` became in the end."""
        while span.ended_by == "exec":
            later = [s for s in self.by_id.values() if s.parent_span_id == span.span_id]
            same = [s for s in later if s.pid == span.pid]
            if not same:
                return span
            span = same[0]
        return span

    def _is_below(self, span: Span) -> bool:
        return span is self.top or any(above is self.top for above in self._above(span))

    def _above(self, span: Span) -> Iterable[Span]:
        met = {span.span_id}
        while span.parent_span_id in self.by_id and span.parent_span_id not in met:
            span = self.by_id[span.parent_span_id]
            met.add(span.span_id)
            yield span

    def _counts(self, span: Span) -> bool:
        if span.role != "test" or span.kind not in ("leaf", "driver") or span.ended_by == "exec":
            return False
        above = [one for one in self._above(span) if one.pid != span.pid]
        return not any(one.kind == "leaf" and one.role == "test" for one in above)


def describe(scene: Scene, host: Mapping[str, str]) -> Receipt:
    """Return what the spans say, without its place in the log, level and digest.

    Raises:
        EvidenceError: the spans say of no end.
    """
    top, last = scene.top, scene.last
    if last.exit_code is None or last.finished_at is None:
        raise EvidenceError("the end of the run was not witnessed: there is nothing to certify")
    git, ends = _trees(scene)
    tools = _toolchain(scene, host)
    parts = scene.parts()
    return Receipt(
        command=shlex.join(typed(top.argv)),
        argv=top.argv,
        folder=_folder(top, git),
        repository=git.repository if git else (None, ""),
        git_head=git.head if git else None,
        git_tree=git.tree if git else None,
        git_tree_after=ends.tree_after if ends else None,
        dirty=_is_dirty(git) if git else None,
        untracked=git.untracked if git else (),
        untracked_count=git.untracked_count if git else 0,
        changed_during=_changed(git, ends),
        blind_spots=git.blind_spots if git else (),
        hostname=host.get("hostname", ""),
        kernel=host.get("kernel", ""),
        platform="-".join(host[name] for name in ("system", "machine") if host.get(name)),
        runtime=_runtime(parts or [top], tools, host),
        toolchain=tools,
        started_utc=top.started_at,
        finished_utc=last.finished_at,
        exit_code=last.exit_code,
        parts=tuple(_part(span, git) for span in parts),
        executed=_counts(parts),
        junit=_junit(parts, git),
    )


def place_of_record(span: Span, head: str, length: int) -> Record:
    """Return where a run stands in a log that had this head and length."""
    return Record(
        span_id=span.span_id, run_id=span.run_id, record=span.digest, head=head, length=length
    )


def _trees(scene: Scene) -> tuple[Git | None, Git | None]:
    """Return what is known of the tree at the start, and at the end."""
    gits = [span.git for span in (scene.top, *scene.parts()) if span.git and span.git.tree]
    if not gits:
        known = [span.git for span in scene.below if span.git]
        return (known[0], known[0]) if known else (None, None)
    return gits[0], gits[0] if gits[0].tree_after else gits[-1]


def _is_dirty(git: Git) -> bool | None:
    """Return whether the files tested are not those of the commit, Proctor's own aside."""
    if git.tree is None:
        return None
    if git.head is None:
        return True
    try:
        return bool(changed_files(git.objects, git.root, git.head, git.tree))
    except RepositoryError:
        return None


def _changed(git: Git | None, ends: Git | None) -> tuple[str, ...]:
    """Return tracked files that can change tests and did not stay as they were.

    What the run itself adds, and what only tools write, is not among them.
    """
    if git is None or ends is None or git.tree is None or ends.tree_after is None:
        return ()
    untracked = {path for path, _ in git.untracked}
    found = {path for path in ends.touched if _matters(path)}
    try:
        for path, before, _ in changed_files(git.objects, git.root, git.tree, ends.tree_after):
            if before is not None and _matters(path) and path not in untracked:
                found.add(path)
    except RepositoryError:
        pass
    return tuple(sorted(found)[:_MOST_CHANGED])


def _matters(path: str) -> bool:
    data = os.fsencode(path)
    return may_change_tests(data) or decides_tests(data)


def _folder(span: Span, git: Git | None) -> str | None:
    """Return where a span ran, relative to the root; none outside it."""
    if span.cwd is None or git is None:
        return None
    where = os.path.relpath(span.cwd, git.root)
    return "" if where == "." else None if where.startswith("..") else where


def _part(span: Span, git: Git | None) -> Part:
    return Part(
        argv=span.argv,
        folder=_folder(span, git),
        kind=span.kind or "",
        exit_code=span.exit_code,
        exe=span.exe,
        runner=span.runner,
        report=_told(span.report) if span.report else None,
        narrowing_env=span.narrowing_env,
        odd_env=span.odd_env,
    )


def _told(report: Report) -> Told:
    return Told(**{name: getattr(report, name) for name in Told.__struct_fields__})


def _counts(parts: Iterable[Span]) -> Counts | None:
    reports = [span.report for span in parts if span.report is not None]
    if not reports:
        return None
    return Counts(
        executed=sum(one.executed for one in reports),
        passed=sum(one.passed for one in reports),
        failed=sum(one.failed for one in reports),
        skipped=sum(one.skipped for one in reports),
        ids_sha256=reports[0].ids_sha256 if len(reports) == 1 else None,
    )


def _junit(parts: Iterable[Span], git: Git | None) -> Junit | None:
    """Return the first JUnit file that a part wrote in this run."""
    for span in parts:
        report = span.report
        files: list[Report | KeptFile] = [report, *report.also] if report is not None else []
        for one in files:
            if report is not None and one.format == "junit":
                source = one.source
                if source is not None and git is not None:
                    source = os.path.relpath(source, git.root)
                return Junit(
                    path=source,
                    sha256=one.sha256,
                    executed=report.executed,
                    failed=report.failed,
                    skipped=report.skipped,
                )
    return None


def _toolchain(scene: Scene, host: Mapping[str, str]) -> dict[str, str]:
    """Return versions by name: of the C library, interpreters and runners."""
    found: dict[str, str] = {}
    if host.get("libc"):
        found["libc"] = host["libc"].removeprefix("glibc ")
    found |= scene.top.toolchain or {}
    for span in scene.parts():
        runner = span.runner
        if runner is None:
            continue
        version = _PYTHON.search(runner.path or "")
        if version and not found.get("python", "").startswith(f"{version[1]}."):
            found["python"] = version[1]
        if runner.distribution and runner.version:
            found[runner.distribution] = runner.version
    return dict(sorted(found.items()))


_RUNTIMES = ("python", "node", "bun", "deno", "go", "cargo", "ruby", "php", "java", "dotnet")


def _runtime(spans: Sequence[Span], tools: Mapping[str, str], host: Mapping[str, str]) -> str:
    """Return the interpreter or compiler that the tests ran under."""
    for span in reversed(spans):
        name = re.match("[A-Za-z]+", os.path.basename(span.exe or ""))
        if name and name[0] in tools:
            return f"{name[0]} {tools[name[0]]}"
    for known in _RUNTIMES:
        if known in tools:
            return f"{known} {tools[known]}"
    return f"python {host.get('python', '')}"


def plain(receipt: Receipt) -> dict[str, Any]:
    """Return a receipt's members as JSON has them."""
    import msgspec

    found = msgspec.to_builtins(receipt)
    assert isinstance(found, dict)  # noqa: S101 - a struct is an object
    return found
