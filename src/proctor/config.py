"""The settings of a repository: `proctor.toml`, or `[tool.proctor]`.

Every key stands here once: type, default, meaning, and after `Also:` the option or the variable
that says the same for one command; docs/settings.md is made from it. Unknown keys are errors that
name the nearest known one. `proctor.settings` holds what the light path needs of it, cached.
"""

import difflib
import errno
import os
import re
import tomllib
from typing import Annotated, Literal

import msgspec

from proctor._whole import plain
from proctor.errors import ConfigError

FILE = "proctor.toml"
LARGEST = 4 << 20
"""Bytes; a larger configuration file is refused."""

Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._:/-]*$")]
Count = Annotated[int, msgspec.Meta(ge=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
PublicKey = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
Role = Literal["test", "lint", "build", "vcs", "install", "other"]
Kind = Literal["leaf", "driver", "worker"]
LevelName = Literal["note", "warning", "unproven", "error"]


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file."""


class LogTable(Table, frozen=True):
    """`[log]`: where and what the recorder writes."""

    path: str | None = None
    """The span log, from the root on; else in the state folder. Also: `--log`, `PROCTOR_LOG`."""
    env_names: bool = True
    """Whether the names (never the values) of environment variables are kept."""


class ClassTable(Table, frozen=True):
    """`[classes.NAME]`: a command that Proctor does not know by itself."""

    match: tuple[tuple[str, ...], ...]
    """Leading tokens, wrappers peeled, e.g. `[["ci-test"], ["scripts/test.sh"]]`."""
    role: Role = "test"
    """What it is for; only tests are judged."""
    kind: Kind = "driver"
    """`leaf`: it executes tests itself; `driver`: it starts runners that do."""
    floor_ms: Count = 0
    """The least believable duration of a run, in milliseconds."""
    report: str | None = None
    """A JUnit file that the command writes, relative to its folder. Also: `--report`."""


class DenyTable(Table, frozen=True):
    """`[deny]`: programs that cannot be a test run."""

    binaries: tuple[str, ...] = ("echo", "true", "false", "cat", "printf")
    """Names of programs, as they are found on PATH."""


class RedactTable(Table, frozen=True):
    """`[redact]`: what else is a secret."""

    flags: tuple[str, ...] = ()
    """Options whose value is a secret, e.g. `--deploy-code`."""
    names: tuple[str, ...] = ()
    """Parts of variable names that mark a secret, e.g. `LICENCE`."""


class AgentTable(Table, frozen=True):
    """`[agent]`: how the agent speaks of tests."""

    test_tools: tuple[str, ...] = ("run_tests", "test", "tests", "runTests")
    """Names of its tools whose calls claim tests, without a server's prefix."""


class GateTable(Table, frozen=True):
    """`[gate]`: how the judgement is applied."""

    enforce: Literal["block", "observe"] = "block"
    """`observe` reports what would have been blocked and passes."""
    ignore_paths: tuple[str, ...] = ()
    """Files (gitignore patterns) whose content may change after a run."""
    levels: dict[str, LevelName] = {}
    """Rules whose level this project raises or lowers."""


class RequireTable(Table, frozen=True):
    """`[[require]]`: a run that a change to certain paths owes."""

    name: Name
    """What verdicts and `proctor receipt issue --require NAME` call it."""
    paths: tuple[str, ...] = ()
    """Gitignore patterns; none: every change owes it."""
    command: tuple[str, ...] = ()
    """The run, as argv. Also: `proctor receipt check --command`."""
    folder: str = ""
    """The folder it runs in, relative to the repository's root; default: the root."""
    command_class: str | None = msgspec.field(default=None, name="class")
    """Or: any run of this command class …"""
    selectors: tuple[str, ...] = ()
    """… that selects at least this."""
    min_tests: Count | None = None
    """Tests that the run must have executed, at least."""
    platform: str | None = None
    """Where it must have run, as system and machine, e.g. `linux-*`. Also: `--platform`."""
    python: str | None = None
    """The Python that it must have run on, e.g. `3.12`."""
    node: str | None = None
    """The Node.js that it must have run on, e.g. `22`."""
    max_age: Annotated[str, msgspec.Meta(pattern=r"^[0-9]+[smhdw]$")] | None = None
    """How old the run may be, e.g. `12h`. Also: `--max-age`."""
    junit: str | None = None
    """A JUnit file that such a run must have written."""


class ApprovalsTable(Table, frozen=True):
    """`[approvals]`: whose word lets a finding pass; read from the base revision."""

    code_owners: bool = False
    """Whether an approval that the patch itself adds counts, because the platform asks
    the owners that CODEOWNERS names for `approvals.toml`."""
    trusted_keys: tuple[PublicKey, ...] = ()
    """Public keys (`proctor key show`) of people whose signed approvals count anywhere."""


class ReceiptTable(Table, frozen=True):
    """`[receipt]`: whose signature counts; read from the base revision."""

    trusted_keys: tuple[PublicKey, ...] = ()
    """Public keys whose signed receipts count without the log. Also: `--key`."""
    require_signed: bool = False
    """Whether a receipt counts only if one of these keys signed it. Also: `--require-signed`."""


class OracleCommandTable(Table, frozen=True):
    """`[oracle.commands.NAME]`: one command of the program under comparison."""

    args: tuple[str, ...] = ()
    """Names of domains, one per positional argument; `?` at the end: may be missing."""
    options: tuple[str, ...] = ()
    """Options, each alone or as `--name=DOMAIN` with the domain its value is from."""
    stdin: str | None = None
    """The domain that its standard input is from."""


class OracleTable(Table, frozen=True):
    """`[oracle]`: how old and new builds are replayed; see docs/oracle.md."""

    command: tuple[str, ...] = ()
    """The program, as argv; `{build}` is the build's folder. Empty: steps are command lines."""
    build: tuple[tuple[str, ...], ...] = ()
    """Commands that make a build, run in its folder."""
    paths: tuple[str, ...] = ("bin", ".venv/bin", "node_modules/.bin")
    """Folders of a build that come first on PATH."""
    visible: tuple[str, ...] = ()
    """Folders outside the build that its steps may read, beside the system's own."""
    env: dict[str, str] = {}
    """Variables that steps see; `{build}` as in `command`."""
    mode: Literal["process", "session"] = "process"
    """`process`: one process a step; `session`: one a sequence, fed by its steps."""
    corpus: str = "oracle/corpus.jsonl"
    """The frozen sequences. Also: `--corpus`."""
    policy: str = "oracle/policy.json"
    """The deltas that are allowed, with reasons. Also: `--policy`."""
    lock: str = "oracle/oracle.lock"
    """The digests that `oracle pin` writes."""
    fixtures: str = "oracle/fixtures"
    """Files that sequences begin with."""
    sandbox: Literal["auto", "bubblewrap", "folders"] = "auto"
    """`auto`: bubblewrap where it works, else only folders. Also: `--sandbox`."""
    timeout_s: Annotated[float, msgspec.Meta(gt=0, le=3600)] = 10.0
    """Seconds that a step may take."""
    build_timeout_s: Annotated[float, msgspec.Meta(gt=0, le=7200)] = 1200.0
    """Seconds that making a build may take."""
    jobs: Count = 0
    """Steps at a time; 0: one more than there are processors. Also: `--jobs`."""
    reruns: Annotated[int, msgspec.Meta(ge=0, le=50)] = 3
    """How often each delta is run again, on both sides."""
    unstable_cap: Count | None = None
    """Unstable fields that may be; else one in twenty steps, or five. Also: `--unstable-cap`."""
    smoke: tuple[str, ...] = ()
    """Arguments with which both builds must print …"""
    smoke_output: str = ""
    """… this, before anything is compared."""
    ignore: tuple[str, ...] = ()
    """Files (gitignore patterns) that a step may write without a delta."""
    masks: dict[str, str] = {}
    """Name → pattern of whole tokens that mean nothing."""
    commands: dict[str, OracleCommandTable] = {}
    """Commands of the program; see below."""
    options: tuple[str, ...] = ()
    """Options that every command takes."""
    domains: dict[str, tuple[str, ...]] = {}
    """Name → the few values that arguments are taken from, shared by all commands."""
    variables: dict[str, tuple[str, ...]] = {}
    """Environment variables that the program reads → values to try."""
    budget: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] = 200
    """Sequences that `oracle generate` makes at most. Also: `--budget`."""
    length: Annotated[int, msgspec.Meta(ge=1, le=20)] = 2
    """Steps up to which all sequences are tried first."""
    fork_server: tuple[str, ...] = ()
    """Python modules loaded once and forked for each step, with `--fork-server`; verified."""


class FlakesTable(Table, frozen=True):
    """`[flakes]`: when a test is flaky, and how long and how many may be quarantined."""

    rule: Literal["default", "literal"] = "default"
    """`literal`: failures in a window, nothing else; it quarantines the broken. Also: `--rule`."""
    window: Annotated[int, msgspec.Meta(ge=2)] = 10
    """Runs of a test that are looked at."""
    threshold: Annotated[int, msgspec.Meta(ge=1)] = 2
    """Failures in the window from which on a test is flaky."""
    days: Annotated[int, msgspec.Meta(ge=1)] = 7
    """How long a quarantine lasts."""
    cap: Share = 0.05
    """The share of the suite that may be quarantined; one test always may."""
    infra: Share = 0.5
    """A run in which a larger share of the tests fails is no evidence."""


class Config(Table, frozen=True):
    """A whole `proctor.toml`."""

    log: LogTable = LogTable()
    floors: dict[str, Count] = {}
    """Command class → its least believable duration in milliseconds, as `pytest = 900`."""
    classes: dict[str, ClassTable] = {}
    deny: DenyTable = DenyTable()
    redact: RedactTable = RedactTable()
    agent: AgentTable = AgentTable()
    gate: GateTable = GateTable()
    require: tuple[RequireTable, ...] = ()
    approvals: ApprovalsTable = ApprovalsTable()
    receipt: ReceiptTable = ReceiptTable()
    oracle: OracleTable = OracleTable()
    flakes: FlakesTable = FlakesTable()


def find(root: str) -> str | None:
    """Return the path of the configuration file in `root`, or none.

    Raises:
        ConfigError: there are two.
    """
    own = os.path.join(root, FILE)
    project = os.path.join(root, "pyproject.toml")
    try:
        in_project = _has_table(_read(project))
    except OSError:
        in_project = False
    if os.path.lexists(own):
        if in_project:
            raise ConfigError(f"{own} and [tool.proctor] in {project}: keep one of them")
        return own
    return project if in_project else None


def load(root: str) -> Config:
    """Return the configuration of the repository at `root`.

    Raises:
        ConfigError: it cannot be read or understood; it names file, line and cure.
    """
    path = find(root)
    if path is None:
        return Config()
    try:
        data = _read(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    return parse(data, path)


def load_from(own: bytes | None, project: bytes | None, where: str) -> Config:
    """Return the configuration in `proctor.toml` and `pyproject.toml`, null where absent.

    `where` stands before their names in messages.

    Raises:
        ConfigError: as `load`.
    """
    project = project if project is not None and _has_table(project) else None
    if own is not None and project is not None:
        raise ConfigError(
            f"{where}{FILE} and [tool.proctor] in {where}pyproject.toml: keep one of them"
        )
    if own is not None:
        return parse(own, where + FILE)
    return Config() if project is None else parse(project, f"{where}pyproject.toml")


def parse(data: bytes, path: str) -> Config:
    """Return the configuration in `data`; `path` is for messages and the kind of file.

    Raises:
        ConfigError: as `load`.
    """
    try:
        text = data.decode("utf-8")
        document = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}:{line}: not UTF-8; save the file as UTF-8") from None
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits, too
        raise ConfigError(f"{path}: not TOML: {error}") from None
    if path.endswith("pyproject.toml"):
        tool = document.get("tool")
        document = tool.get("proctor", {}) if isinstance(tool, dict) else {}
    try:
        config = msgspec.convert(document, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(_explain(str(error), text, path)) from None
    _check_requirements(config, text, path)
    return config


def _check_requirements(config: Config, text: str, path: str) -> None:
    seen = set()
    for item in config.require:
        where = f"{path}:{_line_of(text, item.name)}: [[require]] {item.name!r}"
        if bool(item.command) == bool(item.command_class):
            raise ConfigError(f"{where}: give either `command` or `class`")
        if os.path.isabs(item.folder) or ".." in item.folder.split("/"):
            raise ConfigError(f"{where}: `folder` is relative to the root, and inside it")
        if item.name in seen:
            raise ConfigError(f"{where}: the name is taken; give each requirement its own")
        seen.add(item.name)


def _read(path: str) -> bytes:
    """Return a file's bytes; a pipe, a device or a giant raises `OSError`, not waited for."""
    with open(path, "rb", opener=plain) as file:
        if os.fstat(file.fileno()).st_size > LARGEST:
            raise OSError(errno.EFBIG, "larger than 4 MiB; that is no configuration")
        return file.read()


def _has_table(data: bytes) -> bool:
    return re.search(rb"^\s*\[+tool\.proctor\b", data, re.MULTILINE) is not None


def _explain(message: str, text: str, path: str) -> str:
    """Turn msgspec's message into one with a line number and the nearest name."""
    where = re.search(r" - at `(\$[^`]*)`", message)
    place = where[1] if where else "$"
    reason = message[: where.start()] if where else message
    unknown = re.search(r"unknown field `([^`]+)`", reason)
    if unknown:
        key = unknown[1]
        near = difflib.get_close_matches(key, _known(place), n=1, cutoff=0.5)
        table = place.lstrip("$.") or "the top level"
        known = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(_known(place))}"
        return f"{path}:{_line_of(text, key)}: unknown key {key!r} in {table}{known}"
    last = re.split(r"[.\[]", place.rstrip("]"))[-1] if place != "$" else ""
    key = last if not last.isdigit() and last != "..." else ""
    shown = place.lstrip("$.") or "the file"
    return f"{path}:{_line_of(text, key)}: {shown}: {reason[:1].lower()}{reason[1:]}"


_TABLES: dict[str, type[Table]] = {
    "$": Config,
    "$.log": LogTable,
    "$.deny": DenyTable,
    "$.redact": RedactTable,
    "$.agent": AgentTable,
    "$.gate": GateTable,
    "$.approvals": ApprovalsTable,
    "$.receipt": ReceiptTable,
    "$.oracle": OracleTable,
    "$.oracle.commands[...]": OracleCommandTable,
    "$.flakes": FlakesTable,
    "$.classes[...]": ClassTable,
    "$.require[...]": RequireTable,
}


def _known(place: str) -> list[str]:
    table = _TABLES.get(re.sub(r"\[\d+\]", "[...]", place), Config)
    return [field.encode_name for field in msgspec.structs.fields(table)]


def _line_of(text: str, word: str) -> int:
    """Return the first line that holds `word`, 1 if none does."""
    if word:
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line):
                return number
    return 1
