"""mocha."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={
        "-g": "--grep",
        "-f": "--fgrep",
        "-i": "--invert",
        "-b": "--bail",
        "-R": "--reporter",
        "-O": "--reporter-option",
        "--reporter-options": "--reporter-option",
        "--exclude": "--ignore",
        "-h": "--help",
        "-V": "--version",
        "-r": "--require",
        "-t": "--timeout",
        "-s": "--slow",
        "-u": "--ui",
        "-j": "--jobs",
        "-n": "--node-option",
    },
    valued=(
        *("--grep", "--fgrep", "--reporter", "--reporter-option", "--ignore", "--config"),
        *("--package", "--opts", "--require", "--timeout", "--slow", "--ui", "--jobs", "--retries"),
        *("--extension", "--spec", "--file", "--node-option", "--watch-files", "--watch-ignore"),
    ),
    flags=(
        "--bail",
        "--recursive",
        "--parallel",
        "--exit",
        "--sort",
        "--full-trace",
        "--inline-diffs",
        "--check-leaks",
        "--forbid-only",
        "--forbid-pending",
        "--no-diff",
        "--color",
        "--diff",
    ),
    narrowing=("--grep", "--fgrep", "--invert", "--pass-on-failing-test-suite"),
    excluding=("--ignore",),
    not_a_run=("--help", "--version", "--dry-run", "--list-interfaces", "--list-reporters"),
    selecting=("--config", "--package", "--opts", "--spec", "--extension"),
)


def _read(tokens: "Sequence[str]") -> Classification | None:
    if tokens[0].endswith("/cli.js") and not tokens[0].endswith("/mocha/lib/cli/cli.js"):
        return None
    found = Classification(tokens, "mocha", "test", "leaf")
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    for name, value in parsed.items:
        option, _, path = (value or "").partition("=")
        if name == "--reporter-option" and option in ("mochaFile", "output") and path:
            found.report = ("junit", path)
    return found


RUNNER = Runner(
    command_class="mocha",
    kind="leaf",
    programs=("mocha", "_mocha", "cli.js"),
    read=_read,
    test_files=("test/*.js", "test/*.cjs", "test/*.mjs", "*.test.js", "*.spec.js"),
    harness=(
        ".mocharc*",
        "package.json#mocha",
        "mocha.opts",
    ),
)
