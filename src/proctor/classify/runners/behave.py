"""behave: feature files and their steps."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "-d": "--dry-run",
        "-D": "--define",
        "-e": "--exclude",
        "-i": "--include",
        "-j": "--jobs",
        "--parallel": "--jobs",
        "-f": "--format",
        "-n": "--name",
        "-o": "--outfile",
        "-q": "--quiet",
        "-r": "--runner",
        "-t": "--tags",
        "-w": "--wip",
        "-h": "--help",
        "-v": "--verbose",
        "-T": "--no-timings",
        "-C": "--no-color",
    },
    valued=(
        *("--define", "--exclude", "--include", "--jobs", "--format", "--name", "--outfile"),
        *("--runner", "--tags", "--junit-directory", "--stage", "--lang", "--lang-help"),
        *("--logging-level", "--logging-format", "--logging-datefmt", "--logging-filter"),
    ),
    optional=("--color",),
    flags=(
        *("--junit", "--no-junit", "--no-capture", "--no-skipped", "--show-skipped", "--stop"),
        *("--no-snippets", "--no-summary", "--no-source", "--show-source", "--show-timings"),
        *("--no-multiline", "--capture", "--no-logcapture", "--no-capture-stderr", "--quiet"),
        *("--verbose", "--no-timings", "--no-color", "--summary", "--snippets", "--multiline"),
    ),
    narrowing=("--include", "--name", "--tags", "--wip"),
    excluding=("--exclude",),
    not_a_run=(
        *("--dry-run", "--help", "--version", "--tags-help", "--lang-list", "--lang-help"),
        *("--steps-catalog",),
    ),
    selecting=("--runner", "--stage", "--lang"),
)


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "behave", "test", "leaf")
    return fill(found, parse(tokens[1:], OPTIONS), OPTIONS)


RUNNER = Runner(
    command_class="behave",
    kind="leaf",
    programs=("behave",),
    modules=("behave",),
    read=_read,
    test_files=("*.feature",),
    harness=(
        "behave.ini",
        ".behaverc",
        "tox.ini#behave",
        "setup.cfg#behave",
        "pyproject.toml#tool.behave",
        "environment.py",
    ),
)
