"""Finds what an interpreter runs: `python -X dev -m pytest` runs pytest.

On the light path: no imports.
"""

from proctor.classify.hosts import RUBY_HOSTS, look_through
from proctor.classify.index import interpreter_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NODE_VALUED = frozenset(
    (
        *("-r", "--require", "--import", "--loader", "--experimental-loader", "-C"),
        *(
            "--conditions",
            "--title",
            "--icu-data-dir",
            "--openssl-config",
            "--max-http-header-size",
        ),
        *("--input-type", "--diagnostic-dir", "--env-file", "--stack-trace-limit"),
    )
)
_NODE_CODE = frozenset(("-e", "--eval", "-p", "--print", "-pe", "-i", "--interactive", "-c"))
_JAVA_VALUED = frozenset(
    (
        *("-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-modules"),
        *(
            "--add-opens",
            "--add-exports",
            "--add-reads",
            "--limit-modules",
            "--upgrade-module-path",
        ),
    )
)
_SCRIPTS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "ruby": (
        frozenset(("-I", "-r", "-C", "-E", "--encoding", "--external-encoding")),
        frozenset(("-e", "-c", "-h", "--help", "-v", "--version")),
    ),
    "perl": (frozenset(("-I",)), frozenset(("-e", "-E", "-c", "-v"))),
    "php": (
        frozenset(("-d", "-c", "-z", "-t", "-B", "-E", "-F")),
        frozenset(("-r", "-R", "-S", "-a", "-i", "-m", "-v", "-l", "--version")),
    ),
}
"""Interpreter → options that take the next arg, and those that leave no script to run."""
_SPAWN_WRAP = "/.node-spawn-wrap-"
"""In the path of the script called `node` that nyc and tap put before every other node."""
EXECNET = "import sys;exec(eval(sys.stdin.readline()))"
"""What execnet, and so pytest-xdist, gives the interpreters of its workers."""


class Program:
    """What runs: `tokens` begin with the program, script or module itself."""

    __slots__ = ("hosts", "interpreter", "script", "tokens")

    def __init__(
        self, tokens: "Sequence[str]", interpreter: str | None = None, script: str | None = None
    ) -> None:
        self.tokens = list(tokens)
        self.interpreter = interpreter
        """python, node, shell, java, ruby, perl or php; none for a program of its own."""
        self.script = script
        """The script or module as given; none for a program of its own."""
        self.hosts: tuple[str, ...] = ()
        """Programs that run this one inside themselves, outermost first."""


def resolve(argv: "Sequence[str]") -> Program | None:
    """Return what `argv` runs, interpreters and in-process hosts looked through.

    None where an interpreter runs code given in words, or nothing.
    """
    kind = interpreter_of(argv[0])
    if kind in _SCRIPTS:
        program = _script(argv, kind)
    else:
        program = Program(argv) if kind is None else _READERS[kind](argv)
    if program is None or program.interpreter not in (None, "python", "ruby"):
        return program
    for _ in range(4):
        inside = look_through(program.tokens)
        if inside is None or not inside[1]:
            break
        label, tokens, _ = inside
        hosts = (*program.hosts, label)
        program = Program(tokens, "ruby" if label in RUBY_HOSTS else "python", tokens[0])
        program.hosts = hosts
    return program


def _python(argv: "Sequence[str]") -> Program | None:
    at = 1
    while at < len(argv):
        arg = argv[at]
        if arg == "-" or not arg.startswith("-"):
            return Program(argv[at:], "python", arg) if arg != "-" else None
        at += 1
        if arg.startswith("--"):
            at += arg == "--check-hash-based-pycs"
            continue
        for place, char in enumerate(arg[1:], 2):
            value = arg[place:]
            if char in "mcWX" and not value:
                value = argv[at] if at < len(argv) else ""
                at += 1
            if char == "m":
                return Program([value, *argv[at:]], "python", value) if value else None
            if char == "c":
                return _python_code(value)
            if char in "WX":
                break
    return None


def _python_code(code: str) -> Program | None:
    if code.replace(" ", "").startswith(EXECNET.replace(" ", "")):
        return Program(["execnet"], "python", None)
    if "pytest.main(" in code or "unittest.main(" in code:
        return Program(["test_.py"], "python", None)
    return None


def _node(argv: "Sequence[str]") -> Program | None:
    at = 1
    while at < len(argv):
        arg = argv[at]
        if arg in _NODE_CODE:
            return None
        if arg == "--":
            at += 1
            break
        if not arg.startswith("-"):
            break
        at += 2 if arg in _NODE_VALUED else 1
    if at < len(argv) and _SPAWN_WRAP in argv[at]:
        return _node(argv[at:])
    return Program(argv[at:], "node", argv[at]) if at < len(argv) else None


def _shell(argv: "Sequence[str]") -> Program | None:
    at = 1
    while at < len(argv):
        arg = argv[at]
        if arg[:1] not in ("-", "+") or len(arg) == 1:
            return Program(argv[at:], "shell", arg)
        if arg[:2] != "--" and ("c" in arg or "s" in arg):
            return None
        at += 2 if arg in ("-o", "+o", "-O", "+O", "--rcfile", "--init-file") else 1
    return None


def _java(argv: "Sequence[str]") -> Program | None:
    at = 1
    while at < len(argv):
        arg = argv[at]
        if arg == "-jar":
            return Program(argv[at + 1 :], "java", argv[at + 1]) if at + 1 < len(argv) else None
        if not arg.startswith(("-", "@")):
            name = arg.rpartition(".")[2]
            return Program([name, *argv[at + 1 :]], "java", arg)
        at += 2 if arg in _JAVA_VALUED else 1
    return None


def _script(argv: "Sequence[str]", kind: str) -> Program | None:
    valued, leaves_none = _SCRIPTS[kind]
    at = 1
    while at < len(argv):
        arg = argv[at]
        if arg in leaves_none:
            return None
        if kind == "php" and arg == "-f" and at + 1 < len(argv):
            return Program(argv[at + 1 :], kind, argv[at + 1])
        if arg == "--":
            at += 1
        if not arg.startswith("-") or arg == "--":
            return Program(argv[at:], kind, argv[at]) if at < len(argv) else None
        at += 2 if arg in valued else 1
    return None


_READERS = {"python": _python, "node": _node, "shell": _shell, "java": _java}
