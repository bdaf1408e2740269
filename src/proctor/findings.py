"""Levels, findings, outcomes and verdicts: judgements as values."""

import enum

import msgspec


class Level(enum.StrEnum):
    """How much a rule's finding weighs."""

    NOTE = "note"
    """Worth knowing; changes no outcome."""
    WARNING = "warning"
    """Worth looking at; changes no outcome unless the configuration raises it."""
    UNPROVEN = "unproven"
    """Positive evidence is missing: the outcome is at best *unproven*."""
    ERROR = "error"
    """The evidence contradicts a pass: the outcome is *fail*."""


class Outcome(enum.StrEnum):
    """What a verdict says."""

    PASS = "pass"  # noqa: S105 - not a password
    FAIL = "fail"
    UNPROVEN = "unproven"


class Finding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One answer of one rule."""

    rule: str
    """The rule's identifier, as `proctor explain` takes it."""
    level: Level
    message: str
    """One line: what was found, in which command."""
    cure: str = ""
    """The next action, with the exact command where there is one."""
    span_id: str | None = None
    """The span the finding is about."""
    call_id: str | None = None
    """The tool call that the span belongs to, or that the finding is about."""
    argv: tuple[str, ...] = ()
    """That span's argv, redacted as recorded."""
    paths: tuple[str, ...] = ()
    """Files the finding is about, relative to the repository's root."""
    line: int | None = None
    """Where in the first of these files, where one line is meant."""
    requirement: str | None = None
    """The `[[require]]` item that the finding is about."""
    digest: str | None = None
    """What `proctor approve` takes: the digest of all findings of this rule; null
    where nothing can be approved."""


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """One owed selection and the attempt that decided it."""

    name: str
    command_class: str
    argv: tuple[str, ...]
    span_id: str | None
    outcome: Outcome
    executed: int | None
    """Tests executed, as a report counted them; null where no report exists."""
    attempts: int
    """Attempts on the current tree."""
    red: int
    """How many of those failed."""


class Against(msgspec.Struct, frozen=True, kw_only=True):
    """The revision that was compared with, as it was resolved."""

    name: str
    """As it was given."""
    how: str
    """What kind of name it was."""
    commit: str
    """What it named, as a full id; the policy was read there."""
    merge_base: str
    """Where the patch begins."""


class JoinedCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool call that claims tests, or that started some."""

    call_id: str
    agent: str
    session: str
    subagent: str = ""
    tool: str
    line: int
    """Where it stands in its transcript."""
    command: str | None = None
    """Secrets masked; null where the call names no command."""
    payload_sha256: str = ""
    how: str
    """`id`, `text` or `inferred`; empty where nothing recorded belongs to it."""
    claims_tests: bool
    spans: tuple[str, ...] = ()
    """The topmost spans that belong to it."""
    tests: tuple[str, ...] = ()
    """The test runs among them and below them."""
    told_exit_code: int | None = None
    """What the transcript says the agent was given: no evidence."""
    exit_codes: tuple[int | None, ...] = ()
    """What the test runs really returned."""


class JoinedTranscript(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A transcript that was joined to what was recorded."""

    path: str
    agent: str
    calls: int
    shell_calls: int
    joined: int
    before: int
    """Calls left out: made before the time from which records are read."""
    elsewhere: int
    """Calls left out: made in a folder of another repository."""
    skipped: int
    """Parts that could not be read."""
    payloads: tuple[str, ...] = ()
    """Where no call asked for a process, and so there is nothing to witness: the sha256
    of each call's arguments."""


class Joined(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Transcripts beside the records. What a transcript says is no evidence."""

    schema: str = "proctor.join/1"
    """1: the first version."""
    transcripts: tuple[JoinedTranscript, ...]
    calls: tuple[JoinedCall, ...]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The findings and what follows from them.

    A verdict shows what the records show. It does **not** show that the tests
    are good tests, nor that a log of trust level 0 was not forged by a process
    of the same user.
    """

    schema: str = "proctor.verdict/1"
    outcome: Outcome
    trust_level: int
    """The level of the threat model that was reached, 0 to 3."""
    sentence: str
    """Why, in one sentence."""
    findings: tuple[Finding, ...]
    suites: tuple[Suite, ...]
    executed: int | None
    """Tests executed in the deciding attempts, null where no report exists. Those that were
    expected to fail are not among them."""
    skipped: int = 0
    """Tests that the same reports count as skipped."""
    xfailed: int = 0
    """Tests that were expected to fail, whatever they did."""
    attempts: int
    red: int
    tree: str | None
    """The id of the working tree's content that was judged."""
    base: Against | None = None
    """Null where no revision was compared with."""
    inputs: dict[str, str]
    """The digest of every input, by name."""
    joined: Joined | None = None
    """The transcripts' tool calls; null where no transcript was given."""
    loosened: tuple[str, ...] = ()
    """What the configuration or flags lowered, in words."""
    would_block: bool = False
    """Whether `enforce = "observe"` turned a failure into this pass."""
