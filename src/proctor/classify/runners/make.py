"""make: a target named test or check starts tests."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.names import role_of
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "--just-print": "-n",
        "--dry-run": "-n",
        "--recon": "-n",
        "--question": "-q",
        "--touch": "-t",
        "--ignore-errors": "-i",
        "--keep-going": "-k",
        "--file": "-f",
        "--makefile": "-f",
        "--directory": "-C",
        "--jobs": "-j",
        "--help": "-h",
        "--version": "-v",
        "--old-file": "-o",
        "--assume-old": "-o",
        "--what-if": "-W",
        "--eval": "-E",
        "--include-dir": "-I",
        "--silent": "-s",
        "--quiet": "-s",
        "--always-make": "-B",
        "--environment-overrides": "-e",
        "--load-average": "-l",
        "--print-data-base": "-p",
        "--output-sync": "-O",
    },
    valued=("-f", "-C", "-o", "-W", "-E", "-I"),
    flags=(
        *("-s", "-k", "-B", "-b", "-m", "-d", "-r", "-R", "-S", "-w", "-L", "--debug", "-p"),
        *("--no-print-directory", "--print-directory", "--warn-undefined-variables", "--trace"),
        *(
            "--no-builtin-rules",
            "--no-builtin-variables",
            "--check-symlink-times",
            "-O",
            "-j",
            "-l",
        ),
    ),
    narrowing=("-i", "-o", "-e"),
    not_a_run=("-n", "-q", "-t", "-h", "-v"),
    selecting=("-f", "-C", "-E"),
)
_HARMLESS = frozenset(("V", "VERBOSE", "Q", "CC", "CXX", "JOBS", "PREFIX", "DESTDIR", "NO_COLOR"))
_CHECKS = frozenset(("check", "distcheck", "ctest"))


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "make", "build", "driver")
    found.matching = "name"
    parsed = parse(tokens[1:], OPTIONS)
    parsed.items = [item for item in _without_numbers(parsed.items) if not _is_harmless(item[1])]
    fill(found, parsed, OPTIONS)
    targets = [word for word in parsed.positionals() if "=" not in word]
    roles = [role_of(word) for word in targets]
    if "test" in roles or any(word in _CHECKS for word in targets):
        found.role = "test"
    elif roles and roles[0] is not None and len(set(roles)) == 1:
        found.role = roles[0]
    return found


def _without_numbers(
    items: "list[tuple[str | None, str | None]]",
) -> "list[tuple[str | None, str | None]]":
    """Drop what can only be the number of `-j 4`."""
    return [item for item in items if item[0] is not None or not (item[1] or "").isdigit()]


def _is_harmless(word: str | None) -> bool:
    name, bound, _ = (word or "").partition("=")
    return bool(bound) and name in _HARMLESS


def _read_environment(_name: str, value: str) -> "list[str]":
    """Read MAKEFLAGS: single letters without a dash first, then options."""
    first, _, rest = value.partition(" ")
    letters = "" if first.startswith("-") or "=" in first else first
    words = rest.split() if letters else value.split()
    options = [f"-{letter}" for letter in letters]
    for word in words:
        if word == "--":
            break
        options += [word] if word.startswith("--") else [f"-{c}" for c in word[1:]]
    wanted = OPTIONS.narrowing | OPTIONS.not_a_run
    names = [OPTIONS.aliases.get(option, option) for option in options]
    return [name for name in dict.fromkeys(names) if name in wanted]


RUNNER = Runner(
    command_class="make",
    kind="driver",
    programs=("make", "gmake", "gnumake"),
    read=_read,
    environment=("MAKEFLAGS", "GNUMAKEFLAGS"),
    read_environment=_read_environment,
    harness=("Makefile#rules!", "makefile#rules!", "GNUmakefile#rules!", "*.mk#rules!"),
)
