"""The options of `run` and `watch`, each declared once.

NOTE: read here by hand because argparse costs as much as the interpreter; the
help text is made from the same table by argparse, which is not on this path.
"""

from proctor.errors import RecorderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

OPTIONS: "tuple[tuple[str, str | None, str], ...]" = (
    (
        "--log",
        "FILE",
        "the span log (default: in the state folder; also PROCTOR_LOG, PROCESS_TRACE)",
    ),
    ("--parent", "ID", "the agent's tool call that asks for this (also PROCTOR_PARENT_SPAN)"),
    ("--claims", "tests", "say that this command claims to run tests"),
    (
        "--timeout",
        "SECONDS",
        "end the whole tree after this long: SIGTERM, five seconds later SIGKILL",
    ),
    (
        "--report",
        "auto|junit|off|FILE",
        "counting: by a pytest plugin (junit: asks runners for JUnit too), not, or from FILE",
    ),
    ("--hash-limit", "BYTES", "digest only so much of each output stream"),
    ("--witness", "auto|tree|direct", "see every process (tree, Linux) or only the command itself"),
    ("--keep", "classified|all", "which processes become spans"),
    (
        "--at-base",
        "[REV]",
        "run on the files where the patch began, checked out elsewhere for the time (run only)",
    ),
    (
        "--receipt",
        "[FILE]",
        "write a receipt of this run (default: artifacts/test-receipt.json; run only)",
    ),
    ("--sign", "[KEY]", "sign the receipt (default key: see proctor key show; run only)"),
    ("--pty", None, "give the command a terminal for its output (run only)"),
    ("--anyway", None, "run the command even where it cannot be recorded, and say so"),
    ("--unsafe-log-in-repo", None, "allow a log inside the repository under test"),
)

CHOICES = {
    "--claims": ("tests",),
    "--witness": ("auto", "tree", "direct"),
    "--keep": ("classified", "all"),
}
"""The words that an option takes, where it takes no others."""


class Recorded:
    """Where a finished run stands: the log, the state folder and the span's place in it."""

    __slots__ = ("log", "pid", "run_id", "span_id", "state_folder")

    def __init__(
        self,
        *,
        log: str,
        state_folder: str,
        span_id: str = "",
        run_id: str = "",
        pid: "tuple[int, int] | None" = None,
    ) -> None:
        self.log = log
        self.run_id = run_id
        self.state_folder = state_folder
        self.span_id = span_id
        self.pid = pid
        """Process id and start of the command, where another recorder wrote the spans."""


class Options:
    """What the words of `proctor run` or `proctor watch` ask for.

    `timeout` is in seconds, `hash_limit` in bytes; both none where not given.
    """

    __slots__ = (
        "anyway",
        "argv",
        "at_base",
        "claims",
        "hash_limit",
        "keep_all",
        "log",
        "parent",
        "piped",
        "pty",
        "receipt",
        "recorded",
        "report",
        "sign",
        "span_fd",
        "timeout",
        "unsafe_log_in_repo",
        "verb",
        "witness",
    )

    def __init__(self, verb: str, argv: "Sequence[str]") -> None:
        self.verb = verb
        self.argv = list(argv)
        self.piped = verb == "run"
        """Whether stdout and stderr pass through the recorder's pipes."""
        self.pty = False
        """Whether the command's output goes to a terminal of its own."""
        self.at_base: str | None = None
        """The base revision to run at, empty for the default one; none: run here."""
        self.receipt: str | None = None
        """The file that the receipt is to be written to, empty for the default one."""
        self.sign: str | None = None
        """The key that signs the receipt, empty for the default one."""
        self.recorded: Callable[[Options, Recorded], None] | None = None
        """Called with what was written down once all of it is; not part of the words."""
        self.log: str | None = None
        self.parent: str | None = None
        self.claims: str | None = None
        self.timeout: float | None = None
        self.report = "auto"
        self.hash_limit: int | None = None
        self.witness = "auto"
        self.keep_all = False
        self.unsafe_log_in_repo = False
        self.anyway = False
        """Whether the command matters more than its record."""
        self.span_fd: int | None = None
        """Where the root's line is written too (the Python API reads it)."""


