"""Maven, its wrapper, and the processes in which surefire and failsafe execute tests."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.index import base_name
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={
        "--projects": "-pl",
        "--resume-from": "-rf",
        "--fail-never": "-fn",
        "--file": "-f",
        "--activate-profiles": "-P",
        "--help": "-h",
        "--version": "-v",
        "--settings": "-s",
        "--threads": "-T",
        "--define": "-D",
    },
    valued=(
        "-pl",
        "-rf",
        "-f",
        "-P",
        "-s",
        "-T",
        "-D",
        "-gs",
        "-t",
        "-l",
        "--log-file",
        "-b",
        "-emp",
    ),
    flags=(
        "-B",
        "-q",
        "-X",
        "-e",
        "-o",
        "-U",
        "-am",
        "-amd",
        "-fae",
        "-ff",
        "-N",
        "-nsu",
        "-ntp",
        "--batch-mode",
        "--quiet",
        "--offline",
        "--no-transfer-progress",
        "--also-make",
    ),
    narrowing=("-pl", "-rf", "-fn", "-N"),
    not_a_run=("-h", "-v"),
    selecting=("-f", "-P"),
)
_NARROWING = (
    "test",
    "it.test",
    "groups",
    "excludedGroups",
    "surefire.excludes",
    "surefire.includes",
)
_MASKING = ("maven.test.failure.ignore", "testFailureIgnore", "maven.test.error.ignore")
_SKIPPING = ("skipTests", "maven.test.skip", "skipITs", "maven.test.skip.exec", "surefire.skip")
_EMPTY = ("failIfNoTests", "surefire.failIfNoSpecifiedTests", "failIfNoSpecifiedTests")
_TESTS = frozenset(
    ("test", "verify", "integration-test", "surefire:test", "failsafe:integration-test")
)


def _read(tokens: "Sequence[str]") -> Classification:
    name = base_name(tokens[0])
    if name.startswith("surefirebooter"):
        return Classification(tokens, "mvn", "test", "leaf")
    found = Classification(tokens, "mvn", "build", "driver")
    found.matching = "name"
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    goals = parsed.positionals()
    if _TESTS & set(goals):
        found.role = "test"
    for option, value in parsed.items:
        if option == "-D":
            _define(found, value or "")
    return found


def _define(found: Classification, text: str) -> None:
    name, _, value = text.partition("=")
    entry = f"-D{text}"
    if name in _SKIPPING and value != "false":
        found.not_a_run = found.not_a_run or f"-D{name}"
    elif name in _NARROWING or (name in _MASKING and value != "false"):
        found.narrowing += (entry,)
    elif name in _EMPTY and value == "false":
        found.narrowing += (entry,)
        found.allows_empty += (entry,)


def _read_environment(_name: str, value: str) -> "list[str]":
    found = _read(["mvn", *value.split()])
    return [*found.narrowing, *([found.not_a_run] if found.not_a_run else [])]


RUNNER = Runner(
    command_class="mvn",
    kind="driver",
    programs=("mvn", "mvnw", "mvnd", "surefirebooter"),
    read=_read,
    environment=("MAVEN_ARGS", "MAVEN_OPTS"),
    read_environment=_read_environment,
    test_files=("src/test/java/**/*.java", "src/test/kotlin/**/*.kt"),
    harness=(
        "pom.xml~surefire,failsafe,skip,testFailureIgnore,maven.test,exclude,include,groups",
        ".mvn/maven.config",
        ".mvn/jvm.config~test",
    ),
)
