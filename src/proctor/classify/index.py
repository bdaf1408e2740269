"""Finds the runner whose file knows a program, without importing the others.

The table is built once by importing every runner's file and is kept with the
light path's settings (`proctor.settings`), keyed by the folder's stat.

On the light path: no imports but the one file that is asked for.
"""

from proctor.classify.base import Runner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PACKAGE = "proctor.classify.runners"
TOOL = ""
"""What the table holds for a tool that runs no tests, such as git."""

INTERPRETERS = {
    "python": "python",
    "pypy": "python",
    "node": "node",
    "nodejs": "node",
    "sh": "shell",
    "bash": "shell",
    "dash": "shell",
    "ash": "shell",
    "ksh": "shell",
    "zsh": "shell",
    "java": "java",
    "ruby": "ruby",
    "perl": "perl",
    "php": "php",
}
"""Base name, version taken off → how its arguments are read."""

_SUFFIXES = (".py", ".js", ".mjs", ".cjs", ".exe", ".cmd", ".bat", ".jar", ".pyz", ".phar")
_VERSION = "0123456789.-_"

_built: dict[str, str] | None = None
_loaded: dict[str, Runner] = {}
_no: "dict[str, Mapping[str, str] | frozenset[str]]" = {}
"""Programs, as argv names them, that a table is known not to hold."""
_MOST_NO = 1000


def base_name(arg: str) -> str:
    """Return the last part of a path."""
    return arg[arg.rfind("/") + 1 :]


def keys(arg: str) -> "tuple[str, ...]":
    """Return the names under which the program or script `arg` may be known.

    Most exact first: the base name, without its suffix, without its version;
    for a package's `__main__.py` the package; then the patterns `PARENT/*`,
    `*.ext`, `first_*` and `*_last`.
    """
    cut = arg.rfind("/")
    name = arg[cut + 1 :]
    folder = arg[arg.rfind("/", 0, cut) + 1 : cut] if cut > 0 else ""
    stem = name
    for suffix in _SUFFIXES:
        if name.endswith(suffix):
            stem = name[: -len(suffix)]
            break
    if stem == "__main__":
        return (folder, f"{folder}/{name}")
    first, _, _ = stem.partition("_")
    _, _, last = stem.rpartition("_")
    _, dot, extension = name.rpartition(".")
    return (
        name,
        stem,
        stem.rstrip(_VERSION),
        f"{folder}/*",
        f"*.{extension}" if dot else "",
        f"{first}_*",
        f"*_{last}",
    )


def interpreter_of(arg: str) -> str | None:
    """Return how the interpreter `arg` reads its arguments, none if it is none."""
    name = base_name(arg)
    name = name.removesuffix(".exe")
    return INTERPRETERS.get(name) or INTERPRETERS.get(name.rstrip(_VERSION))


def may_matter(  # noqa: PLR0911 - every return spares the rest of the work
    argv: "Sequence[str]", programs: "Mapping[str, str] | frozenset[str]"
) -> bool:
    """Return whether `argv`, as one process, could have a command class.

    `programs` are the names that count (`Settings.programs`). A yes costs a
    classification, a no a few microseconds; no is certain.
    """
    if not argv:
        return False
    program = argv[0]
    name = base_name(program)
    if name in programs:
        return True
    kind = interpreter_of(name)
    if kind is None:
        return _is_known_program(program, programs)
    after_option = False
    for arg in argv[1:]:
        if arg[:1] != "-" or arg[:2] == "--":
            if _is_known(arg, programs):
                return True
            if not after_option and arg[:1] != "-":
                # The script itself; only an option's value could stand before it.
                return False
            after_option = arg[:1] == "-"
        elif arg == "-c" or (arg[-1:] == "c" and arg[1:].isalpha()):
            return kind == "python" and _is_test_code(argv)
        elif "m" in arg and arg.partition("m")[2] in programs:
            return True
        else:
            after_option = True
    return False


def build() -> "dict[str, str]":
    """Return the table name → runner's file, by importing every runner's file."""
    from proctor import _family
    from proctor.classify import hosts, tools

    table = dict.fromkeys((*tools.NAMES, *hosts.NAMES), TOOL)
    for name, runner in _family.members(PACKAGE, "RUNNER"):
        assert isinstance(runner, Runner)  # noqa: S101 - the family's contract, tested
        for program in (*runner.programs, *runner.modules):
            table[program] = name
    return table


def table_or_built(table: "Mapping[str, str] | None") -> "Mapping[str, str]":
    """Return `table`, or the built one where none is given (built once)."""
    global _built  # noqa: PLW0603 - a cache of what the installed files say
    if table is not None:
        return table
    if _built is None:
        _built = build()
    return _built


def find(arg: str, table: "Mapping[str, str]") -> Runner | None:
    """Return the runner that knows the program, script or module `arg`."""
    for key in keys(arg):
        name = table.get(key) if key else None
        if name:
            return load(name)
    return None


def load(name: str) -> Runner:
    """Return the runner bound in the file called `name`; imports no other.

    Raises `LookupError` when there is no such file.
    """
    if name not in _loaded:
        from proctor._family import member

        found = member(PACKAGE, name, "RUNNER")
        assert isinstance(found, Runner)  # noqa: S101 - the family's contract, tested
        _loaded[name] = found
    return _loaded[name]


def _is_known(arg: str, programs: "Mapping[str, str] | frozenset[str]") -> bool:
    return any(key in programs for key in keys(arg))


def _is_known_program(program: str, programs: "Mapping[str, str] | frozenset[str]") -> bool:
    """Return `_is_known`, a no being remembered: a loop starts one program many times."""
    if _no.get(program) is programs:
        return False
    known = _is_known(program, programs)
    if not known and len(_no) < _MOST_NO:
        _no[program] = programs
    return known


def _is_test_code(argv: "Sequence[str]") -> bool:
    """Return whether `-c` is given code that starts a runner, or a runner's worker."""
    marks = ("exec(eval(sys.stdin", "pytest.main(", "unittest.main(")
    return any(mark in arg for arg in argv[1:6] for mark in marks)
