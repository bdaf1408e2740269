"""minitest and test-unit: a Ruby file that runs its tests, rake's loader, `rails test`."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.index import base_name
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "-n": "--name",
        "-i": "--name",
        "--include": "--name",
        "-e": "--exclude",
        "-x": "--exclude",
        "-s": "--seed",
        "-v": "--verbose",
        "-q": "--quiet",
        "-t": "--testcase",
        "-h": "--help",
        "-S": "--skip-codes",
        "-W": "--warnings",
    },
    valued=(
        "--name",
        "--exclude",
        "--seed",
        "--testcase",
        "--skip-codes",
        "--warnings",
        "--runner",
    ),
    flags=("--verbose", "--quiet", "--show-skips", "--no-plugins", "--pride", "--fail-fast"),
    narrowing=("--name", "--testcase", "--ignore-name"),
    excluding=("--exclude",),
    not_a_run=("--help", "--version"),
)
RAILS = Options(
    style="abbreviated",
    aliases={
        "-n": "--name",
        "-i": "--name",
        "-x": "--exclude",
        "-e": "--environment",
        "-h": "--help",
    },
    valued=("--name", "--exclude", "--environment", "-s", "--seed", "-S", "-W", "-j", "--parallel"),
    flags=("-b", "--backtrace", "-d", "--defer-output", "-f", "--fail-fast", "-c", "--color"),
    narrowing=("--name",),
    excluding=("--exclude",),
    not_a_run=("--help", "--version"),
)
_ENDINGS = ("_test.rb", "_spec.rb")
_LOADERS = ("rake_test_loader.rb",)


def _read(tokens: "Sequence[str]") -> Classification | None:
    name = base_name(tokens[0])
    if name == "rails":
        return _rails(tokens)
    if name in _LOADERS or name in ("minitest", "mtest"):
        return _filled(tokens, tokens[1:], OPTIONS)
    if name.startswith("test_") or name.endswith(_ENDINGS):
        return _filled(tokens, tokens, OPTIONS)
    return _code(tokens) if name.startswith("ruby") else None


def _filled(
    tokens: "Sequence[str]", arguments: "Sequence[str]", options: Options
) -> Classification:
    found = Classification(tokens, "minitest", "test", "leaf")
    parsed = parse(arguments, options)
    if parsed.rest is not None:
        # `ruby test_a.rb -- -n x`: the options of the tests stand behind.
        parsed.items += parse(parsed.rest, options).items
        parsed.rest = None
    return fill(found, parsed, options)


def _rails(tokens: "Sequence[str]") -> Classification | None:
    word = tokens[1] if len(tokens) > 1 else ""
    if word.partition(":")[0] != "test" and word != "t":
        return None
    found = _filled(tokens, tokens[2:], RAILS)
    if ":" in word and word != "test:all":
        found.narrowing += (word,)
    return found


def _code(tokens: "Sequence[str]") -> Classification | None:
    """Read `ruby -Itest -e 'Dir.glob("test/**/*_test.rb") { |f| require f }'`."""
    for at, arg in enumerate(tokens[1:-1], 2):
        code = tokens[at]
        if arg == "-e" and "require" in code and ("test" in code or "spec" in code):
            found = _filled(tokens, tokens[at + 1 :], OPTIONS)
            found.selectors = (f"-e={code}", *found.selectors)
            return found
        if not arg.startswith("-"):
            return None
    return None


RUNNER = Runner(
    command_class="minitest",
    kind="leaf",
    programs=("ruby", "*.rb", "rails", "minitest"),
    read=_read,
    environment=("TESTOPTS", "MT_NO_PLUGINS"),
    read_environment=lambda name, value: [name] if "-n" in value or "-e" in value else [],
    test_files=("test_*.rb", "*_test.rb", "test/**/*_spec.rb"),
    harness=(
        "test_helper.rb",
        "Rakefile~est",
    ),
)
