"""go test, gotestsum, and the `*.test` binaries that execute the tests."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.index import base_name
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_TEST_VALUED = (
    *("run", "skip", "bench", "benchtime", "blockprofile", "blockprofilerate", "count"),
    *("coverprofile", "cpu", "cpuprofile", "fuzz", "fuzztime", "fuzzminimizetime", "list"),
    *("memprofile", "memprofilerate", "mutexprofile", "mutexprofilefraction", "outputdir"),
    *("parallel", "shuffle", "timeout", "trace", "testlogfile", "gocoverdir", "fuzzcachedir"),
)
_TEST_FLAGS = ("v", "short", "failfast", "benchmem", "fullpath", "paniconexit0", "artifacts")
_BUILD_VALUED = (
    *("-C", "-p", "-covermode", "-coverpkg", "-asmflags", "-buildmode", "-compiler", "-gccgoflags"),
    *("-gcflags", "-installsuffix", "-ldflags", "-mod", "-modfile", "-overlay", "-pgo", "-pkgdir"),
    *("-tags", "-toolexec", "-exec", "-vet", "-o"),
)

OPTIONS = Options(
    style="single",
    aliases={f"-test.{name}": f"-{name}" for name in (*_TEST_VALUED, *_TEST_FLAGS)},
    valued=(*(f"-{name}" for name in _TEST_VALUED), *_BUILD_VALUED),
    flags=(
        *(f"-{name}" for name in _TEST_FLAGS),
        *("-race", "-msan", "-asan", "-cover", "-json", "-x", "-work", "-a", "-i", "-linkshared"),
        *("-modcacherw", "-trimpath", "-buildvcs"),
    ),
    narrowing=("-run", "-short", "-exec", "-toolexec", "-overlay"),
    excluding=("-skip",),
    not_a_run=("-c", "-list", "-n", "-h", "-help"),
    selecting=("-C", "-tags", "-modfile"),
)
GOTESTSUM = Options(
    aliases={"-f": "--format", "-h": "--help"},
    valued=(
        *("--format", "--junitfile", "--jsonfile", "--packages", "--rerun-fails-max-failures"),
        *("--post-run-command", "--format-hide-empty-pkg", "--junitfile-testsuite-name"),
        *("--junitfile-testcase-classname", "--hide-summary", "--watch-chdir"),
    ),
    not_a_run=("--help", "--version"),
    report={"--junitfile": "junit"},
    selecting=("--packages", "--raw-command"),
)
_ROLES = {
    "build": "build",
    "install": "install",
    "get": "install",
    "mod": "install",
    "vet": "lint",
    "fmt": "lint",
    "generate": "build",
}
_EVERYTHING = ("", ".", ".*", "^", "^.*$", "Test", "^Test")


def _read(tokens: "Sequence[str]") -> Classification | None:
    name = base_name(tokens[0])
    if name.endswith(".test"):
        return _binary(tokens)
    if name == "gotestsum":
        return _gotestsum(tokens)
    return _go(tokens)


def _go(tokens: "Sequence[str]") -> Classification | None:
    at = 1
    folder: list[str] = []
    while at < len(tokens) and tokens[at].startswith("-"):
        if tokens[at] in ("-C", "--C"):
            folder = list(tokens[at : at + 2])
            at += 1
        at += 1
    word = tokens[at] if at < len(tokens) else ""
    if word == "test":
        return _tests(tokens, [*folder, *tokens[at + 1 :]])
    if word in _ROLES:
        return Classification(tokens, f"go {word}", _ROLES[word], None)
    return None


def _tests(tokens: "Sequence[str]", arguments: "Sequence[str]") -> Classification:
    found = Classification(tokens, "go test", "test", "driver")
    return _fill(found, arguments)


def _binary(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "go test", "test", "leaf")
    if any(arg.startswith("-test.fuzzworker") for arg in tokens):
        found.kind = "worker"
    return _fill(found, tokens[1:])


def _gotestsum(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "go test", "test", "driver")
    parsed = parse(tokens[1:], GOTESTSUM)
    rest, parsed.rest = parsed.rest or [], None
    own = fill(Classification(tokens, "", "", None), parsed, GOTESTSUM)
    _fill(found, rest)
    found.report, found.not_a_run = own.report, own.not_a_run or found.not_a_run
    found.selectors = own.selectors + found.selectors
    return found


def _fill(found: Classification, arguments: "Sequence[str]") -> Classification:
    found.matching = "package"
    before, _, _ = _cut(arguments)
    parsed = parse(before, OPTIONS)
    fill(found, parsed, OPTIONS)
    wide = [f"-run={value}" for value in _EVERYTHING]
    found.narrowing = tuple(item for item in found.narrowing if item not in wide)
    if parsed.value("-count") == "0":
        found.not_a_run = found.not_a_run or "-count=0"
    return found


def _cut(arguments: "Sequence[str]") -> "tuple[list[str], bool, list[str]]":
    """Part `arguments` at `-args`, behind which all belongs to the test binary."""
    for at, arg in enumerate(arguments):
        if arg in ("-args", "--args"):
            return list(arguments[:at]), True, list(arguments[at + 1 :])
    return list(arguments), False, []


def _read_environment(_name: str, value: str) -> "list[str]":
    found = _fill(Classification((), "", "", None), value.split())
    words = list(found.narrowing)
    words += [s for s in found.selectors if s.startswith("-")]
    return words + ([found.not_a_run] if found.not_a_run else [])


RUNNER = Runner(
    command_class="go test",
    kind="driver",
    programs=("go", "gotestsum", "*.test"),
    read=_read,
    environment=("GOFLAGS",),
    read_environment=_read_environment,
    test_files=("*_test.go",),
    harness=("*_test.go#TestMain", "go.work"),
)
