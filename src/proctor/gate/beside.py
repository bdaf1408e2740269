"""What stands beside the records: transcripts, evidence folders, receipts, the oracle's reports.

Plain values, as those of `proctor.gate.evidence`, which holds them.
"""

import msgspec


class CapturedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A command of an evidence folder."""

    name: str
    exit_code: int | None
    span_id: str
    junit: dict[str, str] = {}
    """File of the folder → its sha256 now."""
    failed: int = 0
    """Failures that these files count together."""


class Captured(msgspec.Struct, frozen=True, kw_only=True):
    """An evidence folder."""

    folder: str
    digest: str = ""
    """That of its manifest."""
    runs: tuple[CapturedRun, ...] = ()
    unrecorded: tuple[str, ...] = ()
    """Commands that no record is about."""
    problems: tuple[tuple[str, str], ...] = ()
    """File, and why it is not what the manifest says, or the manifest not what was recorded."""
    has_lock: bool = True
    changed_locks: tuple[str, ...] = ()
    """Lock files of the project that are no longer what was captured."""
    toolchain: dict[str, str] = {}


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """One agent's transcript, read to its end. What it says is no evidence."""

    path: str
    agent: str
    """The reader that knew it, as `claude_code`."""
    calls: int = 0
    """Tool calls in it."""
    shell_calls: int = 0
    """Those that asked for a process."""
    joined: int = 0
    """Those to which something recorded belongs."""
    before: int = 0
    """Left out: made before the time from which records are read."""
    elsewhere: int = 0
    """Left out: made in a folder of another repository."""
    skipped: int = 0
    """Parts that could not be read."""
    payloads: tuple[str, ...] = ()
    """Where no call asked for a process: the sha256 of each call's arguments."""


class ReceiptRefusal(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong with a receipt."""

    rule: str
    message: str
    cure: str


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """A receipt that the judgement was asked to look at."""

    path: str
    refusals: tuple[ReceiptRefusal, ...] = ()
    signed_by: str | None = None
    """The trusted key; null where it rests on the log."""
    run_id: str | None = None
    """The run among `runs` that it stands for; only of signed ones."""
    attempts: int = 1
    """Runs of the same tests on the same files, this one the last."""
    red: int = 0
    """Those before it in which tests failed."""


class OracleFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A report of the oracle: what the patch makes the program do differently."""

    path: str
    stale: tuple[str, ...] = ()
    """Why it is about other files, builds or rules than those that are judged."""
    sentence: str = ""
    """Its own words."""
    steps: int = 0
    deltas: int = 0
    flagged: int = 0
    changes: tuple[str, ...] = ()
    """Changes that the policy does not allow, in words, roots first."""
    delta_set: str | None = None
    """The digest over everything flagged; null where nothing is."""
    unstable: int = 0
    cap: int = 0
    """Unstable fields that may be."""
    drift: tuple[str, ...] = ()
    """Fixtures that are not what was pinned."""
    corpus_drift: tuple[str, ...] = ()
    """Sequences of the base's corpus that were not replayed as they stand there."""
    same_build: bool = False
    lifeless: tuple[str, ...] = ()
    """Why it proves nothing."""
    allowances: tuple[str, ...] = ()
    """What is wrong with entries of the policy."""


class OtherJob(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle with the records of another job, which are what is judged."""

    path: str
    root: str
    """The folder that was tested there, by the bundle's own account."""
    recorded_here: bool
    """Whether this clone has a log of its own: then this job ran something itself."""
