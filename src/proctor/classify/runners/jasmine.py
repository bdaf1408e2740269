"""jasmine under node."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={"-h": "--help", "-v": "--version", "--filter-path": "--filterPath"},
    flags=(
        *("--no-color", "--color", "--fail-fast", "--verbose", "--helper", "--require"),
        *("--reporter", "--parallel", "--random", "--seed", "--list-not-applicable"),
    ),
    narrowing=("--filter", "--filterPath"),
    not_a_run=("--help", "--version"),
    selecting=("--config",),
)
_COMMANDS = frozenset(("init", "examples", "help", "version", "enumerate"))


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "jasmine", "test", "leaf")
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    if parsed.positionals()[:1] and parsed.positionals()[0] in _COMMANDS:
        found.not_a_run = parsed.positionals()[0]
    return found


RUNNER = Runner(
    command_class="jasmine",
    kind="leaf",
    programs=("jasmine",),
    read=_read,
    environment=("JASMINE_CONFIG_PATH",),
    read_environment=lambda name, _value: [name],
    test_files=("*[sS]pec.js", "*[sS]pec.mjs", "*[sS]pec.cjs", "*[sS]pec.ts"),
    harness=(
        "jasmine.json",
        "jasmine.js",
        "jasmine.mjs",
    ),
)
