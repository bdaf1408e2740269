"""dotnet test, which starts the test hosts; `dotnet vstest` on built assemblies."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.index import base_name
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_PLATFORM = (
    *("--filter-class", "--filter-method", "--filter-namespace", "--filter-trait"),
    *("--filter-query", "--filter-uid", "--treenode-filter"),
)
_PLATFORM_NOT = (
    *("--filter-not-class", "--filter-not-method", "--filter-not-namespace"),
    *("--filter-not-trait",),
)
OPTIONS = Options(
    aliases={
        "-a": "--arch",
        "-c": "--configuration",
        "-d": "--diag",
        "-e": "--environment",
        "-f": "--framework",
        "-l": "--logger",
        "-o": "--output",
        "-r": "--runtime",
        "-s": "--settings",
        "-t": "--list-tests",
        "-v": "--verbosity",
        "-h": "--help",
        "-?": "--help",
        "--ListTests": "--list-tests",
        "--TestCaseFilter": "--filter",
        "--Tests": "--filter",
        "--Logger": "--logger",
        "--Settings": "--settings",
    },
    valued=(
        *("--arch", "--configuration", "--diag", "--environment", "--framework", "--logger"),
        *("--output", "--runtime", "--settings", "--verbosity", "--filter", "--collect", "--os"),
        *("--test-adapter-path", "--results-directory", "--artifacts-path", "-p", "--property"),
        *("--blame-crash-dump-type", "--blame-hang-dump-type", "--blame-hang-timeout"),
        *(
            "--project",
            "--solution",
            "--test-modules",
            "--root-directory",
            "--max-parallel-test-modules",
        ),
        *("--minimum-expected-tests", "--ignore-exit-code", "--timeout", "--report-trx-filename"),
        *_PLATFORM,
        *_PLATFORM_NOT,
    ),
    flags=(
        *("--no-build", "--no-restore", "--nologo", "--blame", "--interactive", "-m", "-bl"),
        *("--blame-crash", "--blame-hang", "--report-trx", "--coverage", "--no-progress"),
    ),
    narrowing=("--filter", "--framework", "--test-modules", *_PLATFORM),
    excluding=_PLATFORM_NOT,
    allows_empty=("--ignore-exit-code",),
    not_a_run=("--list-tests", "--help", "--info"),
    selecting=("--settings", "--test-adapter-path"),
)
_ROLES = {
    **dict.fromkeys(("build", "publish", "pack", "msbuild", "clean"), "build"),
    **dict.fromkeys(("restore", "add", "tool", "workload"), "install"),
    "format": "lint",
}
_SOLUTIONS = (".sln", ".slnx", ".slnf", "proj")
_PROPERTIES = ("vstesttestcasefilter", "istestproject", "testtfmsinparallel")


def _read(tokens: "Sequence[str]") -> Classification | None:
    at, word = 1, tokens[1] if len(tokens) > 1 else ""
    if base_name(word).lower() in ("vstest.console.dll", "vstest.console.exe"):
        word = "vstest"
    if word in ("test", "vstest"):
        return _tests(tokens, at + 1)
    if word in _ROLES:
        return Classification(tokens, f"dotnet {word}", _ROLES[word], None)
    return None


def _tests(tokens: "Sequence[str]", start: int) -> Classification:
    found = Classification(tokens, "dotnet test", "test", "leaf")
    parsed = parse([_bound(arg) for arg in tokens[start:]], OPTIONS)
    rest, parsed.rest = parsed.rest or [], None
    fill(found, parsed, OPTIONS)
    inner = fill(Classification((), "", "", None), parse(rest, OPTIONS), OPTIONS)
    found.narrowing += inner.narrowing
    found.excluding += inner.excluding
    found.allows_empty += inner.allows_empty
    found.not_a_run = found.not_a_run or inner.not_a_run
    found.narrowing += tuple(f"-- {arg}" for arg in rest if "TestCaseFilter" in arg)
    named = [parsed.value(name) for name in ("--project", "--solution")]
    words = [*found.selectors, *(path for path in named if path)]
    found.selectors = tuple(place for word in words if (place := _place(word)) != ".")
    for name, value in parsed.items:
        _note(found, name, value or "", parsed.value("--results-directory") or "TestResults")
    return found


def _bound(arg: str) -> str:
    """Return `--logger:trx` and `/p:A=B` with the `=` that the tables expect."""
    if arg.startswith("/") and ":" in arg and "/" not in arg[1:].partition(":")[0]:
        arg = "-" + arg[1:]
    name, colon, value = arg.partition(":")
    return f"{name}={value}" if colon and name.startswith("-") and "=" not in name else arg


def _place(word: str) -> str:
    """Return the folder whose tests a project or solution file stands for."""
    if word.startswith("-") or not word.endswith(_SOLUTIONS):
        return word
    return word.rpartition("/")[0] or "."


def _note(found: Classification, name: str | None, value: str, results: str) -> None:
    if name in ("-p", "--property") and value.lower().startswith(_PROPERTIES):
        found.narrowing += (f"{name}={value}",)
    if name == "--logger":
        logger, _, rest = value.partition(";")
        for word in rest.split(";"):
            key, _, path = word.partition("=")
            kind = (logger.lower(), key.lower())
            if kind == ("junit", "logfilepath") and path and "{" not in path:
                found.report = ("junit", path)
            elif kind == ("trx", "logfilename") and path:
                found.report = ("trx", path if path.startswith("/") else f"{results}/{path}")


RUNNER = Runner(
    command_class="dotnet test",
    kind="leaf",
    programs=("dotnet",),
    read=_read,
    environment=("VSTEST_TESTCASEFILTER", "TESTINGPLATFORM_EXITCODE_IGNORE"),
    read_environment=lambda name, _value: [name],
    test_files=(
        *("*Test.cs", "*Tests.cs", "*Spec.cs", "*Specs.cs", "*Test.fs", "*Tests.fs"),
        *("*Test.vb", "*Tests.vb"),
    ),
    harness=(
        "*.runsettings",
        "*.testsettings",
        "xunit.runner.json",
        "testconfig.json",
        "global.json#test",
        "Directory.Build.props~est",
        "Directory.Build.targets~est",
    ),
)
