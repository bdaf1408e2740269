"""ava."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="camel",
    aliases={
        "-c": "--concurrency",
        "-m": "--match",
        "-s": "--serial",
        "-t": "--tap",
        "-T": "--timeout",
        "-u": "--updateSnapshots",
        "-v": "--verbose",
        "-w": "--watch",
        "-h": "--help",
    },
    valued=("--match", "--config", "--concurrency", "--timeout", "--nodeArguments"),
    flags=("--serial", "--verbose", "--failFast", "--tap", "--color", "--noWorkerThreads"),
    narrowing=("--match",),
    not_a_run=("--help", "--version", "--resetCache"),
    updates=("--updateSnapshots",),
    selecting=("--config",),
)


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "ava", "test", "leaf")
    parsed = parse(tokens[1:], OPTIONS)
    parsed.rest = None  # for the test files themselves
    if parsed.positionals()[:1] in (["debug"], ["reset-cache"]):
        found.not_a_run = parsed.positionals()[0]
    return fill(found, parsed, OPTIONS)


RUNNER = Runner(
    command_class="ava",
    kind="leaf",
    programs=("ava",),
    read=_read,
    test_files=(
        *("test.js", "test.mjs", "test.cjs", "*.test.js", "*.test.mjs", "*.test.cjs"),
        *("test-*.js", "test-*.mjs", "test-*.cjs", "*.test.ts", "*.test.mts", "test/**/*.js"),
        *("test/**/*.mjs", "test/**/*.cjs", "tests/**/*.js", "__tests__/**/*.js"),
    ),
    harness=(
        "ava.config.*",
        "package.json#ava",
    ),
)
