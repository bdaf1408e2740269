"""tape, whose files run in one process."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={"-r": "--require", "-i": "--ignore"},
    valued=("--require", "--ignore-pattern"),
    optional=("--ignore",),
    flags=("--strict", "--only", "--no-only"),
    excluding=("--ignore", "--ignore-pattern"),
)


def _read(tokens: "Sequence[str]") -> Classification | None:
    found = Classification(tokens, "tape", "test", "leaf")
    return fill(found, parse(tokens[1:], OPTIONS), OPTIONS)


RUNNER = Runner(
    command_class="tape",
    kind="leaf",
    programs=("tape",),
    read=_read,
    test_files=(
        *("test.js", "test.cjs", "test.mjs", "test/**/*.js", "test/**/*.cjs", "test/**/*.mjs"),
        *("tests/**/*.js", "*.test.js", "*-test.js", "*_test.js"),
    ),
)
