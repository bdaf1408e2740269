"""vitest, and its worker processes."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="camel",
    aliases={
        "-t": "--testNamePattern",
        "-u": "--update",
        "-c": "--config",
        "-r": "--root",
        "-w": "--watch",
        "-h": "--help",
        "-v": "--version",
    },
    valued=(
        *("--testNamePattern", "--config", "--root", "--dir", "--shard", "--project", "--exclude"),
        *("--outputFile", "--reporter", "--pool", "--environment", "--testTimeout", "--retry"),
        *("--hookTimeout", "--bail", "--maxWorkers", "--minWorkers", "--mode", "--maxConcurrency"),
        *("--sequence", "--workspace", "--tagsFilter"),
    ),
    optional=("--changed", "--coverage", "--ui", "--browser"),
    flags=(
        *("--run", "--watch", "--globals", "--dom", "--isolate", "--silent", "--hideSkippedTests"),
        *("--typecheck", "--allowOnly", "--inspect", "--inspectBrk", "--noColor", "--color"),
    ),
    narrowing=(
        *("--testNamePattern", "--shard", "--project", "--changed", "--related", "--tagsFilter"),
        *("--dangerouslyIgnoreUnhandledErrors",),
    ),
    excluding=("--exclude",),
    allows_empty=("--passWithNoTests",),
    not_a_run=("--help", "--version", "--listTags", "--clearCache", "--mergeReports"),
    updates=("--update",),
    selecting=("--config", "--root", "--dir", "--workspace"),
)
_COMMANDS = frozenset(("run", "watch", "dev", "bench", "related", "list", "init", "typecheck"))


def _read(tokens: "Sequence[str]") -> Classification | None:
    path = tokens[0]
    if "/vitest/dist/workers/" in path or "/tinypool/dist/entry/" in path:
        return Classification(tokens, "vitest", "test", "worker")
    if "vitest" not in path.rpartition("/")[2]:
        return None
    found = Classification(tokens, "vitest", "test", "leaf")
    found.matching = "pattern"
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    words = parsed.positionals()
    command = words[0] if words and words[0] in _COMMANDS else None
    if command is not None:
        selectors = list(found.selectors)
        selectors.remove(command)
        found.selectors = tuple(selectors)
    if command in ("list", "init", "bench"):
        found.not_a_run = found.not_a_run or command
    if command == "related":
        found.narrowing += ("related",)
    if "junit" in [value for name, value in parsed.items if name == "--reporter"]:
        found.report = _report(parsed.items)
    return found


def _report(items: "Sequence[tuple[str | None, str | None]]") -> "tuple[str, str] | None":
    for name, value in items:
        if name in ("--outputFile", "--outputFile.junit") and value:
            return ("junit", value)
    return None


RUNNER = Runner(
    command_class="vitest",
    kind="leaf",
    programs=("vitest", "forks", "vmForks", "threads", "vmThreads", "process", "worker"),
    read=_read,
    test_files=(
        *("*.test.js", "*.test.jsx", "*.test.ts", "*.test.tsx", "*.test.mjs", "*.test.cjs"),
        *("*.spec.js", "*.spec.jsx", "*.spec.ts", "*.spec.tsx", "*.spec.mjs", "*.spec.cjs"),
        *("*.test.mts", "*.test.cts", "*.spec.mts", "*.spec.cts"),
    ),
    harness=(
        "vitest.config.*",
        "vitest.workspace.*",
        "vite.config.*#test",
    ),
)
