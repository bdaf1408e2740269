"""Puts what really happened beside what was told, where span logs are given."""

from collections.abc import Iterator, Sequence

import msgspec

from proctor.assess.belonging import Choice
from proctor.assess.reading import ArgvReader
from proctor.audit.report import Report, Run, Session, Witness
from proctor.classify.shell import ShellRun
from proctor.config import Config
from proctor.join.match import Asked, Join, Ran, match
from proctor.join.toolcall import ToolCall
from proctor.records.log import read_log
from proctor.records.place import find_clone
from proctor.records.span import Span
from proctor.redact import redact_argv, redact_text

MOST = 50_000
"""Calls that are joined to records; further ones are not."""


class Witnesses:
    """The test calls of every transcript, kept to be joined to the records of logs."""

    def __init__(self, logs: Sequence[str]) -> None:
        self._logs = logs
        self._asked: list[Asked] = []
        self._rows: dict[str, list[int]] = {}
        self._reader = ArgvReader(Config())

    def keep(self, call: ToolCall, found: tuple[ShellRun, ...], rows: list[Run]) -> None:
        """Keep a call that runs tests."""
        runners = tuple(run.found for run in found if run.found.role == "test")
        if not runners or len(self._asked) >= MOST or rows[0].standing == "refused":
            return
        command = None if call.command is None else redact_text(call.command)
        argv = None if call.argv is None else tuple(redact_argv(call.argv)[0])
        root = frozenset((find_clone(call.cwd).root,)) if call.cwd else frozenset[str]()
        self._asked.append(
            Asked(
                call=msgspec.structs.replace(call, command=command, argv=argv),
                runners=runners,
                roots=root if not command or "cd " not in command else frozenset(),
            )
        )

    def add_to(self, report: Report) -> None:
        """Add to each run what the logs hold of it.

        Raises:
            LogError: a log cannot be read.
        """
        spans = {span.span_id: span for log in self._logs for span in self._chosen(log)}
        matches = match(self._asked, [self._ran(span) for span in spans.values()])
        by_call = {_key(join.asked.call): join for join in matches.joins if join.tests}
        for session in report.sessions:
            self._add(session, by_call, spans)
            report.totals.witnessed += session.counts.witnessed
            report.totals.unprovable_red += session.counts.unprovable_red

    def _add(
        self, session: Session, by_call: dict[tuple[str, str, int], Join], spans: dict[str, Span]
    ) -> None:
        rows = []
        for run in session.runs:
            join = by_call.get((session.reader, run.call_id, run.line))
            if join is not None and run.role == "test" and run.standing != "no-run":
                run = self._with(run, join, spans)  # noqa: PLW2901 - the same row, with more
                session.counts.witnessed += run.witness is not None
                red = run.witness is not None and run.witness.outcome == "red"
                session.counts.unprovable_red += red and run.standing == "unprovable"
            rows.append(run)
        session.runs = tuple(rows)

    def _with(self, run: Run, join: Join, spans: dict[str, Span]) -> Run:
        tests = [spans[name] for name in join.tests]
        own = [span for span in tests if self._class_of(span) == run.runner] or tests
        codes = tuple(span.exit_code for span in own)
        witness = Witness(how=join.how, exit_codes=codes)
        return msgspec.structs.replace(run, witness=witness)

    def _chosen(self, log: str) -> Iterator[Span]:
        """Yield the spans of a log that may belong to the calls; all others are let go."""
        spans = read_log(log, Choice(self._reader, self._asked, "").wanted)
        if self._asked:
            yield from spans

    def _class_of(self, span: Span) -> str | None:
        return next((run.what.command_class for run in self._reader.runs_of(span)), None)

    def _ran(self, span: Span) -> Ran:
        runs = tuple(run.what for run in self._reader.runs_of(span) if run.what.role == "test")
        return Ran(span=span, runners=runs, root=find_clone(span.cwd).root if span.cwd else None)


def _key(call: ToolCall) -> tuple[str, str, int]:
    return call.agent, call.call_id, call.line
