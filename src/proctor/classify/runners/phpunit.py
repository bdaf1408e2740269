"""phpunit: a PHP script or archive; paratest, which starts several."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={"-c": "--configuration", "-h": "--help", "-v": "--verbose", "-p": "--processes"},
    valued=(
        *("--coverage-clover", "--coverage-cobertura", "--coverage-crap4j", "--coverage-html"),
        *("--coverage-php", "--coverage-xml", "--coverage-cache", "--coverage-filter"),
        *("--coverage-openclover", "--log-junit", "--log-teamcity", "--log-otr"),
        *("--testdox-html", "--testdox-text", "--testdox-xml", "--testsuite"),
        *("--exclude-testsuite", "--group", "--exclude-group", "--covers", "--uses"),
        *("--requires-php-extension", "--filter", "--exclude-filter", "--test-suffix"),
        *("--list-tests-xml", "--default-time-limit", "--colors", "--columns", "--repeat"),
        *("--testdox-group", "--testdox-exclude-group", "--printer", "--order-by"),
        *("--random-order-seed", "--prepend", "--bootstrap", "--configuration", "--extensions"),
        *("--extension", "--include-path", "-d", "--cache-result-file", "--cache-directory"),
        *("--atleast-version", "--generate-baseline", "--use-baseline", "--log-events-text"),
        *("--log-events-verbose-text", "--test-files-file", "--run-test-id"),
        *("--processes", "--functional-runner", "--runner", "--passthru", "--passthru-php"),
        *("--max-batch-size", "--tmp-dir", "--path", "--shard", "--issue", "--pr", "--assignee"),
    ),
    flags=(
        *("--verbose", "--debug", "--testdox", "--teamcity", "--no-coverage", "--no-logging"),
        *("--stop-on-defect", "--stop-on-error", "--stop-on-failure", "--stop-on-warning"),
        *("--stop-on-risky", "--stop-on-skipped", "--stop-on-incomplete", "--fail-on-warning"),
        *("--fail-on-risky", "--fail-on-skipped", "--fail-on-incomplete", "--strict-coverage"),
        *("--fail-on-empty-test-suite", "--fail-on-deprecation", "--fail-on-notice"),
        *("--process-isolation", "--no-interaction", "--no-progress", "--no-results"),
        *("--display-deprecations", "--display-notices", "--display-warnings", "--cache-result"),
        *("--display-skipped", "--display-incomplete", "--display-errors", "--no-output"),
        *("--do-not-cache-result", "--reverse-list", "--stderr", "--path-coverage", "--bail"),
        *("--no-extensions", "--coverage-text", "--coverage", "--parallel", "--ci", "--compact"),
        *("--profile", "--functional", "--wrapper-runner", "--disallow-test-output"),
    ),
    narrowing=(
        *("--testsuite", "--group", "--covers", "--uses", "--filter", "--testdox-group"),
        *("--requires-php-extension", "--run-test-id", "--shard", "--dirty", "--todos"),
        *("--todo", "--notes", "--issue", "--pr", "--assignee", "--retry", "--mutate"),
    ),
    excluding=(
        *("--exclude-group", "--exclude-testsuite", "--exclude-filter"),
        *("--testdox-exclude-group",),
    ),
    allows_empty=("--do-not-fail-on-empty-test-suite",),
    not_a_run=(
        *(
            "--help",
            "--version",
            "--list-suites",
            "--list-groups",
            "--list-tests",
            "--check-php-configuration",
        ),
        *("--list-tests-xml", "--list-test-files", "--list-test-ids", "--generate-configuration"),
        *(
            "--migrate-configuration",
            "--atleast-version",
            "--check-version",
            "--warm-coverage-cache",
        ),
        *("--init", "--generate-baseline", "--type-coverage"),
    ),
    updates=("--update-snapshots",),
    selecting=(
        "--configuration",
        "--no-configuration",
        "--test-suffix",
        "--prepend",
        "--test-files-file",
    ),
    report={"--log-junit": "junit"},
)
"""Those of paratest and of Pest, which is built on phpunit, are among them."""
_DEFAULTS = ("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "phpunit", "test", "leaf")
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    usual = [f"--configuration={prefix}{name}" for prefix in ("", "./") for name in _DEFAULTS]
    found.selectors = tuple(s for s in found.selectors if s not in usual)
    if any(name == "-d" and value == "--update-snapshots" for name, value in parsed.items):
        found.updates += ("--update-snapshots",)
    return found


RUNNER = Runner(
    command_class="phpunit",
    kind="leaf",
    programs=("phpunit", "paratest"),
    read=_read,
    test_files=("*Test.php", "*.phpt"),
    harness=(
        "phpunit.xml",
        "phpunit.xml.dist",
        "phpunit.dist.xml",
    ),
)
