"""An audit as values: what agents were told of their test runs, and what is knowable.

All of it comes from transcripts, which agents write; with a span log, some of it from
records. It is for people: the gate never sees it.
"""

from typing import Final, Literal

import msgspec

SCHEMA: Final = "proctor.audit/1"
"""1: the first version."""

Standing = Literal["provable", "unprovable", "failed", "untold", "refused", "no-run"]
"""What is knowable of a run from the transcript.

`provable`: the agent was told success, and the line returns the runner's own status.
`unprovable`: it was told success, but the line may return 0 whatever the runner did.
`failed`: it was told that the line failed; what in it failed is not always knowable.
`untold`: it was never told how the line ended, or its transcript does not say.
`refused`: the call was not carried out. `no-run`: the command lists, compiles or prints.
"""
Role = Literal["test", "lint", "script"]


class Witness(msgspec.Struct, frozen=True, kw_only=True):
    """What a span log holds of a run: how it was joined, and what really returned."""

    how: str
    """id, text or inferred."""
    exit_codes: tuple[int | None, ...]
    """Of the test processes; null where no end was witnessed."""

    @property
    def outcome(self) -> str:
        """`red` where a process failed, `green` where none did, else `unknown`."""
        if any(self.exit_codes):
            return "red"
        return "unknown" if None in self.exit_codes or not self.exit_codes else "green"


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One test or lint command of a tool call."""

    line: int
    """Where the call stands in the transcript."""
    call_id: str
    command: str
    """The call's whole line, secrets masked."""
    runner: str
    """The command's class, as `pytest`."""
    role: Role
    status: str
    """Whose status the line returns: own, altered, masked or unknown."""
    masked_by: str | None
    """What stands between the runner and the line's status."""
    bypassed: bool
    """Whether the line may return 0 without having started this command."""
    told: Literal["success", "failure", "nothing"]
    exit_code: int | None
    """The number that the agent was given; null where it was given none."""
    standing: Standing
    shows: Literal["", "failures", "nothing ran"]
    """What the printed text suggests; a hint, no proof."""
    shown: str = ""
    """The words of the text that suggest it."""
    subagent: str = ""
    started_at: str | None = None
    witness: Witness | None = None
    """Null without a span log, or where none of its records belongs to the call."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence that claims that tests pass, or that lint is clean."""

    line: int
    about: Literal["tests", "lint"]
    text: str
    rests_on: Run | None
    """The last run of that kind before it; null where there was none."""
    unread: int = 0
    """Parts of the transcript before it that could not be read: a run may be among them."""
    subagent: str = ""
    said_at: str | None = None

    @property
    def standing(self) -> str:
        """The standing of the run it rests on; `no run` where there is none."""
        return self.rests_on.standing if self.rests_on else "no run"


class Counts(msgspec.Struct, kw_only=True):
    """Numbers of one session, or of all."""

    tests: int = 0
    """Test commands that the agent had carried out."""
    masked: int = 0
    """Those of them whose status the line may not return."""
    provable: int = 0
    unprovable: int = 0
    failed: int = 0
    untold: int = 0
    refused: int = 0
    no_run: int = 0
    ran_nothing: int = 0
    """Runs told as success whose text suggests that no test ran."""
    shows_failures: int = 0
    """Runs told as success whose text shows failing tests."""
    scripts: int = 0
    """Scripts with a test's name, run by themselves: no test runner."""
    lint: int = 0
    lint_unprovable: int = 0
    claims: int = 0
    claims_provable: int = 0
    """Claims whose last run was told as success and is provable."""
    witnessed: int = 0
    """Runs that a span log has a record of."""
    unprovable_red: int = 0
    """Those told as success, unprovable, whose process really failed."""
    masks: dict[str, int] = {}
    """What masked, with how often."""

    @property
    def green(self) -> int:
        """Test runs of which the agent was told success."""
        return self.provable + self.unprovable

    def add(self, other: "Counts") -> None:
        """Add another's numbers."""
        for name in self.__struct_fields__:
            if name != "masks":
                setattr(self, name, getattr(self, name) + getattr(other, name))
        for mask, number in other.masks.items():
            self.masks[mask] = self.masks.get(mask, 0) + number


class Session(msgspec.Struct, kw_only=True):
    """One transcript."""

    path: str
    reader: str
    agent: str
    session: str = ""
    first_at: str | None = None
    """When its first call was made."""
    last_at: str | None = None
    calls: int = 0
    shell_calls: int = 0
    counts: Counts = msgspec.field(default_factory=Counts)
    runs: tuple[Run, ...] = ()
    claims: tuple[Claim, ...] = ()
    left_out: int = 0
    """Runs and claims beyond those listed; they are counted."""
    skipped: int = 0
    """Parts of the transcript that could not be read."""
    skipped_at: int = 0
    """The line of the first of them."""
    skipped_why: str = ""
    cut_short: bool = False
    """Whether reading was broken off."""


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """A path that could not be read."""

    path: str
    why: str


class Report(msgspec.Struct, kw_only=True):
    """What the transcripts say, in total and one by one."""

    schema: Literal["proctor.audit/1"] = SCHEMA
    since: str | None = None
    logs: tuple[str, ...] = ()
    totals: Counts = msgspec.field(default_factory=Counts)
    agents: dict[str, int] = {}
    """Transcripts of each agent."""
    transcripts: int = 0
    bytes_read: int = 0
    skipped: int = 0
    """Parts of transcripts that could not be read."""
    sessions: tuple[Session, ...] = ()
    """Those that hold anything of note."""
    unread: tuple[Unread, ...] = ()
    interrupted: bool = False
    """Whether it was broken off; the numbers are then those of what was read."""
