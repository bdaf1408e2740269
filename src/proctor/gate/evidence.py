"""Everything the gate may look at, as frozen plain values.

`proctor.assess` gathers them; nothing here opens a file, starts a program or
reads the clock. No value carries prose: of what an agent wrote, only its commands and the
ids of its tool calls are here.
"""

from collections.abc import Sequence

import msgspec

from proctor.classify.base import Classification
from proctor.config import RequireTable
from proctor.findings import Level
from proctor.gate.beside import Captured, OracleFacts, OtherJob, Receipt, Transcript
from proctor.gate.held import Quarantine
from proctor.join.match import How
from proctor.join.toolcall import ToolCall
from proctor.records.span import Span
from proctor.requirements import Selection

WINDOW_DAYS = 7
"""Without a base revision, records older than this do not count (days)."""


class LineRun(msgspec.Struct, frozen=True, kw_only=True):
    """One test runner named in the text of a shell line."""

    what: Classification
    status: str
    """Whether the line's status is this runner's: own, masked, altered, unknown."""
    masked_by: str = ""
    conditional: bool = False
    """Whether the runner stands where the shell may not come."""
    bypassed: bool = False
    """Whether the line may return 0 without having started the runner."""


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A span and what its argv is, read anew; stored classes are never used."""

    span: Span
    what: Classification | None = None
    line: tuple[LineRun, ...] | None = None
    """The runners of its shell line; null where the text was not read."""
    earlier: Sequence[int] = ()
    """When the spans started that this one stands for as well: they told the same,
    earlier (µs since 1970, in no order)."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """The kept spans of one `proctor run` or `watch`."""

    run_id: str
    seen: tuple[Seen, ...]


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """A start that has no end yet."""

    run_id: str
    argv: tuple[str, ...]
    cwd: str
    started_at: str
    boot_id: str
    locked: bool
    """Whether its recorder still lives."""
    leaves: tuple[Classification, ...] = ()
    """The test leaves that were about to start, or that argv itself names."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a log that is not what a recorder wrote."""

    line: int
    why: str
    broken: bool = True
    """Whether the chain is broken; false for a line a crash left torn."""


class Gone(msgspec.Struct, frozen=True, kw_only=True):
    """Records that belong to a log and are not here any more: `log prune` closed them."""

    path: str
    until: str
    """The time of the latest of them."""
    recent: bool
    """Whether that is within the days in which records are judged without a base."""


class LogFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One span log, read to its end."""

    path: str
    exists: bool = True
    records: int = 0
    """Records in the whole file, of any age."""
    head: str = ""
    """The digest of the last record."""
    problems: tuple[Problem, ...] = ()
    gone: tuple[Gone, ...] = ()
    """Closed parts that could hold what is judged."""
    in_repository: bool = False


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A file that differs between two trees, as blob ids; null where absent."""

    path: str
    before: str | None
    after: str | None


class TreeFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The working tree now, and how it differs from the trees that runs saw."""

    root: str
    repository: tuple[str | None, str]
    head: str | None
    tree: str | None
    untracked: frozenset[str] = frozenset()
    """Files now present that HEAD lacks."""
    changed: tuple[str, ...] = ()
    """Files that differ between HEAD and the working tree."""
    since: dict[str, tuple[Difference, ...]] = {}
    """Tree id at a leaf's start → what differs now. A missing id: unknown."""
    during: dict[tuple[str, str], tuple[Difference, ...]] = {}
    """Tree ids at a leaf's start and end → what differs between them."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one command class's tests in this repository."""

    files: tuple[str, ...] = ()
    """Test files of the family, relative to the root."""
    tests: int | None = None
    """The most tests that any recorded run executed."""


