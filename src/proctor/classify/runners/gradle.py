"""Gradle, its wrapper, and its test worker processes."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.names import role_of
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "--exclude-task": "-x",
        "--dry-run": "-m",
        "--project-dir": "-p",
        "--build-file": "-b",
        "--settings-file": "-c",
        "--init-script": "-I",
        "--help": "-h",
        "--version": "-v",
        "--project-prop": "-P",
        "--system-prop": "-D",
    },
    valued=(
        "-x",
        "-p",
        "-b",
        "-c",
        "-I",
        "-P",
        "-D",
        "-g",
        "--gradle-user-home",
        "--tests",
        "--max-workers",
        "--console",
        "--warning-mode",
        "--configuration-cache-problems",
        "--include-build",
        "--priority",
        "--project-cache-dir",
        "--write-verification-metadata",
    ),
    flags=(
        "-q",
        "-i",
        "-d",
        "-s",
        "-S",
        "-w",
        "-a",
        "-t",
        "--continue",
        "--offline",
        "--rerun-tasks",
        "--no-daemon",
        "--daemon",
        "--parallel",
        "--build-cache",
        "--no-build-cache",
        "--scan",
        "--stacktrace",
        "--info",
        "--debug",
        "--quiet",
        "--fail-fast",
        "--rerun",
        "--stop",
    ),
    narrowing=("--tests",),
    excluding=("-x",),
    not_a_run=("-m", "-h", "-v", "--stop", "--status", "--test-dry-run"),
    selecting=("-p", "-b", "-c", "-I", "-P"),
)


def _read(tokens: "Sequence[str]") -> Classification:
    if tokens[0] == "GradleWorkerMain":
        return Classification(tokens, "gradle", "test", "leaf")
    found = Classification(tokens, "gradle", "build", "driver")
    found.matching = "name"
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    for task in parsed.positionals():
        if role_of(task) == "test" or task.rpartition(":")[2] == "check":
            found.role = "test"
    return found


RUNNER = Runner(
    command_class="gradle",
    kind="driver",
    programs=("gradle", "gradlew", "GradleWrapperMain", "GradleWorkerMain"),
    read=_read,
    test_files=(
        "src/test/java/**/*.java",
        "src/test/kotlin/**/*.kt",
        "src/test/groovy/**/*.groovy",
    ),
    harness=(
        "build.gradle~test,Test,exclude,include,ignoreFailures,filter",
        "build.gradle.kts~test,Test,exclude,include,ignoreFailures,filter",
        "gradle.properties~test,Test",
    ),
)
