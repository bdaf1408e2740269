"""sbt: its commands, in the JVM that runs them."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="single",
    aliases={"-help": "-h", "-V": "-version"},
    valued=(
        *("-mem", "-java-home", "-sbt-version", "-sbt-boot", "-sbt-dir", "-sbt-jar", "-sbt-cache"),
        *("-ivy", "-jvm-debug", "-scala-version", "-sbt-create"),
    ),
    flags=(
        *("-batch", "-no-colors", "-color", "-v", "-verbose", "-d", "-debug", "-no-server"),
        *("-no-share", "-no-global", "-supershell", "-timings", "-error", "-warn", "-info"),
    ),
    not_a_run=("-h", "-version", "-script-version"),
)
_TESTS = frozenset(("test", "testOnly", "testQuick", "testFull", "testSelected"))


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "sbt", "build", "driver")
    found.matching = "name"
    parsed = parse(tokens[1:], OPTIONS)
    words = parsed.positionals()
    parsed.items = [item for item in parsed.items if item[0] is not None]
    fill(found, parsed, OPTIONS)
    commands = [part.strip() for word in words for part in word.split(";") if part.strip()]
    found.selectors = tuple(commands)
    for command in commands:
        _note(found, command)
    if found.role == "test":
        found.kind = "leaf"
    if parsed.has("-client") or tokens[0].rpartition("/")[2].startswith("sbtn"):
        found.remote = "the sbt server"
    return found


def _note(found: Classification, command: str) -> None:
    """Note what one command does: `core/Test/testOnly a.B`, `set …`, `+test`."""
    task, _, rest = command.partition(" ")
    name = task.rpartition("/")[2].rpartition(":")[2].lstrip("+~")
    if name in _TESTS:
        found.role = "test"
    if name in ("testQuick", "testOnly", "testSelected"):
        found.narrowing += (f"{name}={rest}" if rest else name,)
    elif name == "set" and "test" in rest.lower():
        found.narrowing += (f"set={rest}",)


RUNNER = Runner(
    command_class="sbt",
    kind="leaf",
    programs=("sbt", "sbtn", "sbt-launch", "sbtx"),
    read=_read,
    test_files=("src/test/scala/**/*.scala", "src/test/java/**/*.java", "test/**/*.scala"),
    harness=(
        "build.sbt~est",
        "project/*.sbt~est",
        "project/*.scala~est",
    ),
)
