"""Transcripts, joined to what was recorded, as values that the gate may look at.

Steps: 1. the tool calls of every transcript, secrets masked as in records, 2. the
spans that may belong to them, in a pass over the logs of its own, 3. the matching,
4. what of it the gate asks about. Prose is dropped as it is read.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from proctor.assess.belonging import Choice
from proctor.assess.reading import ArgvReader
from proctor.config import Config
from proctor.gate.beside import Transcript
from proctor.gate.evidence import Call, LineRun, Seen
from proctor.join.match import Asked, Join, Matches, Ran, match
from proctor.join.toolcall import Entry, Skipped, ToolCall
from proctor.recorder.image import is_denied
from proctor.records.log import read_log
from proctor.records.moments import moment
from proctor.records.place import Clone, find_clone
from proctor.records.span import Span
from proctor.redact import redact_argv, redact_text

_TEST_KINDS = frozenset(("leaf", "driver"))


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """What transcripts add to the evidence."""

    transcripts: tuple[Transcript, ...] = ()
    calls: tuple[Call, ...] = ()
    orphans: tuple[Seen, ...] = ()


class Joining:
    """One joining: the transcripts at `paths` and the span logs `logs`.

    `since` is the time from which records are read, as spans write it.
    """

    def __init__(self, config: Config, clone: Clone, reader: ArgvReader, since: str) -> None:
        self._config = config
        self._reader = reader
        self._since = since
        self._places = _Places(clone)

    def join(self, paths: Sequence[str], logs: Iterable[str]) -> Joined:
        """Return what the transcripts say, joined to the spans of the logs.

        Raises:
            TranscriptError: a transcript cannot be read, or is in no known format.
            LogError: a log cannot be read.
        """
        sources, spans, matches = self._matched(paths, logs)
        seen = _Seen(self._reader, {span.span_id: span for span in spans})
        told = [self._told(source, matches.joins[source.first : source.last]) for source in sources]
        return Joined(
            transcripts=tuple(told),
            calls=tuple(
                call
                for join in matches.joins
                if not self._left_out(join) and (call := self._call(join, seen)) is not None
            ),
            orphans=tuple(
                seen.see(span_id)
                for span_id in matches.orphans
                if seen.is_top(span_id)
                and self._places.is_here(self._places.root_of(seen.span(span_id).cwd))
            ),
        )

    def matches(self, paths: Sequence[str], logs: Iterable[str]) -> Matches:
        """Return every call with its spans; raises as `join`."""
        return self._matched(paths, logs)[2]

    def _matched(
        self, paths: Sequence[str], logs: Iterable[str]
    ) -> "tuple[list[_Source], list[Span], Matches]":
        sources = [self._read(path) for path in dict.fromkeys(paths)]
        asked: list[Asked] = []
        for source in sources:
            source.first = len(asked)
            asked += [self._ask(call) for call in _once(source.calls, asked)]
            source.last = len(asked)
        spans = list(self._spans(asked, logs))
        return sources, spans, match(asked, [self._ran(span) for span in spans])

    # ── transcripts ─────────────────────────────────────────────────────────

    def _read(self, path: str) -> "_Source":
        from proctor.join.reading import read_transcript

        opened = read_transcript(path)
        return _Source(path, opened.reader, opened.entries)

    def _ask(self, call: ToolCall) -> Asked:
        flags, names = self._config.redact.flags, self._config.redact.names
        command, argv = call.command, call.argv
        if command is not None:
            command = redact_text(command, flags=flags, names=names)
        if argv is not None:
            argv = tuple(redact_argv(argv, flags=flags, names=names)[0])
        runs = self._line(command, argv)
        return Asked(
            call=msgspec.structs.replace(call, command=command, argv=argv),
            runners=tuple(run.what for run in runs),
            claims=_is_test_tool(call.tool, self._config.agent.test_tools),
            roots=self._places.roots_of(call.cwd, command),
        )

    def _line(self, command: str | None, argv: tuple[str, ...] | None) -> tuple[LineRun, ...]:
        """Return the test runners that a call names."""
        if argv is None and command is None:
            return ()
        runs = self._reader.line(argv or ("bash", "-c", command or ""))
        return tuple(run for run in runs if _is_test(run))

    # ── spans ───────────────────────────────────────────────────────────────

    def _spans(self, asked: Sequence[Asked], logs: Iterable[str]) -> Iterator[Span]:
        for path in logs:
            if os.path.lexists(path):
                yield from read_log(path, Choice(self._reader, asked, self._since).wanted)

    def _ran(self, span: Span) -> Ran:
        runs = [run.what for run in self._reader.runs_of(span) if _is_test(run)]
        return Ran(span=span, runners=tuple(runs), root=self._places.root_of(span.cwd))

    # ── what the gate asks about ────────────────────────────────────────────

    def _call(self, join: Join, seen: "_Seen") -> Call | None:
        call = join.asked.call
        line = self._line(call.command, call.argv)
        claims = call.told.ending != "not-run" and (
            join.asked.claims or any(not run.what.not_a_run for run in line)
        )
        if not claims and not join.tests:
            return None
        return Call(
            call=call,
            how=join.how,
            claims=claims,
            line=line,
            spans=tuple(seen.span(span_id) for span_id in join.spans),
            members=tuple(dict.fromkeys((*join.spans, *join.tests))),
            tests=tuple(seen.see(span_id) for span_id in join.tests if seen.is_top(span_id)),
            beside=tuple(seen.see(span_id) for span_id in join.beside if seen.is_top(span_id)),
            denied=self._is_denied(call),
        )

    def _is_denied(self, call: ToolCall) -> bool:
        argv = call.argv or ("bash", "-c", call.command or "")
        return is_denied(list(argv), None, frozenset(self._config.deny.binaries))

    def _told(self, source: "_Source", joins: Sequence[Join]) -> Transcript:
        shell = sum(join.asked.call.is_shell for join in joins)
        return Transcript(
            path=source.path,
            agent=source.agent,
            calls=len(joins),
            shell_calls=shell,
            joined=sum(bool(join.how) for join in joins),
            before=sum(self._is_before(join) for join in joins),
            elsewhere=sum(not self._is_before(join) and self._is_elsewhere(join) for join in joins),
            skipped=source.skipped,
            payloads=()
            if shell
            else tuple(filter(None, (join.asked.call.payload_sha256 for join in joins))),
        )

    def _left_out(self, join: Join) -> bool:
        return self._is_before(join) or self._is_elsewhere(join)

    def _is_before(self, join: Join) -> bool:
        made = moment(join.asked.call.finished_at) or moment(join.asked.call.started_at)
        since = moment(self._since)
        return not join.how and made is not None and since is not None and made < since

    def _is_elsewhere(self, join: Join) -> bool:
        roots = join.asked.roots
        return not join.how and bool(roots) and not any(map(self._places.is_near, roots))


class _Source:
    """A transcript's calls, and what else is known of it."""

    def __init__(self, path: str, agent: str, entries: Iterable[Entry]) -> None:
        self.path = path
        self.agent = agent
        self.calls: list[ToolCall] = []
        self.skipped = 0
        self.first = self.last = 0
        for entry in entries:
            if isinstance(entry, ToolCall):
                self.calls.append(entry)
            elif isinstance(entry, Skipped):
                self.skipped += 1


