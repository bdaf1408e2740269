"""Folds a transcript's entries into one session of the report, in flat memory."""

import functools
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Literal

from proctor.audit.claims import claims_in
from proctor.audit.lines import LineReader, mask_of
from proctor.audit.outputs import shown_by
from proctor.audit.report import Claim, Counts, Role, Run, Session, Standing
from proctor.classify.shell import ShellRun
from proctor.join.toolcall import Entry, Message, Output, Skipped, Told, ToolCall
from proctor.redact import redact_text

MOST_ROWS = 1000
"""Runs, and claims, of one session that are kept; all are counted."""
_MOST_KNOWN = 200_000
_SHOWN = 500


_redacted = functools.lru_cache(10_000)(redact_text)


class Memory:
    """What is remembered from one transcript to the next: the calls and words that were met.

    A resumed or forked session begins with a copy of the one before.
    """

    def __init__(self) -> None:
        self._met: OrderedDict[int, None] = OrderedDict()

    def is_new(self, call: ToolCall) -> bool:
        """Return whether this very call was not met in an earlier transcript."""
        if not call.started_at:  # nothing tells it from another of the same words
            return True
        return self._note(hash((call.agent, call.call_id, call.payload_sha256, call.started_at)))

    def is_said_anew(self, agent: str, message: Message) -> bool:
        """Return whether these very words were not met in an earlier transcript."""
        if not message.said_at:
            return True
        return self._note(hash((agent, message.said_at, message.subagent, message.text)))

    def _note(self, key: int) -> bool:
        if key in self._met:
            return False
        self._met[key] = None
        if len(self._met) > _MOST_KNOWN:
            self._met.popitem(last=False)
        return True


class Fold:
    """One session, as far as it was read."""

    def __init__(
        self,
        session: Session,
        reader: LineReader,
        memory: Memory,
        *,
        since: str = "",
        keep: Callable[[ToolCall, tuple[ShellRun, ...], list[Run]], None] | None = None,
    ) -> None:
        self.session = session
        self._reader = reader
        self._memory = memory
        self._since = since
        self._keep = keep
        self._held: ToolCall | None = None
        self._runs: list[Run] = []
        self._claims: list[Claim] = []
        self._last: dict[tuple[str, str], Run] = {}
        """The last run of a kind: of anyone, and of each sub-agent."""
        self._subagent = ""

    def take(self, entries: Iterable[Entry]) -> Session:
        """Return the session, every entry having been taken in."""
        for entry in entries:
            self.add(entry)
        return self.result()

    def add(self, entry: Entry) -> None:
        """Take in one entry."""
        if self._held is not None:
            self._settle(entry.text if isinstance(entry, Output) else "")
        if isinstance(entry, ToolCall):
            self._begin(entry)
        elif isinstance(entry, Message):
            self._hear(entry)
        elif isinstance(entry, Skipped):
            if not self.session.skipped:
                self.session.skipped_at, self.session.skipped_why = entry.line, entry.why
            self.session.skipped += 1

    def result(self) -> Session:
        """Return the session as far as it was read."""
        self._settle("")
        self.session.runs = tuple(self._runs)
        self.session.claims = tuple(self._claims)
        return self.session

    # ── calls ───────────────────────────────────────────────────────────────

    def _begin(self, call: ToolCall) -> None:
        when = call.finished_at or call.started_at
        if self._is_before(when):
            return
        session = self.session
        session.calls += 1
        if when is not None and (session.last_at is None or when > session.last_at):
            session.last_at = when
        if session.first_at is None:
            session.first_at = call.started_at
            session.session = session.session or call.session
        if call.is_shell:
            session.shell_calls += 1
            self._held = call

    def _settle(self, text: str) -> None:
        call, self._held = self._held, None
        if call is None:
            return
        found = self._reader.runs(call.command, call.argv)
        if not found:
            return
        shows_all = len([run for run in found if run.found.role == "test"]) == 1
        rows = [_row(call, run, text if shows_all else "") for run in found]
        for row in rows:
            if row.standing not in ("refused", "no-run") and row.role != "script":
                self._last[row.role, ""] = row
                self._last[row.role, call.subagent] = row
        if not self._memory.is_new(call):
            return
        if self._keep is not None:
            self._keep(call, found, rows)
        for run, row in zip(found, rows, strict=True):
            count(self.session.counts, row, mask_of(run))
            if len(self._runs) < MOST_ROWS:
                self._runs.append(row)
            else:
                self.session.left_out += 1

    def _is_before(self, when: str | None) -> bool:
        return bool(self._since and when and when < self._since)

    # ── words ───────────────────────────────────────────────────────────────

    def _hear(self, message: Message) -> None:
        if self._is_before(message.said_at):
            return
        claims = list(claims_in(message.text))
        if not claims or not self._memory.is_said_anew(self.session.agent, message):
            return
        for about, sentence in claims:
            role = "test" if about == "tests" else "lint"
            claim = Claim(
                line=message.line,
                about=about,
                text=_redacted(sentence),
                rests_on=self._last.get((role, message.subagent)),
                unread=self.session.skipped,
                subagent=message.subagent,
                said_at=message.said_at,
            )
            counts = self.session.counts
            counts.claims += 1
            counts.claims_provable += claim.standing == "provable"
            if len(self._claims) < MOST_ROWS:
                self._claims.append(claim)
            else:
                self.session.left_out += 1


