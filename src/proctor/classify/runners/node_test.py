"""node's own test runner, `node --test`, and the processes of its files."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={"-h": "--help", "-v": "--version", "-r": "--require", "-C": "--conditions"},
    valued=(
        *("--test-name-pattern", "--test-skip-pattern", "--test-shard", "--test-reporter"),
        *("--test-reporter-destination", "--test-concurrency", "--test-timeout", "--require"),
        *("--import", "--loader", "--experimental-loader", "--conditions", "--env-file"),
        *("--test-coverage-include", "--test-coverage-exclude", "--test-coverage-lines"),
        *("--test-global-setup", "--test-isolation", "--input-type", "--title"),
    ),
    flags=(
        *("--test", "--watch", "--experimental-test-coverage", "--test-force-exit"),
        *("--experimental-strip-types", "--enable-source-maps", "--no-warnings"),
    ),
    narrowing=("--test-name-pattern", "--test-only", "--test-shard"),
    excluding=("--test-skip-pattern",),
    not_a_run=("--help", "--version", "--check", "-c"),
    updates=("--test-update-snapshots",),
)


def _read(tokens: "Sequence[str]") -> Classification | None:
    parsed = parse(tokens[1:], OPTIONS)
    if not parsed.has("--test"):
        return None
    found = Classification(tokens, "node --test", "test", "leaf")
    fill(found, parsed, OPTIONS)
    formats = [value for name, value in parsed.items if name == "--test-reporter"]
    places = [value for name, value in parsed.items if name == "--test-reporter-destination"]
    for kind, place in zip(formats, places, strict=False):
        if kind in ("junit", "tap") and place and place not in ("stdout", "stderr"):
            found.report = (kind, place)
    return found


def _read_environment(_name: str, value: str) -> "list[str]":
    found = Classification((), "", "", None)
    fill(found, parse(value.split(), OPTIONS), OPTIONS)
    return list(found.narrowing)


RUNNER = Runner(
    command_class="node --test",
    kind="leaf",
    programs=("node", "nodejs"),
    read=_read,
    environment=("NODE_OPTIONS",),
    read_environment=_read_environment,
    worker_variable="NODE_TEST_CONTEXT",
    test_files=(
        *("*.test.js", "*.test.cjs", "*.test.mjs", "*-test.js", "*-test.cjs", "*-test.mjs"),
        *("*_test.js", "*_test.cjs", "*_test.mjs", "test-*.js", "test-*.cjs", "test-*.mjs"),
        *("test.js", "test.cjs", "test.mjs", "test/**/*.js", "test/**/*.cjs", "test/**/*.mjs"),
        *("*.test.ts", "*.test.mts", "*.test.cts", "test/**/*.ts"),
    ),
)
