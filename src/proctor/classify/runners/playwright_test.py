"""playwright test; the workers that it forks are its own business."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="camel",
    aliases={
        "-c": "--config",
        "-g": "--grep",
        "-G": "--grepInvert",
        "-j": "--workers",
        "-u": "--updateSnapshots",
        "-h": "--help",
        "-V": "--version",
    },
    valued=(
        *("--addReporter", "--browser", "--config", "--grep", "--grepInvert", "--globalTimeout"),
        *("--workers", "--lastFailedFile", "--maxFailures", "--output", "--project"),
        *("--repeatEach", "--reporter", "--retries", "--shard", "--testList", "--testListInvert"),
        *("--timeout", "--trace", "--tsconfig", "--uiHost", "--uiPort", "--updateSourceMethod"),
        *("--runAgents",),
    ),
    optional=("--debug", "--onlyChanged", "--shuffle", "--updateSnapshots"),
    flags=(
        *("--failOnFlakyTests", "--forbidOnly", "--fullyParallel", "--headed", "--quiet", "-x"),
        *("--ui", "--ignoreSnapshots"),
    ),
    narrowing=(
        *("--grep", "--project", "--shard", "--lastFailed", "--onlyChanged", "--testList"),
        *("--noDeps", "--ignoreSnapshots"),
    ),
    excluding=("--grepInvert", "--testListInvert"),
    allows_empty=("--passWithNoTests",),
    not_a_run=("--list", "--help", "--version", "--ui"),
    updates=("--updateSnapshots",),
    selecting=("--config", "--tsconfig"),
)


def _read(tokens: "Sequence[str]") -> Classification | None:
    parsed = parse(tokens[1:], OPTIONS)
    if parsed.positionals()[:1] != ["test"]:
        return None
    found = Classification(tokens, "playwright test", "test", "leaf")
    found.matching = "pattern"
    fill(found, parsed, OPTIONS)
    selectors = list(found.selectors)
    selectors.remove("test")
    found.selectors = tuple(selectors)
    if (parsed.value("--updateSnapshots") or "").lower() in ("none", "missing"):
        found.updates = ()
    return found


RUNNER = Runner(
    command_class="playwright test",
    kind="leaf",
    programs=("playwright",),
    read=_read,
    test_files=tuple(
        f"*.{word}.{ending}"
        for word in ("test", "spec")
        for ending in ("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs")
    ),
    harness=(
        "playwright.config.*",
        "playwright-ct.config.*",
    ),
)
