"""nox."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.names import role_of_all
from proctor.classify.options import fill, handed_on, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "--help": "-h",
        "--session": "-s",
        "--sessions": "-s",
        "-e": "-s",
        "--keywords": "-k",
        "--tags": "-t",
        "--python": "-p",
        "--pythons": "-p",
        "--noxfile": "-f",
        "--list": "-l",
        "--list-sessions": "-l",
        "-N": "--no-reuse",
    },
    valued=(
        *("-s", "-k", "-t", "-p", "-f", "--envdir", "--extra-pythons", "--force-pythons", "-P"),
        *("--default-venv-backend", "-db", "--force-venv-backend", "-fb", "--report"),
        *("--reuse-venv", "--download-python"),
    ),
    flags=(
        *("-r", "-R", "-x", "-v", "--verbose", "--no-install", "--reuse-existing-virtualenvs"),
        *("--no-venv", "--stop-on-first-error", "--error-on-missing-interpreters", "--no-color"),
        *("--forcecolor", "--nocolor", "--non-interactive", "--add-timestamp", "-ts"),
    ),
    narrowing=("-k", "-t", "-p"),
    not_a_run=("-h", "--version", "-l", "--install-only", "--json"),
    selecting=("-f",),
)


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "nox", "test", "driver")
    found.matching = "name"
    parsed = parse(tokens[1:], OPTIONS)
    rest, parsed.rest = parsed.rest or [], None
    fill(found, parsed, OPTIONS)
    sessions = [value for name, value in parsed.items if name == "-s" and value]
    if sessions:
        # `-s` takes several names.
        sessions += parsed.positionals()
    options = tuple(s for s in found.selectors if s.startswith("-"))
    found.selectors = (*sessions, *options)
    found.narrowing += handed_on(rest)
    if sessions:
        found.role = role_of_all(sessions, "test")
    return found


def _read_environment(name: str, value: str) -> "list[str]":
    return [f"-s={value}" if name == "NOXSESSION" else f"-p={value}"]


RUNNER = Runner(
    command_class="nox",
    kind="driver",
    programs=("nox",),
    modules=("nox",),
    read=_read,
    environment=("NOXSESSION", "NOXPYTHON"),
    read_environment=_read_environment,
    harness=("noxfile.py",),
)
