"""jest, and the workers of jest-worker."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="camel",
    aliases={
        "-t": "--testNamePattern",
        "-o": "--onlyChanged",
        "-f": "--onlyFailures",
        "-u": "--updateSnapshot",
        "-c": "--config",
        "-w": "--maxWorkers",
        "-i": "--runInBand",
        "-b": "--bail",
        "-h": "--help",
        "-v": "--version",
        "--testPathPattern": "--testPathPatterns",
        "--coverage": "--coverage",
        "--ci": "--ci",
    },
    valued=(
        *(
            "--testNamePattern",
            "--config",
            "--maxWorkers",
            "--shard",
            "--changedSince",
            "--rootDir",
        ),
        *(
            "--outputFile",
            "--env",
            "--testEnvironment",
            "--testTimeout",
            "--runner",
            "--testRunner",
        ),
        *("--maxConcurrency", "--cacheDirectory", "--coverageDirectory", "--coverageProvider"),
        *("--resolver", "--preset", "--seed", "--filter", "--globalSetup", "--globalTeardown"),
        *("--testSequencer", "--workerIdleMemoryLimit", "--reporters", "--coverageReporters"),
        *("--selectProjects", "--ignoreProjects", "--testPathIgnorePatterns", "--roots"),
        *("--projects", "--testMatch", "--testRegex", "--testPathPatterns", "--setupFiles"),
        *("--collectCoverageFrom", "--testEnvironmentOptions", "--transform", "--globals"),
    ),
    flags=(
        *("--runInBand", "--verbose", "--silent", "--colors", "--forceExit", "--detectOpenHandles"),
        *(
            "--watch",
            "--watchAll",
            "--noCache",
            "--cache",
            "--json",
            "--expand",
            "--errorOnDeprecated",
        ),
        *("--logHeapUsage", "--notify", "--injectGlobals", "--useStderr", "--bail", "--debug"),
    ),
    narrowing=(
        *("--testNamePattern", "--onlyChanged", "--onlyFailures", "--shard", "--changedSince"),
        *("--lastCommit", "--selectProjects", "--findRelatedTests", "--filter", "--runTestsByPath"),
    ),
    excluding=("--testPathIgnorePatterns", "--ignoreProjects"),
    allows_empty=("--passWithNoTests",),
    not_a_run=("--listTests", "--showConfig", "--help", "--version", "--clearCache", "--init"),
    updates=("--updateSnapshot",),
    selecting=(
        *("--config", "--rootDir", "--roots", "--projects", "--testMatch", "--testRegex"),
        *("--testPathPatterns", "--runner", "--testRunner", "--resolver"),
    ),
)


def _read(tokens: "Sequence[str]") -> Classification | None:
    if tokens[0].endswith(("processChild.js", "threadChild.js")):
        is_worker = "jest-worker" in tokens[0]
        return Classification(tokens, "jest", "test", "worker") if is_worker else None
    found = Classification(tokens, "jest", "test", "leaf")
    found.matching = "pattern"
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    output = parsed.value("--outputFile")
    if output and parsed.has("--json"):
        found.report = ("jest", output)
    elif "jest-junit" in " ".join(value or "" for name, value in parsed.items if name):
        found.report = ("junit", "junit.xml")
    return found


RUNNER = Runner(
    command_class="jest",
    kind="leaf",
    programs=("jest", "jest-cli", "processChild", "threadChild"),
    read=_read,
    test_files=(
        *("*.test.js", "*.test.jsx", "*.test.ts", "*.test.tsx", "*.test.mjs", "*.test.cjs"),
        *("*.spec.js", "*.spec.jsx", "*.spec.ts", "*.spec.tsx", "*.spec.mjs", "*.spec.cjs"),
        *("__tests__/**/*.js", "__tests__/**/*.jsx", "__tests__/**/*.ts", "__tests__/**/*.tsx"),
    ),
    harness=(
        "jest.config.*",
        "package.json#jest",
    ),
)
