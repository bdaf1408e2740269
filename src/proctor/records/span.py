"""A span: one process image, from its exec to its next exec or exit.

The light path writes the same members from a plain dictionary
(`proctor.recorder.image`); a test holds the two together.
"""

from typing import Final

import msgspec

SCHEMA: Final = "proctor.span/1"
"""1: the first version."""


class Runner(msgspec.Struct, frozen=True, kw_only=True):
    """What the program of a test leaf is, by its installation's own record."""

    distribution: str | None = None
    """The distribution that owns the module or program; null if none does."""
    version: str | None = None
    record_ok: bool | None = None
    """Whether the distribution's files match its RECORD; null if not checked."""
    path: str | None = None
    """The file that runs, links resolved."""
    editable: bool = False
    """Whether the distribution is an editable install of a folder."""
    altered: tuple[str, ...] = ()
    """Files that do not match RECORD, at most ten."""


class KeptFile(msgspec.Struct, frozen=True, kw_only=True):
    """One more report that the same process wrote in this run."""

    path: str
    """Where the recorder keeps it."""
    sha256: str
    format: str
    source: str | None = None
    """Where the process wrote it; null where Proctor asked for it."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The tests that a leaf says it executed, from a report it wrote in this run.

    A report is written inside a process that the agent controls: it is evidence
    only together with the exit code that the operating system returned.
    """

    path: str
    """Where the recorder keeps it (in the state folder)."""
    sha256: str
    format: str
    executed: int
    passed: int
    failed: int
    """Failed or in error."""
    skipped: int
    xfailed: int = 0
    """Of the executed ones, those expected to fail: whatever they do, the run passes."""
    uncalled: int = 0
    """Of the skipped ones, those reported as passed whose function was never called."""
    ids_sha256: str
    """Digest over the sorted ids of the executed tests, a line each."""
    exit_status: int | None = None
    """The exit status the runner itself meant to return, where it says so."""
    complete: bool = True
    """Whether the runner finished the session."""
    seconds: float | None = None
    """How long the tests took by the report's own account."""
    source: str | None = None
    """Where the process wrote it; null where Proctor asked for it."""
    also: tuple[KeptFile, ...] = ()
    """Further reports that the same process wrote."""
    foreign: tuple[tuple[str, str], ...] = ()
    """Name and file of packages of the project that were loaded from elsewhere, with
    other content than the project's."""
    hooks: tuple[tuple[str, str], ...] = ()
    """Hooks by which plugins of no distribution take part in how tests are called and
    reported, each with its file."""


def files_of(report: Report) -> tuple[Report | KeptFile, ...]:
    """Return all files that a process reported in, the one that counts first."""
    return (report, *report.also)


class Git(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the working tree that a test leaf ran on."""

    root: str
    repository: tuple[str | None, str]
    """Root commit (null when unborn) and the id of the clone (16 hex)."""
    head: str | None
    tree: str | None
    """git's id of the working tree's content when the leaf started."""
    tree_after: str | None = None
    """The same when the leaf ended."""
    untracked: tuple[tuple[str, str], ...] = ()
    """Path and blob id of files that HEAD lacks, capped."""
    untracked_count: int = 0
    touched: tuple[str, ...] = ()
    """Files whose content is as before but whose inode changed during the run."""
    blind_spots: tuple[str, ...] = ()
    """What the tree id does not see, as `kind` or `kind:path`."""
    objects: str | None = None
    """The folder that holds the objects of `tree` and `tree_after`."""


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """One process image as the operating system reported it.

    It shows what ran and what number it returned. It does **not** show that the
    tests are the right ones, that they are good, or, at trust level 0, that no
    process of the same user forged the log.
    """

    schema: str = SCHEMA
    span_id: str
    """16 hex digits."""
    run_id: str = ""
    """32 hex digits, shared by all spans of one `proctor run` or `watch`."""
    parent_span_id: str | None = None
    """The nearest kept ancestor, or the earlier image of the same process."""
    parent_tool_span: str | None = None
    """The agent's tool call that asked for this, where it was given."""
    traceparent: str | None = None
    """The W3C trace context that the process was given: trace and span of its caller."""
    argv: tuple[str, ...]
    """Arguments as the kernel received them, secrets replaced by `***`."""
    argv_b64: tuple[str, ...] | None = None
    """The same as base64 of the bytes, only where they are not UTF-8."""
    cwd: str | None
    exe: str | None = None
    """The executable as the kernel names it; null if it may not be read."""
    script: str | None = None
    """The script, or `-m` module, that an interpreter runs."""
    runner: Runner | None = None
    """Only on test leaves."""
    command_class: str | None = None
    role: str | None = None
    """test, lint, build, vcs, install or other."""
    kind: str | None = None
    """leaf, driver or worker."""
    selectors: tuple[str, ...] = ()
    narrowing: tuple[str, ...] = ()
    narrowing_env: tuple[str, ...] = ()
    """Options found in the runner's environment variables, as `NAME: option`; for a value
    stands its digest, as `NAME: -k=#1a2b3c4d`."""
    odd_env: tuple[str, ...] = ()
    """Names of variables that change what an interpreter runs."""
    exit_code: int | None
    """From a real wait; 128+n after a signal; null when no end was witnessed."""
    signal: str | None = None
    ended_by: str = "exit"
    """exit, exec or lost."""
    timed_out: bool = False
    left_running: bool = False
    started_at: str = ""
    """RFC 3339, UTC, microseconds."""
    finished_at: str | None = None
    duration_ms: int | None
    duration_floor_ms: int
    duration_ok: bool | None
    denied_binary: bool
    stdout_sha256: str | None
    """Digests and bytes are those of the recorder's own pipes, else null."""
    stderr_sha256: str | None
    stdout_bytes: int | None
    stderr_bytes: int | None
    hashed_bytes: int | None = None
    """How many bytes of both streams the digests cover."""
    env_names: tuple[str, ...]
    cpu_ms: int | None = None
    """User and system time, waited-for children included (getrusage)."""
    max_rss_kb: int | None = None
    """Peak resident memory; survives exec, so an image may inherit it."""
    redactions: int = 0
    claims: str | None = None
    injected: tuple[str, ...] = ()
    """What Proctor added to the environment, as `NAME=value`."""
    report: Report | None = None
    witness: str = "direct"
    """tree or direct."""
    git: Git | None = None
    host: dict[str, str] | None = None
    toolchain: dict[str, str] | None = None
    """On a root whose run asked for a receipt: versions of what ran its tests."""
    tree: dict[str, int] | None = None
    """On a root: processes seen, kept, non-zero, left_running."""
    pid: int | None = None
    pid_start: int | None = None
    """Start of the process in clock ticks since boot."""
    prev: str = ""
    digest: str = ""


FIELDS = tuple(field.name for field in msgspec.structs.fields(Span))
