"""stestr, which runs unittest suites in worker processes of its own."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "-d": "--here",
        "-t": "--test-path",
        "-c": "--config",
        "-e": "--exclude-list",
        "-i": "--include-list",
        "-E": "--exclude-regex",
        "-n": "--no-discover",
        "-h": "--help",
    },
    valued=(
        *("--here", "--config", "--test-path", "--top-dir", "--profile", "--group-regex"),
        *("--concurrency", "--load-list", "--worker-file", "--exclude-list", "--include-list"),
        *("--exclude-regex", "--no-discover", "--pdb", "--user-config"),
    ),
    flags=(
        *("--serial", "--subunit", "--until-failure", "--isolated", "--random", "--combine"),
        *("--no-subunit-trace", "--force-subunit-trace", "--color", "--slowest", "--abbreviate"),
        *("--suppress-attachments", "--all-attachments", "--show-binary-attachments"),
        *("--dynamic", "--debug", "--quiet", "--verbose"),
    ),
    narrowing=(
        *("--failing", "--load-list", "--include-list", "--no-discover", "--pdb"),
        *("--analyze-isolation",),
    ),
    excluding=("--exclude-list", "--exclude-regex"),
    not_a_run=("--help", "--version"),
    selecting=("--test-path", "--top-dir", "--config", "--here", "--profile", "--worker-file"),
)


def _read(tokens: "Sequence[str]") -> Classification | None:
    parsed = parse(tokens[1:], OPTIONS)
    words = parsed.positionals()
    if words[:1] != ["run"]:
        return None
    found = Classification(tokens, "stestr", "test", "leaf")
    found.matching = "pattern"
    fill(found, parsed, OPTIONS)
    selectors = list(found.selectors)
    selectors.remove("run")
    found.selectors = tuple(selectors)
    return found


RUNNER = Runner(
    command_class="stestr",
    kind="leaf",
    programs=("stestr",),
    modules=("stestr",),
    read=_read,
    test_files=("test*.py",),
    harness=(
        ".stestr.conf",
        "tox.ini#stestr",
        "pyproject.toml#tool.stestr",
    ),
)