class Base(msgspec.Struct, frozen=True, kw_only=True):
    """The revision that the working tree is judged against, resolved once."""

    name: str
    """As it was given."""
    commit: str
    """The full id that it named at that moment; policy is read there."""
    tree: str
    how: str
    """What kind of name it was: `id`, `branch main`, `remote branch origin/main`, …"""
    merge_base: str
    """The commit where this history left that of the base; the patch begins there."""
    merge_tree: str
    """The tree of the merge base: what the patch is compared with."""
    merged_at: str = ""
    """The committer's date of the merge base, RFC 3339, UTC."""
    doubt: str = ""
    """Why the name may have been moved in this clone; empty where it cannot."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A file that the patch changes: between the merge base and the working tree.

    A renamed file is one change. The texts are there for files that can change
    tests or policy, are UTF-8 and smaller than a megabyte; what is null may be
    absent, binary or too large: the blob ids say which side exists.
    """

    path: str
    """Where it is now; of a deleted file, where it was."""
    old_path: str | None = None
    """Where it was, null if it is new."""
    old_blob: str | None = None
    new_blob: str | None = None
    old_text: str | None = None
    new_text: str | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """Both names of the file, each once."""
        return (
            (self.path,) if self.old_path in (None, self.path) else (self.old_path or "", self.path)
        )


class Tests(msgspec.Struct, frozen=True, kw_only=True):
    """What a leaf's kept report says test by test; ids begin with paths from the root."""

    outcomes: dict[str, str] = {}
    """Id → passed, failed, error, skipped, xfailed or xpassed."""
    options: tuple[str, ...] = ()
    """Options in force that leave tests out, wherever they were set, as `-k=expr`."""
    found: int | None = None
    """Tests seen before any was taken out; null where unknown."""
    collected: int | None = None
    """Tests that were to run."""
    deselected: int = 0
    left_out: tuple[str, ...] = ()
    """Test files and folders that were passed over."""
    retried: tuple[str, ...] = ()
    """Tests that failed and then passed in this one run."""
    settings_file: str | None = None
    """The runner's settings, where they lie outside of the repository."""


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """The commit whose tests the present ones are held against."""

    name: str
    """For people: what it is, and the start of its id."""
    given: bool
    """Whether the judgement was asked to compare with it."""
    trees: frozenset[str] = frozenset()
    """Ids of trees that have its content."""
    changes: tuple[Change, ...] = ()
    """From it to the working tree."""


class PolicyChange(msgspec.Struct, frozen=True, kw_only=True):
    """What the patch does to the rules that it is, or will be, judged by."""

    path: str
    what: str
    """In words, without the path."""
    tightens: bool = False
    """Whether it can only make the judgement stricter."""


