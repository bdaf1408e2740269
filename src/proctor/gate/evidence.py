"""Everything the gate may look at, as frozen plain values.

`proctor.assess` gathers them; nothing here opens a file, starts a program or
reads the clock. No value carries text that a model wrote.
"""

from collections.abc import Sequence

import msgspec

from proctor.classify.base import Classification
from proctor.config import RequireTable
from proctor.findings import Level
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
    """Whether the line may end well without having started the runner."""


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


class LogFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One span log, read to its end."""

    path: str
    exists: bool = True
    records: int = 0
    """Records in the whole file, of any age."""
    head: str = ""
    """The digest of the last record."""
    problems: tuple[Problem, ...] = ()
    in_repository: bool = False


class Change(msgspec.Struct, frozen=True, kw_only=True):
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
    since: dict[str, tuple[Change, ...]] = {}
    """Tree id at a leaf's start → what differs now. A missing id: unknown."""
    during: dict[tuple[str, str], tuple[Change, ...]] = {}
    """Tree ids at a leaf's start and end → what differs between them."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one command class's tests in this repository."""

    files: tuple[str, ...] = ()
    """Test files of the family, relative to the root."""
    tests: int | None = None
    """The most tests that any recorded run executed."""


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
    projects: frozenset[str] = frozenset()
    """Folders that hold a project file, relative to the root; the root is ''."""
    diff: tuple[str, ...] | None = None
    """Files that the patch changes; null where no base revision says."""
    junit: dict[str, str | None] = {}
    """JUnit file, relative to the root → its sha256 now, null where absent."""
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
