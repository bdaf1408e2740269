"""karma: tests in browsers that it starts."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="camel",
    aliases={"-h": "--help"},
    valued=(
        *("--port", "--logLevel", "--reporters", "--browsers", "--captureTimeout"),
        *("--reportSlowerThan", "--formatError", "--changedFiles", "--removedFiles"),
        *("--addedFiles",),
    ),
    flags=(
        *("--autoWatch", "--noAutoWatch", "--colors", "--noColors", "--singleRun"),
        *("--failOnEmptyTestSuite", "--failOnFailingTestSuite", "--noRefresh"),
    ),
    narrowing=("--noFailOnFailingTestSuite", "--grep"),
    allows_empty=("--noFailOnEmptyTestSuite",),
    not_a_run=("--help", "--version", "--detached"),
    selecting=("--browsers",),
)


def _read(tokens: "Sequence[str]") -> Classification | None:
    parsed = parse(tokens[1:], OPTIONS)
    command, *rest = parsed.positionals() or [""]
    if command not in ("start", "run"):
        return None
    found = Classification(tokens, "karma", "test", "leaf")
    found.matching = "name"
    handed_on, parsed.rest = parsed.rest or [], None
    fill(found, parsed, OPTIONS)
    found.selectors = tuple(s for s in found.selectors if s.startswith("-")) + tuple(rest[:1])
    found.narrowing += tuple(f"-- {arg}" for arg in handed_on if "grep" in arg)
    if command == "run":
        found.remote = "the karma server"
    return found


RUNNER = Runner(
    command_class="karma",
    kind="leaf",
    programs=("karma",),
    read=_read,
    test_files=(
        *("*.spec.js", "*.spec.ts", "*.spec.jsx", "*.spec.tsx", "*[sS]pec.js", "*.test.js"),
        *("*.test.ts", "test/**/*.js"),
    ),
    harness=("karma.conf.*",),
)
