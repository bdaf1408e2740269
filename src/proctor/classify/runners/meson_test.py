"""meson test: it starts the test programs, and writes a JUnit log each time."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "-t": "--timeout-multiplier",
        "-h": "--help",
        "-v": "--verbose",
        "-j": "--num-processes",
    },
    valued=(
        *("--maxfail", "--repeat", "--gdb-path", "--wrapper", "-C", "--suite", "--no-suite"),
        *("--logbase", "--num-processes", "--timeout-multiplier", "--setup", "--test-args"),
        *("--max-lines", "--slice"),
    ),
    flags=(
        *("--no-rebuild", "--gdb", "--no-stdsplit", "--print-errorlogs", "--verbose", "--quiet"),
        *("-q", "--interactive", "-i"),
    ),
    narrowing=("--suite", "--slice", "--test-args", "--benchmark"),
    excluding=("--no-suite",),
    not_a_run=("--list", "--help"),
    selecting=("--setup", "--wrapper"),
)


def _read(tokens: "Sequence[str]") -> Classification | None:
    if len(tokens) < 2 or tokens[1] != "test":
        return None
    found = Classification(tokens, "meson test", "test", "leaf")
    found.matching = "name"
    parsed = parse(tokens[2:], OPTIONS)
    fill(found, parsed, OPTIONS)
    # Names of tests leave out all the others; the folder of the build does not.
    found.narrowing += tuple(f"test={name}" for name in parsed.positionals())
    base = parsed.value("--logbase") or "testlog"
    setup = parsed.value("--setup")
    if setup:
        base += "-" + setup.replace(":", "_")
    folder = parsed.value("-C")
    path = f"meson-logs/{base}.junit.xml"
    found.report = ("junit", f"{folder}/{path}" if folder else path)
    return found


RUNNER = Runner(
    command_class="meson test",
    kind="leaf",
    programs=("meson",),
    read=_read,
    # Every run that executes a test leaves this; a source file says nothing.
    test_files=("meson-logs/testlog.junit.xml",),
    harness=("meson.build~test(,add_test_setup,benchmark(",),
)
