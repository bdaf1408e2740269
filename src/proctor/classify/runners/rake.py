"""rake: a task named test or spec starts tests."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.names import role_of_all
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "--describe": "-D",
        "--execute": "-e",
        "--execute-print": "-p",
        "--prereqs": "-P",
        "--tasks": "-T",
        "--where": "-W",
        "--dry-run": "-n",
        "--help": "-h",
        "-H": "-h",
        "--version": "-V",
        "--directory": "-C",
        "--rakefile": "-f",
        "--libdir": "-I",
        "--jobs": "-j",
        "--require": "-r",
        "--rakelibdir": "-R",
        "--execute-continue": "-E",
        "--quiet": "-q",
        "--silent": "-s",
        "--verbose": "-v",
        "--multitask": "-m",
        "--build-all": "-B",
    },
    valued=("-C", "-f", "-I", "-r", "-R", "-E", "-e", "-p", "--suppress-backtrace"),
    optional=("-j", "-D", "-T", "-W"),
    flags=(
        *("-q", "-s", "-v", "-m", "-B", "-A", "--all", "-g", "--system", "-G", "--no-system", "-N"),
        *("-t", "--trace", "--backtrace", "--rules", "-X", "--job-stats", "--comments"),
    ),
    not_a_run=("-n", "-T", "-D", "-P", "-W", "-e", "-p", "-h", "-V"),
    selecting=("-f", "-C", "-R"),
)
_NARROWING = ("TEST", "TESTOPTS", "TESTOPT", "TEST_OPTS", "SPEC", "SPEC_OPTS", "N", "NAME", "A")


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "rake", "other", "driver")
    found.matching = "name"
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    words = parsed.positionals()
    given = [word for word in words if "=" in word.partition("[")[0]]
    tasks = [word for word in words if word not in given]
    found.role = role_of_all(tasks, "other")
    found.selectors = tuple(s for s in found.selectors if s not in given)
    found.narrowing += tuple(word for word in given if word.partition("=")[0] in _NARROWING)
    return found


RUNNER = Runner(
    command_class="rake",
    kind="driver",
    programs=("rake",),
    read=_read,
    environment=("TEST", "TESTOPTS", "SPEC", "SPEC_OPTS"),
    read_environment=lambda name, _value: [name],
    harness=(
        "Rakefile~est,pec",
        "*.rake~est,pec",
    ),
)
