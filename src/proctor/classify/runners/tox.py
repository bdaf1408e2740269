"""tox, versions 3 and 4."""

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
        "--conf": "-c",
        "--env": "-e",
        "--listenvs": "-l",
        "--listenvs-all": "-a",
        "--override": "-x",
        "--recreate": "-r",
        "--showconfig": "--showconfig",
    },
    valued=(
        *(
            "-c",
            "-e",
            "-m",
            "-f",
            "-x",
            "--skip-env",
            "--workdir",
            "--work-dir",
            "--root",
            "--runner",
        ),
        *("--result-json", "--installpkg", "--colored", "--hashseed", "--discover", "-n"),
        *("--parallel-no-spinner", "--force-dep", "--exit-and-dump-after", "--default-runner"),
        *("--package-env-name", "--wheel-dirty"),
    ),
    optional=("-p", "--parallel", "-s", "--skip-missing-interpreters"),
    flags=(
        *("-v", "-q", "-o", "--parallel-live", "--develop", "--sitepackages", "--skip-pkg-install"),
        *("--no-provision", "--no-recreate-pkg", "--no-recreate-provision", "--notest", "-b"),
        *("--alwayscopy", "--pre", "--sdistonly", "--pkg-only", "--fail-fast", "--verbose"),
    ),
    narrowing=("-m", "-f"),
    excluding=("--skip-env",),
    not_a_run=(
        *("-h", "--version", "-l", "-a", "--notest", "--showconfig", "--devenv", "--sdistonly"),
        *("--pkg-only", "-b"),
    ),
    selecting=("-c", "-x", "--root"),
)
_RUNS = frozenset(("run", "r", "run-parallel", "p", "legacy", "le"))
_OTHERS = frozenset(
    (
        "list",
        "l",
        "config",
        "c",
        "devenv",
        "d",
        "quickstart",
        "q",
        "depends",
        "de",
        "schema",
        "exec",
        "e",
        "man",
    )
)


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "tox", "test", "driver")
    found.matching = "name"
    parsed = parse(tokens[1:], OPTIONS)
    words = parsed.positionals()
    rest, parsed.rest = parsed.rest, None
    fill(found, parsed, OPTIONS)
    if words and words[0] in _OTHERS:
        found.not_a_run = words[0]
    chosen = [env for name, value in parsed.items if name == "-e" for env in _split(value)]
    options = tuple(s for s in found.selectors if s.startswith("-"))
    found.selectors = (*chosen, *options) if chosen != ["ALL"] else options
    posargs = rest if rest is not None else words[1:] if words[:1] and words[0] in _RUNS else words
    found.narrowing += handed_on(posargs)
    if chosen and chosen != ["ALL"]:
        found.role = role_of_all(chosen, "test")
    return found


def _split(value: str | None) -> "list[str]":
    return [name for name in (value or "").split(",") if name]


def _read_environment(name: str, value: str) -> "list[str]":
    option = "-e" if name in ("TOXENV", "TOX_ENV") else "--skip-env"
    return [f"{option}={value}"]


RUNNER = Runner(
    command_class="tox",
    kind="driver",
    programs=("tox",),
    modules=("tox",),
    read=_read,
    environment=("TOXENV", "TOX_ENV", "TOX_SKIP_ENV"),
    read_environment=_read_environment,
    harness=(
        "tox.ini#tox,testenv",
        "tox.toml",
        "pyproject.toml#tool.tox",
        "setup.cfg#tox:tox,testenv",
    ),
)
