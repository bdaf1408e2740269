"""ctest: it starts the test programs, and writes down how each of them ended."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={
        "--build-config": "-C",
        "--parallel": "-j",
        "--tests-regex": "-R",
        "--exclude-regex": "-E",
        "--label-regex": "-L",
        "--label-exclude": "-LE",
        "--fixture-exclude-any": "-FA",
        "--fixture-exclude-setup": "-FS",
        "--fixture-exclude-cleanup": "-FC",
        "--tests-information": "-I",
        "--union": "-U",
        "--show-only": "-N",
        "--dashboard": "-D",
        "--test-model": "-M",
        "--test-action": "-T",
        "--script": "-S",
        "--script-new-process": "-SP",
        "--add-notes": "-A",
        "--output-log": "-O",
        "--quiet": "-Q",
        "--verbose": "-V",
        "--extra-verbose": "-VV",
        "-help": "--help",
        "-h": "--help",
        "-H": "--help",
        "-version": "--version",
    },
    valued=(
        *("-C", "-R", "-E", "-L", "-LE", "-FA", "-FS", "-FC", "-I", "-D", "-M", "-T", "-S", "-SP"),
        *("-A", "-O", "--preset", "--group", "--test-output-size-passed", "--resource-spec-file"),
        *("--test-output-size-failed", "--test-output-truncation", "--output-junit", "--test-dir"),
        *("--repeat", "--repeat-until-fail", "--max-width", "--interactive-debug-mode"),
        *("--test-load", "--extra-submit", "--submit-index", "--timeout", "--stop-time"),
        *("--tests-from-file", "--exclude-from-file", "--build-target", "--build-generator"),
    ),
    optional=("-j",),
    flags=(
        *("-F", "-Q", "-V", "-VV", "--progress", "--debug", "--output-on-failure", "--overwrite"),
        *("--stop-on-failure", "--schedule-random", "--no-label-summary", "--no-compress-output"),
        *("--no-subproject-summary", "--force-new-ctest-process", "--tomorrow-tag"),
    ),
    narrowing=("-R", "-L", "-I", "-U", "--rerun-failed", "--tests-from-file"),
    excluding=("-E", "-LE", "-FA", "-FS", "-FC", "--exclude-from-file"),
    not_a_run=("-N", "--list-presets", "--print-labels", "--help", "--version", "--help-full"),
    selecting=("-S", "-SP"),
    report={"--output-junit": "junit"},
)
_LOG = "Testing/Temporary/LastTest.log"


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "ctest", "test", "leaf")
    found.matching = "name"
    parsed = parse(tokens[1:], OPTIONS)
    parsed.items = [item for item in parsed.items if item[0] is not None]
    fill(found, parsed, OPTIONS)
    if parsed.has("--build-and-test"):
        found.role, found.kind = "build", None
    folder = parsed.value("--test-dir")
    # Neither leaves tests out by itself: another folder, or preset, has other tests.
    names = [folder, f"preset {parsed.value('--preset')}" if parsed.has("--preset") else None]
    found.selectors += tuple(name for name in names if name)
    kind, path = found.report or ("ctest", _LOG)
    found.report = (kind, f"{folder}/{path}" if folder and path[:1] != "/" else path)
    return found


RUNNER = Runner(
    command_class="ctest",
    kind="leaf",
    programs=("ctest",),
    read=_read,
    environment=("GTEST_FILTER", "GTEST_TOTAL_SHARDS", "CTEST_NO_TESTS_ACTION"),
    read_environment=lambda name, value: [name] if value not in ("*", "error") else [],
    test_files=("CMakeLists.txt", "CTestTestfile.cmake"),
    harness=(
        "CTestCustom.cmake",
        "CTestConfig.cmake",
        "CMakePresets.json#testPresets",
        "CMakeLists.txt~add_test,_tests_properties,gtest_discover_tests,enable_testing,include(CTest)",
    ),
)
