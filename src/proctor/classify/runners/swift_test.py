"""swift test, and the test bundles that it builds and starts."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.index import base_name
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={
        "-s": "--specifier",
        "-l": "--list-tests",
        "-c": "--configuration",
        "-j": "--jobs",
        "-h": "--help",
    },
    valued=(
        *("--filter", "--skip", "--specifier", "--test-product", "--xunit-output", "--num-workers"),
        *("--package-path", "--build-path", "--scratch-path", "--configuration", "--jobs"),
        *("--sanitize", "--attachments-path", "--triple", "--sdk", "--swift-sdk", "--toolchain"),
        *("-Xswiftc", "-Xcc", "-Xlinker", "-Xcxx", "--cache-path", "--config-path", "--traits"),
        *("--event-stream-output-path", "--event-stream-version", "--repetitions"),
    ),
    flags=(
        *("--parallel", "--no-parallel", "--skip-build", "--enable-code-coverage", "-v", "-q"),
        *("--verbose", "--quiet", "--disable-sandbox", "--enable-xctest", "--enable-swift-testing"),
        *("--static-swift-stdlib", "--disable-automatic-resolution", "--enable-all-traits"),
    ),
    narrowing=(
        *("--filter", "--specifier", "--test-product", "--disable-xctest"),
        *("--disable-swift-testing", "--disable-testable-imports"),
    ),
    excluding=("--skip",),
    not_a_run=(
        "--list-tests",
        "--help",
        "--version",
        "--show-codecov-path",
        "--print-manifest-job-graph",
    ),
    selecting=("--package-path", "--traits"),
    report={"--xunit-output": "junit"},
)
_ROLES = {"build": "build", "run": "other", "package": "install"}


def _read(tokens: "Sequence[str]") -> Classification | None:
    name = base_name(tokens[0])
    word = tokens[1] if len(tokens) > 1 else ""
    if name == "swift":
        if word in _ROLES:
            return Classification(tokens, f"swift {word}", _ROLES[word], None)
        return _tests(tokens, tokens[2:]) if word == "test" else None
    found = _tests(tokens, tokens[1:])
    if name.endswith(".xctest"):
        found.matching = "name"
        found.narrowing += tuple(f"test={one}" for one in found.selectors)
    return found


def _tests(tokens: "Sequence[str]", arguments: "Sequence[str]") -> Classification:
    found = Classification(tokens, "swift test", "test", "leaf")
    found.matching = "name"
    parsed = parse(arguments, OPTIONS)
    fill(found, parsed, OPTIONS)
    if parsed.positionals()[:1] == ["list"]:
        found.not_a_run = found.not_a_run or "list"
    return found


RUNNER = Runner(
    command_class="swift test",
    kind="leaf",
    programs=("swift", "swift-test", "*.xctest"),
    read=_read,
    test_files=("Tests/**/*.swift",),
    harness=("Package.swift~est",),
)
