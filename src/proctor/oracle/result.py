"""What a comparison found, as one value: schema `proctor.oracle/1`."""

import msgspec

from proctor.findings import Outcome
from proctor.oracle.cluster import Cluster
from proctor.oracle.delta import Delta
from proctor.oracle.holdout import HoldOut
from proctor.oracle.policy import Remark

SCHEMA = "proctor.oracle/1"


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How much of what."""

    steps: int
    """Steps that both traces have."""
    seeds: int = 0
    """Sequences of the corpus; 0 where there is none."""
    deltas: int = 0
    """Steps at which the builds differ."""
    allowed: int = 0
    flagged: int = 0
    unstable: int = 0
    """Fields in which the old build differs from itself."""
    one_sided: int = 0
    """Steps that only one trace has; flagged."""
    silent: int | None = None
    """Steps at which nothing shows but an exit code; null where not counted."""
    roots: int = 0
    clusters: int = 0
    duplicates: int = 0
    """Steps whose name another step of the same trace has too."""
    masked: int = 0
    """Tokens that were not compared."""


class Masked(msgspec.Struct, frozen=True, kw_only=True):
    """A token that was not compared."""

    mask: str
    seed: str
    step: int
    path: str
    old: str
    new: str


class Build(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two builds."""

    name: str
    """A path, a command, or a revision."""
    sha256: str | None = None
    """Over the files of the build, or the trace; null where nothing could be read."""
    tree: str | None = None
    """The git tree it was built from."""
    commit: str | None = None


class PolicyUsed(msgspec.Struct, frozen=True, kw_only=True):
    """The policy that decided."""

    path: str
    sha256: str
    where: str
    """`file`, or the commit it was read at."""
    entries: int


class Corpus(msgspec.Struct, frozen=True, kw_only=True):
    """What was replayed."""

    path: str
    sha256: str
    seeds: int
    steps: int
    fixtures: dict[str, str] = {}
    """Path → sha256 of every fixture that was declared."""
    whole: bool = True
    """Whether all of it was replayed."""


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """How it was replayed."""

    sandbox: str
    """`bubblewrap`, or `folders`: fresh folders only."""
    engine: str
    """`threads`, `cluster`; with ` and fork server`."""
    jobs: int
    spawns: int
    seconds: float
    reruns: int
    """How often each delta was run again, on both sides."""
    remarks: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A whole comparison.

    It shows what differs at the steps that were taken. It does **not** show that
    nothing differs elsewhere: `reach` says what no step reached.
    """

    schema: str = SCHEMA
    outcome: Outcome
    sentence: str
    counts: Counts
    old: Build
    new: Build
    clusters: tuple[Cluster, ...] = ()
    deltas: tuple[Delta, ...] = ()
    """Flagged ones first kept, up to a limit; `counts` has all."""
    unstable: tuple[Delta, ...] = ()
    """Steps with unstable fields, up to the same limit."""
    masks: dict[str, int] = {}
    """Name of a mask → tokens that it took out of the comparison."""
    masked: tuple[Masked, ...] = ()
    """These tokens, up to the same limit."""
    remarks: tuple[Remark, ...] = ()
    """What is wrong with entries of the policy."""
    problems: tuple[str, ...] = ()
    """Why less is proven than it seems."""
    lifeless: tuple[str, ...] = ()
    """Where a build never showed a sign of life, so that equal traces say nothing."""
    drift: tuple[str, ...] = ()
    """Fixtures that are not, or did not stay, what the lock says."""
    corpus_drift: tuple[str, ...] = ()
    """Sequences that the base's corpus has and this one has not, or has otherwise."""
    policy: PolicyUsed | None = None
    corpus: Corpus | None = None
    replay: Replay | None = None
    settings: str | None = None
    """The digest of the [oracle] settings; null for a comparison of traces."""
    reach: tuple[str, ...] = ()
    """What no step reached, a line each."""
    delta_set: str | None = None
    """The digest over everything flagged; null where nothing is."""
    same_build: bool = False
    """Whether both builds are one and the same while the sources differ."""
    patch: tuple[str, ...] = ()
    """Files that differ between the builds' sources."""
    dependencies: tuple[str, ...] = ()
    """Changes of dependencies between the builds, in words."""
    holdout: HoldOut | None = None
    """What sequences showed that are not in the corpus; they decide nothing."""
    created: str | None = None
    """RFC 3339, UTC."""


def read_report(data: bytes, path: str) -> Report:
    """Return the report in `data`; `path` is for messages.

    Raises:
        OracleError: it is none.
    """
    from proctor.errors import OracleError

    try:
        report = msgspec.json.decode(data, type=Report)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise OracleError(
            f"{path}: not a report of the oracle: {error}; write one with "
            "`proctor oracle check --base REV --format json --output FILE`"
        ) from None
    if report.schema != SCHEMA:
        raise OracleError(f"{path}: a report of schema {report.schema!r}; this is {SCHEMA}")
    return report
