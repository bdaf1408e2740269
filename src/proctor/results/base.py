"""How executed tests are counted, whatever the report they come from.

*Executed* is what ran to an outcome: passed, failed (errors among them),
expected failures included. Skipped and disabled tests were not executed.
"""

from collections.abc import Callable
from typing import TypeVar

from proctor._digest import sha256_hex

T = TypeVar("T")
OUTCOMES = ("passed", "failed", "error", "xfailed", "xpassed", "skipped")
RED = frozenset({"failed", "error"})
"""Outcomes of a test that makes its run fail."""
MESSAGE_LIMIT = 300
"""Characters of a failure's message that are kept."""
NOTE_CAP = 20
"""Repairs and disagreements kept by name."""


class Result:
    """One attempt at one test, as the report tells it.

    `test` is the id as `Summary.tests` has it. `started` is RFC 3339, without a zone
    where the report names none; `seconds`, `started` and `fingerprint` are null where
    it does not say. The attempts at a test come in the order in which they were made.
    """

    __slots__ = ("fingerprint", "message", "outcome", "seconds", "started", "test")

    def __init__(
        self,
        test: str,
        outcome: str,
        *,
        seconds: float | None = None,
        started: str | None = None,
        message: str = "",
        fingerprint: str | None = None,
    ) -> None:
        self.test = test
        self.outcome = outcome
        self.seconds = seconds
        self.started = started
        self.message = clean_id(message.strip()[:MESSAGE_LIMIT]) if message else ""
        """The beginning of what a failure said, on one line."""
        self.fingerprint = fingerprint
        """Of a failure, as `results.fingerprint` makes it."""

    def __repr__(self) -> str:
        return f"Result({self.test!r}, {self.outcome!r}, {self.seconds}, {self.fingerprint})"


class Summary:
    """What one report says.

    `tests` maps an id to its final outcome. A report is written inside a
    process that the agent controls: a summary does **not** show that the tests
    ran.
    """

    __slots__ = (
        "ambiguous",
        "collected",
        "complete",
        "deselected",
        "disagreements",
        "duplicates",
        "exit_status",
        "foreign",
        "found",
        "hooks",
        "left_out",
        "options",
        "repairs",
        "results",
        "retried",
        "root",
        "seconds",
        "settings_file",
        "suite_errors",
        "tests",
        "uncalled",
    )

    def __init__(self, *, detailed: bool = False) -> None:
        self.tests: dict[str, str] = {}
        self.retried: dict[str, None] = {}
        """Ids that failed and then passed in this one run."""
        self.ambiguous: dict[str, None] = {}
        """Ids that several tests share, as this producer writes no retries."""
        self.duplicates = 0
        """Results beyond the first of their id."""
        self.suite_errors = 0
        """Errors that belong to no test: a file that could not be loaded."""
        self.exit_status: int | None = None
        self.complete = True
        self.foreign: tuple[tuple[str, str], ...] = ()
        """Name and file of the project's packages that were loaded from elsewhere."""
        self.uncalled = 0
        """Tests reported as passed whose function was never called; counted as skipped."""
        self.hooks: tuple[tuple[str, str], ...] = ()
        """Hooks by which plugins of no distribution take part in calling and reporting
        tests, each with its file."""
        self.seconds: float | None = None
        self.options: tuple[str, ...] = ()
        """Options that were in force and leave tests out, as `-k=expr`, wherever set."""
        self.found: int | None = None
        """Tests seen before any was taken out; null where the report does not say."""
        self.collected: int | None = None
        """Tests that were to run."""
        self.deselected = 0
        """Tests that the runner was told were taken out."""
        self.left_out: tuple[str, ...] = ()
        """Test files and folders that were passed over, as ids name files."""
        self.settings_file: str | None = None
        """The file that the runner took its settings from."""
        self.root: str | None = None
        """The folder that ids are relative to."""
        self.repairs: dict[str, None] = {}
        """What had to be put right before the report could be read."""
        self.disagreements: dict[str, None] = {}
        """Where the report contradicts itself."""
        self.results: list[Result] | None = [] if detailed else None
        """Every attempt, in the report's order; null where not asked for."""

    def add(
        self,
        test_id: str,
        outcome: str,
        *,
        retried: bool = False,
        another: bool = False,
        attempts: "tuple[Result, ...] | None" = None,
    ) -> None:
        """Count one result.

        An id that comes again: a failure stays one when a skip or an error
        follows, a pass after it is a retry, and anything outdoes a skip. `another`
        says that this producer writes no retries: it is another test of the same
        name, and a failure of either is one. `attempts` are what `results` gets.
        """
        name = clean_id(test_id)
        known = self.tests.get(name)
        if known is None:
            self.tests[name] = outcome
        else:
            self.duplicates += 1
            if another:
                self.ambiguous[name] = None
            is_retry = known in RED and outcome not in RED and outcome != "skipped"
            if is_retry and not another:
                self.retried[name] = None
            if outcome != "skipped" and not (
                known in RED and (outcome in RED or (is_retry and another))
            ):
                self.tests[name] = outcome
        if retried:
            self.retried[name] = None
        if self.results is not None:
            self.results += (Result(name, outcome),) if attempts is None else attempts

    def repair(self, what: str) -> None:
        """Note that something had to be put right."""
        if len(self.repairs) < NOTE_CAP:
            self.repairs[what] = None

    def disagree(self, what: str) -> None:
        """Note a contradiction within the report."""
        if len(self.disagreements) < NOTE_CAP:
            self.disagreements[what] = None

    def counts(self) -> dict[str, int]:
        """Return executed, passed, failed and skipped.

        Errors without a test count as failed, not as executed tests.
        """
        skipped = sum(outcome == "skipped" for outcome in self.tests.values())
        red = sum(outcome in RED for outcome in self.tests.values())
        executed = len(self.tests) - skipped
        return {
            "executed": executed,
            "passed": executed - red,
            "failed": red + self.suite_errors,
            "skipped": skipped,
        }

    def expected(self) -> int:
        """Return how many executed tests were expected to fail: their result counts for nothing."""
        return sum(outcome in ("xfailed", "xpassed") for outcome in self.tests.values())

    def ids_sha256(self) -> str:
        """Return the digest over the sorted ids of the executed tests, a line each."""
        ids = sorted(name for name, outcome in self.tests.items() if outcome != "skipped")
        return sha256_hex("".join(f"{name}\n" for name in ids).encode("utf-8", "backslashreplace"))


class Format:
    """What a result format's file binds to `FORMAT`.

    `read` takes a path and returns the summary of the report there, with every
    attempt if its second argument says so; it raises `ReportError` where the file
    is no such report. `extension` is that of the kept copy.
    """

    __slots__ = ("extension", "read")

    def __init__(self, *, read: "Callable[[str, bool], Summary]", extension: str) -> None:
        self.read = read
        self.extension = extension


def read_json(path: str, kind: type[T], *, what: str, limit: int) -> T:
    """Return a JSON report as the Struct `kind`; at most `limit` bytes are read.

    Raises:
        ReportError: the file cannot be read, or is no such report (`what`).
    """
    import msgspec

    from proctor.errors import ReportError

    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(limit), type=kind)
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ReportError(f"{path}: no {what}: {error}") from None


def clean_id(test_id: str) -> str:
    """Return an id on one line: control characters as escapes."""
    if test_id.isprintable():
        return test_id
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in test_id)
