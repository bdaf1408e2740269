"""cargo-nextest, to which `cargo nextest` hands over; it starts a process a test."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.index import base_name
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={
        "-p": "--package",
        "-F": "--features",
        "-P": "--profile",
        "-E": "--filterset",
        "--filter-expr": "--filterset",
        "-j": "--test-threads",
        "--jobs": "--test-threads",
        "-h": "--help",
        "-r": "--release",
        "--all": "--workspace",
        "--ff": "--fail-fast",
        "--nff": "--no-fail-fast",
    },
    valued=(
        *("--package", "--exclude", "--features", "--profile", "--filterset", "--test-threads"),
        *("--test", "--bench", "--example", "--bin", "--target", "--target-dir", "--cargo-profile"),
        *("--manifest-path", "--config-file", "--tool-config-file", "--config", "--build-jobs"),
        *("--partition", "--run-ignored", "--platform-filter", "--retries", "--max-fail"),
        *("--no-tests", "--failure-output", "--success-output", "--status-level", "--color"),
        *("--final-status-level", "--message-format", "--archive-file", "--archive-format"),
        *("--extract-to", "--binaries-metadata", "--cargo-metadata", "--workspace-remap"),
        *("--target-dir-remap", "--show-progress", "--stress-count", "--stress-duration"),
        *("--rerun", "-R", "--debugger", "--tracer", "-Z", "--message-format-version"),
    ),
    flags=(
        *("--workspace", "--all-features", "--release", "--no-fail-fast", "--fail-fast"),
        *("--no-capture", "--nocapture", "--locked", "--offline", "--frozen", "--all-targets"),
        *("--hide-progress-bar", "--verbose", "-v", "--quiet", "-q", "--ignore-rust-version"),
    ),
    narrowing=(
        *("--package", "--test", "--bench", "--example", "--bin", "--lib", "--bins", "--tests"),
        *("--examples", "--benches", "--filterset", "--partition", "--platform-filter"),
        *("--rerun", "-R", "--ignore-default-filter"),
    ),
    excluding=("--exclude",),
    allows_empty=("--no-tests",),
    not_a_run=("--no-run", "--help", "--version"),
    selecting=(
        *("--features", "--no-default-features", "--manifest-path", "--target", "--profile"),
        *("--config-file", "--tool-config-file", "--config", "--run-ignored", "--archive-file"),
        *("--binaries-metadata",),
    ),
)
LIBTEST = Options(narrowing=("--exact", "--ignored"), excluding=("--skip",), valued=("--skip",))


def _read(tokens: "Sequence[str]") -> Classification | None:
    at = 1
    if base_name(tokens[0]) == "cargo":
        while at < len(tokens) and tokens[at] != "nextest":
            at += 1
    if tokens[at : at + 1] in (["nextest"], ("nextest",)):
        at += 1
    while at < len(tokens) and tokens[at].startswith("-"):
        at += 2 if tokens[at] in OPTIONS.valued else 1
    if at >= len(tokens) or tokens[at] not in ("run", "r"):
        return None
    is_front = base_name(tokens[0]) == "cargo"
    found = Classification(tokens, "cargo nextest", "test", "driver" if is_front else "leaf")
    found.matching = "pattern"
    parsed = parse(tokens[at + 1 :], OPTIONS)
    rest, parsed.rest = parsed.rest or [], None
    fill(found, parsed, OPTIONS)
    inner = fill(Classification((), "", "", None), parse(rest, LIBTEST), LIBTEST)
    found.selectors += inner.selectors
    found.narrowing += inner.narrowing
    found.excluding += inner.excluding
    if parsed.value("--no-tests") in ("fail", "auto"):
        found.narrowing = tuple(n for n in found.narrowing if not n.startswith("--no-tests"))
        found.allows_empty = ()
    return found


def _read_environment(name: str, value: str) -> "list[str]":
    harmless = name == "NEXTEST_NO_TESTS" and value in ("fail", "auto")
    return [] if harmless or value == "default" else [name]


RUNNER = Runner(
    command_class="cargo nextest",
    kind="leaf",
    programs=("cargo-nextest",),
    read=_read,
    environment=("NEXTEST_PROFILE", "NEXTEST_PARTITION", "NEXTEST_NO_TESTS"),
    read_environment=_read_environment,
    test_files=("tests/*.rs", "src/**/*.rs"),
    harness=(
        ".config/nextest.toml",
        "Cargo.toml#test,lib.test,lib.harness,profile.test",
    ),
)
