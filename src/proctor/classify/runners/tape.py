"""tape: every file named is run in one process."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={"-r": "--require", "-i": "--ignore", "-h": "--help"},
    valued=("--require", "--ignore", "--ignore-pattern"),
    flags=("--strict", "--no-only"),
    narrowing=("--only",),
    excluding=("--ignore", "--ignore-pattern"),
    not_a_run=("--help",),
)


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "tape", "test", "leaf")
    fill(found, parse(tokens[1:], OPTIONS), OPTIONS)
    if not found.selectors and found.not_a_run is None:
        found.not_a_run = "no files named"
    return found


RUNNER = Runner(
    command_class="tape",
    kind="leaf",
    programs=("tape",),
    read=_read,
    test_files=(
        *("test.js", "test.mjs", "test.cjs", "test/**/*.js", "test/**/*.mjs", "test/**/*.cjs"),
        *("*.test.js", "*.test.mjs", "*.test.cjs", "tests/**/*.js"),
        *("*-test.js", "*_test.js"),
    ),
)
