"""rspec: a Ruby script, or `bundle exec rspec` in bundler's own process."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "-r": "--require",
        "-O": "--options",
        "-X": "--drb",
        "-f": "--format",
        "--formatter": "--format",
        "-o": "--out",
        "--output": "--out",
        "-b": "--backtrace",
        "-p": "--profile",
        "-w": "--warnings",
        "-n": "--next-failure",
        "-P": "--pattern",
        "-e": "--example",
        "-E": "--example-matches",
        "-t": "--tag",
        "-v": "--version",
        "-h": "--help",
        "-c": "--color",
        "--colour": "--color",
    },
    valued=(
        *("-I", "--require", "--options", "--order", "--seed", "--failure-exit-code"),
        *("--error-exit-code", "--drb-port", "--format", "--out", "--deprecation-out"),
        *("--pattern", "--exclude-pattern", "--example", "--example-matches", "--tag"),
        *("--default-path",),
    ),
    optional=("--profile",),
    flags=(
        *("--fail-fast", "--no-fail-fast", "--backtrace", "--warnings", "--color", "--no-color"),
        *("--force-color", "--no-profile", "--no-drb"),
    ),
    narrowing=(
        *("--example", "--example-matches", "--tag", "--only-failures", "--next-failure"),
        *("--bisect", "--failure-exit-code", "--error-exit-code"),
    ),
    excluding=("--exclude-pattern",),
    not_a_run=("--dry-run", "--init", "--version", "--help"),
    selecting=("--options", "--pattern", "--default-path"),
)
_FORMATS = {
    "RspecJunitFormatter": "junit",
    "RSpecJUnitFormatter": "junit",
    "j": "rspec",
    "json": "rspec",
}


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "rspec", "test", "leaf")
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    found.excluding += tuple(n for n in found.narrowing if n.startswith("--tag=~"))
    if parsed.has("--drb"):
        found.remote = "the DRb server"
    kind = None
    for name, value in parsed.items:
        if name == "--format":
            kind = _FORMATS.get(value or "")
        elif name == "--out" and value and kind is not None:
            found.report = (kind, value)
    return found


RUNNER = Runner(
    command_class="rspec",
    kind="leaf",
    programs=("rspec",),
    read=_read,
    environment=("SPEC_OPTS",),
    test_files=("*_spec.rb",),
    harness=(
        ".rspec",
        "spec_helper.rb",
        "rails_helper.rb",
        ".rspec-local",
    ),
)