def _row(call: ToolCall, run: ShellRun, text: str) -> Run:
    told = told_as(call.told)
    role = _role_of(run)
    is_run = role == "test" and run.found.not_a_run is None
    shows, shown = shown_by(text if is_run else "", run.found.command_class, run.argv)
    line = call.command if call.command is not None else " ".join(call.argv or ())
    return Run(
        line=call.line,
        call_id=call.call_id,
        command=_redacted(line[:_SHOWN]),
        runner=run.found.command_class,
        role=role,
        status=run.status,
        masked_by=run.masked_by and _redacted(run.masked_by[:_SHOWN]),
        bypassed=run.bypassed,
        told=told,
        exit_code=call.told.exit_code,
        standing=_standing(call.told, run, told),
        shows=shows,
        shown=_redacted(shown),
        subagent=call.subagent,
        started_at=call.started_at,
    )


def _role_of(run: ShellRun) -> Role:
    if run.found.command_class == "python script":
        return "script"
    return "lint" if run.found.role == "lint" else "test"


def told_as(told: Told) -> Literal["success", "failure", "nothing"]:
    """Return what the agent was told of a call's end."""
    if told.exit_code is not None:
        return "failure" if told.exit_code else "success"
    if told.failed is None:
        return "nothing"
    return "failure" if told.failed else "success"


def _standing(told: Told, run: ShellRun, what: str) -> Standing:
    if told.ending == "not-run":
        return "refused"
    if run.found.not_a_run is not None:
        return "no-run"
    if what == "nothing":
        return "untold"
    if what == "failure":
        return "failed"
    is_own = run.status in ("own", "altered") and not run.bypassed
    return "provable" if is_own else "unprovable"


def count(counts: Counts, run: Run, mask: str | None) -> None:
    """Add one run to the numbers."""
    if run.role == "script":
        counts.scripts += run.standing not in ("refused", "no-run")
        return
    if run.role == "lint":
        counts.lint += run.standing not in ("refused", "no-run")
        counts.lint_unprovable += run.standing == "unprovable"
        return
    if run.standing in ("refused", "no-run"):
        counts.refused += run.standing == "refused"
        counts.no_run += run.standing == "no-run"
        return
    counts.tests += 1
    if mask is not None:
        counts.masked += 1
        counts.masks[mask] = counts.masks.get(mask, 0) + 1
    setattr(counts, run.standing, getattr(counts, run.standing) + 1)
    if run.told == "success":
        counts.ran_nothing += run.shows == "nothing ran"
        counts.shows_failures += run.shows == "failures"
