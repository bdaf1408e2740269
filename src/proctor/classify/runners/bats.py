"""bats: shell scripts whose tests run in shells of their own."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={
        "-c": "--count",
        "-f": "--filter",
        "-F": "--formatter",
        "-j": "--jobs",
        "-o": "--output",
        "-r": "--recursive",
        "-h": "--help",
        "-v": "--version",
        "-t": "--tap",
        "-p": "--pretty",
        "-T": "--timing",
        "-x": "--trace",
    },
    valued=(
        *("--filter", "--filter-status", "--filter-tags", "--formatter", "--jobs", "--output"),
        *("--report-formatter", "--code-quote-style", "--gather-test-outputs-in"),
        *("--parallel-binary-name", "--line-reference-format"),
    ),
    flags=(
        *("--tap", "--pretty", "--timing", "--trace", "--no-tempdir-cleanup", "--verbose-run"),
        *("--print-output-on-failure", "--show-output-of-passing-tests", "--abort"),
        *("--no-parallelize-across-files", "--no-parallelize-within-files", "--recursive"),
    ),
    narrowing=("--filter", "--filter-status", "--filter-tags"),
    not_a_run=("--count", "--help", "--version"),
)
_REPORTS = {"junit": ("junit", "report.xml"), "tap": ("tap", "report.tap")}


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "bats", "test", "leaf")
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    if not found.selectors and found.not_a_run is None:
        found.not_a_run = "no files named"
    kind, name = _REPORTS.get(parsed.value("--report-formatter") or "", ("", ""))
    if kind:
        found.report = (kind, f"{parsed.value('--output') or '.'}/{name}")
    return found


RUNNER = Runner(
    command_class="bats",
    kind="leaf",
    programs=("bats",),
    read=_read,
    test_files=("*.bats",),
    scripted=True,
    harness=("setup_suite.bash",),
)