class Approval(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of `approvals.toml`."""

    digest: str
    reason: str
    owner: str
    expires: str
    """The last day on which it counts, `YYYY-MM-DD`."""
    doubt: str = ""
    """Why it does not count; empty if it stands at base or is left to code owners."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call that claims tests, or that started some, and what was witnessed of it."""

    call: ToolCall
    """Secrets masked as in records."""
    how: How
    """How it was joined: `id`, `text`, `inferred`, or not at all."""
    claims: bool
    """Whether it claims to run tests, by the tool's name or by its command."""
    line: tuple[LineRun, ...] = ()
    """The test runners that its command names."""
    spans: tuple[Span, ...] = ()
    """The topmost ones that belong to it."""
    tests: tuple[Seen, ...] = ()
    """The test runs among them and below them, oldest first; what a driver or a runner
    started aside."""
    members: tuple[str, ...] = ()
    """The ids of all its topmost spans and test runs."""
    beside: tuple[Seen, ...] = ()
    """Test runs of its kind, time and folder that belong to no call."""
    denied: bool = False
    """Whether its command is one of `[deny] binaries`, and nothing else."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be judged."""

    logs: tuple[LogFacts, ...]
    runs: tuple[Run, ...] = ()
    pendings: tuple[Pending, ...] = ()
    tree: TreeFacts | None = None
    """Null where there is no git repository."""
    root: str = ""
    """The folder that is judged."""
    known: dict[str, Known] = {}
    """By command class."""
    idle: frozenset[str] = frozenset()
    """Test files of uncounted runs that are empty, or hold only tests that are skipped."""
    links: dict[str, str] = {}
    """Links to folders within the tree → what they lead to, relative to the root."""
    projects: frozenset[str] = frozenset()
    """Folders that hold a project file, relative to the root; the root is ''."""
    base: Base | None = None
    """Null where the judgement was not asked to compare with a revision."""
    changes: tuple[Change, ...] = ()
    """What the patch changes, by path; empty without a base."""
    uncommitted: tuple[Change, ...] = ()
    """Without a base: what the working tree changes against HEAD, where the settings of a
    runner that ran are among it."""
    collects: dict[str, tuple[str, ...]] = {}
    """Command class → patterns of the files that it takes tests from; of every
    known runner, where there is a base."""
    harness: dict[str, tuple[str, ...]] = {}
    """Command class → the files and parts that decide what it runs and reports, as
    `proctor.outline.parts` reads them; of every known runner, where there is a base, else
    of those that ran."""
    diff: tuple[str, ...] | None = None
    """Files that the patch changes; null where no base revision says."""
    reference: Reference | None = None
    """What tests are held against; null where no commit can be told."""
    tests: dict[str, Tests] = {}
    """Span id → its report, of those leaves that a question needs."""
    unread: dict[str, str] = {}
    """Span id → why its kept report is not believed."""
    policy_changes: tuple[PolicyChange, ...] = ()
    """What the patch does to the policy; empty without a base."""
    approvals: tuple[Approval, ...] = ()
    """Of the base, and those that the patch adds; empty without a base."""
    transcripts: tuple[Transcript, ...] = ()
    calls: tuple[Call, ...] = ()
    """In the order of the transcripts; those left out and those without tests aside."""
    orphans: tuple[Seen, ...] = ()
    """Test runs of the transcripts' sessions that belong to no call."""
    junit: dict[str, str | None] = {}
    """JUnit file, relative to the root → its sha256 now, null where absent."""
    captured: tuple[Captured, ...] = ()
    """The evidence folders that the judgement was given."""
    receipts: tuple[Receipt, ...] = ()
    oracle: tuple[OracleFacts, ...] = ()
    """Reports of the oracle that were given."""
    quarantine: Quarantine | None = None
    """Null where the judgement was not given one."""
    other_job: OtherJob | None = None
    """Null where the records are this clone's own."""
    host: dict[str, str] = {}
    """Platform and toolchain, as `proctor.host` names them."""
    now: str = ""
    """RFC 3339, UTC."""
    boot_id: str = ""
    inputs: dict[str, str] = {}
    """The digest of every input, by name."""
    records: int = 0
    """Records looked at under `--every`."""
    offending: int = 0
    """Records that `--every` takes exception to; not all of them are kept."""

    def calls_by_span(self) -> dict[str, str]:
        """Return the id of the tool call that each joined span belongs to."""
        return {span_id: call.call.call_id for call in self.calls for span_id in call.members}

    def every_seen(self) -> tuple[Seen, ...]:
        """Return the kept spans of all runs."""
        return tuple(seen for run in self.runs for seen in run.seen)


class Requirement(msgspec.Struct, frozen=True, kw_only=True):
    """A `[[require]]` item and what its command selects."""

    item: RequireTable
    selection: Selection


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What the configuration asks of the evidence."""

    require: tuple[Requirement, ...] = ()
    ignore_paths: tuple[str, ...] = ()
    levels: dict[str, Level] = {}
    """Rules whose level the project sets."""
    floors: dict[str, int] = {}
    """Command class → milliseconds."""
    deny: frozenset[str] = frozenset()
    observe: bool = False
    every: bool = False
    loosened: tuple[str, ...] = ()
    """What was lowered, in words."""