def _once(calls: Iterable[ToolCall], before: Iterable[Asked]) -> Iterator[ToolCall]:
    """Yield the calls that no earlier transcript holds: a resumed session repeats them."""
    met = {_identity(one.call) for one in before}
    for call in calls:
        if _identity(call) not in met:
            yield call


def _identity(call: ToolCall) -> tuple[str, ...]:
    return call.agent, call.call_id, call.tool, call.payload_sha256, call.started_at or ""


def _is_test(run: LineRun) -> bool:
    return run.what.role == "test" and run.what.kind in _TEST_KINDS


def _is_test_tool(tool: str, names: Iterable[str]) -> bool:
    """Return whether a tool's name claims tests; a server's name before it is passed over."""
    last = tool
    for mark in ("__", ".", "/", ":"):
        last = last.rpartition(mark)[2]
    known = {name.casefold() for name in names}
    return tool.casefold() in known or last.casefold() in known


class _Seen:
    """The spans that were chosen, as the gate sees them."""

    def __init__(self, reader: ArgvReader, spans: Mapping[str, Span]) -> None:
        self._reader = reader
        self._spans = spans

    def span(self, span_id: str) -> Span:
        """Return a span."""
        return self._spans[span_id]

    def see(self, span_id: str) -> Seen:
        """Return a span with what it ran."""
        span = self._spans[span_id]
        return self._reader.see(span, read_text=span.witness != "tree")

    def is_top(self, span_id: str) -> bool:
        """Return whether no other process that runs tests started a span."""
        span = self._spans[span_id]
        met = {span_id}
        above = self._spans.get(span.parent_span_id or "")
        while above is not None and above.span_id not in met:
            met.add(above.span_id)
            if above.pid != span.pid and any(map(_is_test, self._reader.runs_of(above))):
                return False
            above = self._spans.get(above.parent_span_id or "")
        return True


class _Places:
    """Which working tree a folder is in, and whether that is one of this clone."""

    def __init__(self, clone: Clone) -> None:
        self._clone = clone
        self._known: dict[str, Clone] = {}

    def root_of(self, folder: str | None) -> str | None:
        """Return the root of a folder's working tree, the folder itself outside git."""
        return None if folder is None else self._of(folder).root

    def roots_of(self, cwd: str | None, command: str | None) -> frozenset[str]:
        """Return the working trees that a call names: its folder's, and those it changes to."""
        from proctor.join.folders import folders_of

        return frozenset(self._of(folder).root for folder in folders_of(cwd, command))

    def is_here(self, root: str | None) -> bool:
        """Return whether a root is the one that is judged."""
        return root == self._clone.root

    def is_near(self, root: str) -> bool:
        """Return whether a root is of this clone, or a folder around it."""
        if f"{self._clone.root}/".startswith(f"{root.rstrip('/')}/"):
            return True
        common = self._of(root).common_dir
        return common is not None and common == self._clone.common_dir

    def _of(self, folder: str) -> Clone:
        if folder not in self._known:
            try:
                self._known[folder] = find_clone(folder)
            except ValueError:  # no folder has such a name
                self._known[folder] = Clone(folder, None, None)
        return self._known[folder]