def read_options(verb: str, words: "Sequence[str]") -> Options:
    """Return the options in `words`; what follows them is the command.

    Raises:
        RecorderError: an unknown option, a missing or wrong value, no command.
    """
    given: dict[str, str] = {}
    index = 0
    while index < len(words) and words[index].startswith("-"):
        word = words[index]
        index += 1
        if word == "--":
            break
        name, bound, value = word.partition("=")
        metavar = _metavar(verb, name)
        if metavar is not None:
            if not bound and (not metavar.startswith("[") or _names_file(words[index:])):
                if index == len(words):
                    raise RecorderError(f"{verb}: {name} wants a value")
                value = words[index]
                index += 1
        elif bound:
            raise RecorderError(f"{verb}: {name} takes no value")
        given[name] = value
    return _checked(verb, given, words[index:])


def _names_file(rest: "Sequence[str]") -> bool:
    """Whether an optional value follows: a receipt's name, and the command after `--`."""
    return len(rest) > 1 and rest[0].endswith(".json") and "--" in rest[1:]


def _metavar(verb: str, name: str) -> "str | None":
    """Return what an option's value is called; none if it takes none, `[…]` if it may."""
    if name == "--span-fd":
        return "FD"
    for known, metavar, _ in OPTIONS:
        if known == name:
            return metavar
    import difflib

    near = difflib.get_close_matches(name, [known for known, _, _ in OPTIONS], n=1)
    hint = f"; did you mean {near[0]}?" if near else f"; see: proctor {verb} --help"
    raise RecorderError(f"{verb}: unknown option {name}{hint}")


def _checked(verb: str, given: "dict[str, str]", argv: "Sequence[str]") -> Options:
    for name, choices in CHOICES.items():
        if name in given and given[name] not in choices:
            raise RecorderError(f"{verb}: {name} {given[name]}: choose from {', '.join(choices)}")
    if not argv or not argv[0]:
        raise RecorderError(f"{verb}: no command is given; try: proctor {verb} -- pytest -q")
    options = Options(verb, argv)
    options.log = given.get("--log")
    options.parent = given.get("--parent")
    options.claims = given.get("--claims")
    options.report = given.get("--report", "auto")
    options.witness = given.get("--witness", "auto")
    options.keep_all = given.get("--keep") == "all"
    options.at_base = given.get("--at-base")
    if options.at_base is not None and verb != "run":
        raise RecorderError(f"{verb}: --at-base is for run")
    options.receipt = given.get("--receipt")
    options.sign = given.get("--sign")
    _check_receipt(options)
    options.pty = "--pty" in given
    if options.pty and verb != "run":
        raise RecorderError(f"{verb}: --pty is for run; {verb} leaves the terminal as it is")
    options.unsafe_log_in_repo = "--unsafe-log-in-repo" in given
    options.anyway = "--anyway" in given
    if options.anyway and options.at_base is not None:
        raise RecorderError(f"{verb}: --anyway and --at-base exclude each other")
    if "--timeout" in given:
        options.timeout = _positive(verb, "--timeout", given["--timeout"])
    if "--hash-limit" in given:
        options.hash_limit = int(_positive(verb, "--hash-limit", given["--hash-limit"], zero=True))
    if "--span-fd" in given:
        options.span_fd = int(_positive(verb, "--span-fd", given["--span-fd"]))
    return options


def _check_receipt(options: Options) -> None:
    """Refuse what a receipt cannot be about."""
    verb = options.verb
    if options.sign is not None and options.receipt is None:
        options.receipt = ""
    if options.receipt is None:
        return
    if verb != "run":
        raise RecorderError(f"{verb}: --receipt and --sign are for run: a receipt is about one run")
    if options.at_base is not None:
        raise RecorderError(f"{verb}: a receipt is about the files here; drop --at-base")


def _positive(verb: str, name: str, text: str, *, zero: bool = False) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not (value > 0 or (zero and value == 0)) or value == float("inf"):
        raise RecorderError(f"{verb}: {name} {text}: give a positive number")
    return value
