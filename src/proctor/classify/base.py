"""What a runner's file says, and what classification answers.

On the light path: plain classes, no imports.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


class Classification:
    """What a command is, read from its tokens alone.

    A classification says what argv asks for. It does **not** show that the
    program is what its name says, nor that a test ran.
    """

    __slots__ = (
        "allows_empty",
        "argv",
        "command_class",
        "excluding",
        "kind",
        "matching",
        "narrowing",
        "narrowing_env",
        "not_a_run",
        "remote",
        "report",
        "role",
        "script",
        "selectors",
        "updates",
        "wrappers",
    )

    def __init__(
        self, argv: "Sequence[str]", command_class: str, role: str, kind: str | None
    ) -> None:
        self.argv = tuple(argv)
        """The command itself, wrappers peeled."""
        self.command_class = command_class
        """For example `pytest`, `npm test`, `go test`."""
        self.role = role
        """test, lint, build, vcs, install or other."""
        self.kind = kind
        """leaf, driver, worker, or none."""
        self.wrappers: tuple[str, ...] = ()
        """What was peeled off, outermost first, e.g. `env`, `uv run`."""
        self.selectors: tuple[str, ...] = ()
        """Arguments that choose tests, in order; `-c FILE` and the like as `-c=FILE`."""
        self.matching = "path"
        """How positional selectors choose: `path`, `dotted`, `package`, `pattern` or `name`."""
        self.narrowing: tuple[str, ...] = ()
        """Options that leave tests out, as `-k=expr`, `--lf`, …"""
        self.excluding: tuple[str, ...] = ()
        """Those of `narrowing` that only take tests away: fewer of them select more."""
        self.allows_empty: tuple[str, ...] = ()
        """Those of `narrowing` that make a run without any test exit 0."""
        self.narrowing_env: tuple[str, ...] = ()
        """The same found in variables, as `PYTEST_ADDOPTS: -k=expr`."""
        self.not_a_run: str | None = None
        """The option that makes this no run at all, e.g. `--collect-only`."""
        self.updates: tuple[str, ...] = ()
        """Options that rewrite expectations, e.g. `--snapshot-update`."""
        self.report: tuple[str, str] | None = None
        """Format and path of a report that argv asks for, e.g. `("junit", "out.xml")`."""
        self.script: str | None = None
        """The script, or `-m` module, that an interpreter runs."""
        self.remote: str | None = None
        """The client (docker, ssh, …) that runs the tests elsewhere."""


class Options:
    """A runner's option tables.

    Every entry is the option's own spelling, `-k` or `--deselect`. `valued`
    lists the options that take the next arg as their value where no `=` binds
    it, `optional` those that take it unless it is an option itself, `flags` the
    other long ones (so that abbreviations can be told); the rest name what an
    option does.
    """

    __slots__ = (
        "aliases",
        "allows_empty",
        "excluding",
        "known",
        "narrowing",
        "not_a_run",
        "optional",
        "report",
        "selecting",
        "style",
        "updates",
        "valued",
    )

    def __init__(  # noqa: PLR0913 - a table with as many columns
        self,
        *,
        style: str = "getopt",
        valued: "Sequence[str]" = (),
        optional: "Sequence[str]" = (),
        flags: "Sequence[str]" = (),
        narrowing: "Sequence[str]" = (),
        excluding: "Sequence[str]" = (),
        allows_empty: "Sequence[str]" = (),
        not_a_run: "Sequence[str]" = (),
        updates: "Sequence[str]" = (),
        selecting: "Sequence[str]" = (),
        report: "Mapping[str, str] | None" = None,
        aliases: "Mapping[str, str] | None" = None,
    ) -> None:
        self.style = style
        """`getopt`: short clusters, exact long names; `abbreviated`: long names
        may be cut short; `camel`: `--fail-fast` is `--failFast`; `single`: one
        dash or two, no clusters (Go)."""
        self.aliases = dict(aliases or {})
        """Other spelling → the spelling used in all the other tables."""
        self.valued = frozenset(valued)
        self.optional = frozenset(optional)
        self.excluding = frozenset(excluding)
        self.allows_empty = frozenset(allows_empty)
        self.narrowing = frozenset(narrowing) | self.excluding | self.allows_empty
        self.not_a_run = frozenset(not_a_run)
        self.updates = frozenset(updates)
        self.selecting = frozenset(selecting)
        """Options that change which tests are found, such as `-c`, `--rootdir`."""
        self.report = dict(report or {})
        """Option → result format, where its value is the report's path."""
        self.known = frozenset(flags).union(
            self.valued,
            self.optional,
            self.narrowing,
            self.not_a_run,
            self.updates,
            self.selecting,
            self.report,
            self.aliases,
        )


class Runner:
    """What a runner's file binds to `RUNNER`.

    `programs` are base names on PATH (or patterns as `index.keys` makes them),
    `modules` Python's `-m` names: both also fill the light path's table of names
    worth a look. `read` takes the tokens from the program on (an interpreter in
    front already removed) and returns the classification, or none where the
    runner does not know them.
    """

    __slots__ = (
        "command_class",
        "environment",
        "harness",
        "kind",
        "modules",
        "programs",
        "read",
        "read_environment",
        "role",
        "scripted",
        "test_files",
        "worker_variable",
    )

    def __init__(  # noqa: PLR0913 - a table with as many columns
        self,
        *,
        command_class: str,
        kind: str,
        read: "Callable[[Sequence[str]], Classification | None]",
        programs: "Sequence[str]" = (),
        modules: "Sequence[str]" = (),
        role: str = "test",
        environment: "Sequence[str]" = (),
        read_environment: "Callable[[str, str], Sequence[str]] | None" = None,
        test_files: "Sequence[str]" = (),
        harness: "Sequence[str]" = (),
        worker_variable: str | None = None,
        scripted: bool = False,
    ) -> None:
        self.command_class = command_class
        self.kind = kind
        self.read = read
        self.programs = tuple(programs)
        self.modules = tuple(modules)
        self.role = role
        self.environment = tuple(environment)
        """Variables whose value holds options of this runner; `NAME:-p` where it is
        a list of values, by commas, for the option `-p`."""
        self.read_environment = read_environment
        """Takes a variable's name and value, returns what it narrows, in the
        words of `narrowing`; by default the value is read as more arguments."""
        self.test_files = tuple(test_files)
        """Gitignore patterns of the files this runner takes tests from."""
        self.harness = tuple(harness)
        """Files that decide which tests run and how their results are reported:
        a gitignore pattern, then perhaps `#PART,PART` (the parts that decide, a
        `-` before those that do not) or `~WORD,WORD` (the lines that hold one of
        these words), as `proctor.outline.parts` reads them."""
        self.worker_variable = worker_variable
        """A variable that only this runner's workers have."""
        self.scripted = scripted
        """Whether the runner itself is a shell script: elsewhere a shell script of
        a runner's name is a shim that starts it."""
