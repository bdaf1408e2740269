"""cargo test, and the test binaries `target/*/deps/NAME-<16 hex digits>` it starts."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.index import base_name, load
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={"-p": "--package", "-F": "--features", "-h": "--help", "--all": "--workspace"},
    valued=(
        *("--package", "--test", "--bench", "--example", "--bin", "--features", "--target"),
        *("--target-dir", "--manifest-path", "-j", "--jobs", "--profile", "--color", "--config"),
        *("--message-format", "-Z", "--exclude", "--lockfile-path", "-C"),
    ),
    flags=(
        *("--workspace", "--all-features", "--no-default-features", "--no-fail-fast", "-q"),
        *("--release", "--locked", "--offline", "--frozen", "-v", "--verbose", "--quiet", "-r"),
        *("--all-targets", "--keep-going", "--ignore-rust-version"),
    ),
    narrowing=(
        *("--package", "--test", "--bench", "--example", "--bin", "--lib", "--bins", "--tests"),
        *("--examples", "--benches", "--doc", "--config"),
    ),
    excluding=("--exclude",),
    not_a_run=("--no-run", "--help", "--build-plan"),
    selecting=("--features", "--no-default-features", "--manifest-path", "--target", "-C"),
)
LIBTEST = Options(
    aliases={"-h": "--help", "-q": "--quiet"},
    valued=("--skip", "--test-threads", "--logfile", "--color", "--format", "-Z", "--shuffle-seed"),
    flags=(
        "--nocapture",
        "--no-capture",
        "--show-output",
        "--quiet",
        "--include-ignored",
        "--report-time",
        "--shuffle",
        "--ensure-time",
    ),
    narrowing=("--exact", "--ignored", "--bench"),
    excluding=("--skip", "--exclude-should-panic"),
    not_a_run=("--list", "--help"),
)
_ROLES = {
    **dict.fromkeys(("build", "b", "check", "c", "doc", "d", "rustc"), "build"),
    **dict.fromkeys(("clippy", "fmt", "audit", "deny"), "lint"),
    **dict.fromkeys(("install", "fetch", "add", "update"), "install"),
}
_HEX = frozenset("0123456789abcdef")


def _read(tokens: "Sequence[str]") -> Classification | None:
    name = base_name(tokens[0])
    if name != "cargo":
        return _binary(tokens, name)
    at = 1
    while at < len(tokens) and tokens[at].startswith(("-", "+")):
        at += 2 if tokens[at] in OPTIONS.valued else 1
    word = tokens[at] if at < len(tokens) else ""
    if word in ("test", "t"):
        return _tests(tokens, at)
    if word == "nextest":
        return load("cargo_nextest").read(tokens)
    if word in _ROLES:
        return Classification(tokens, f"cargo {word}", _ROLES[word], None)
    return None


def _tests(tokens: "Sequence[str]", at: int) -> Classification:
    found = Classification(tokens, "cargo test", "test", "driver")
    found.matching = "pattern"
    parsed = parse([*tokens[1:at], *tokens[at + 1 :]], OPTIONS)
    parsed.items = [item for item in parsed.items if not (item[1] or "").startswith("+")]
    rest, parsed.rest = parsed.rest or [], None
    fill(found, parsed, OPTIONS)
    inner = fill(Classification((), "", "", None), parse(rest, LIBTEST), LIBTEST)
    found.selectors += inner.selectors
    found.narrowing += inner.narrowing
    found.excluding += inner.excluding
    found.not_a_run = found.not_a_run or inner.not_a_run
    return found


def _binary(tokens: "Sequence[str]", name: str) -> Classification | None:
    _, dash, ending = name.removesuffix(".exe").rpartition("-")
    if not dash or len(ending) != 16 or not set(ending) <= _HEX:
        return None
    found = Classification(tokens, "cargo test", "test", "leaf")
    found.matching = "pattern"
    return fill(found, parse(tokens[1:], LIBTEST), LIBTEST)


def _read_environment(name: str, value: str) -> "list[str]":
    return [f"runner={base_name(value.split(maxsplit=1)[0])}"] if value.split() else [name]


RUNNER = Runner(
    command_class="cargo test",
    kind="driver",
    programs=("cargo", "deps/*"),
    read=_read,
    environment=(
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUNNER",
    ),
    read_environment=_read_environment,
    test_files=("tests/*.rs", "src/**/*.rs"),
    harness=(
        "Cargo.toml#test,lib.test,lib.harness,lib.doctest,bench,profile.test",
        ".cargo/config.toml#alias,target,env,build.rustflags,test",
        ".cargo/config~alias,runner,test",
        ".config/nextest.toml",
    ),
)
