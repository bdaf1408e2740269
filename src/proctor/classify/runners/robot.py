"""Robot Framework, and pabot, which runs its suites side by side."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_VALUED = (
    *("--language", "--extension", "--parseinclude", "--name", "--doc", "--metadata", "--settag"),
    *("--test", "--suite", "--include", "--exclude", "--rerunfailed", "--rerunfailedsuites"),
    *("--skip", "--skiponfailure", "--variable", "--variablefile", "--outputdir", "--output"),
    *("--log", "--report", "--xunit", "--debugfile", "--logtitle", "--reporttitle"),
    *("--reportbackground", "--maxerrorlines", "--maxassignlength", "--loglevel"),
    *("--suitestatlevel", "--tagstatinclude", "--tagstatexclude", "--tagstatcombine", "--tagdoc"),
    *("--tagstatlink", "--expandkeywords", "--removekeywords", "--flattenkeywords"),
    *("--randomize", "--listener", "--prerunmodifier", "--prerebotmodifier", "--parser"),
    *("--console", "--consolewidth", "--consolecolors", "--consolelinks", "--consolemarkers"),
    *("--pythonpath", "--argumentfile", "--processes", "--pabotlibhost", "--pabotlibport"),
    *("--processtimeout", "--shard", "--artifacts", "--resourcefile", "--suitesfrom"),
    *("--ordering", "--pabotprerunmodifier", "--pabotconsole", "--processtimeout"),
)
_SHORT = {
    "-F": "--extension",
    "-I": "--parseinclude",
    "-N": "--name",
    "-D": "--doc",
    "-M": "--metadata",
    "-G": "--settag",
    "-t": "--test",
    "--task": "--test",
    "-s": "--suite",
    "-i": "--include",
    "-e": "--exclude",
    "-R": "--rerunfailed",
    "-S": "--rerunfailedsuites",
    "-v": "--variable",
    "-V": "--variablefile",
    "-d": "--outputdir",
    "-o": "--output",
    "-l": "--log",
    "-r": "--report",
    "-x": "--xunit",
    "-b": "--debugfile",
    "-T": "--timestampoutputs",
    "-L": "--loglevel",
    "-X": "--exitonfailure",
    "-.": "--dotted",
    "-W": "--consolewidth",
    "-K": "--consolemarkers",
    "-C": "--consolecolors",
    "-P": "--pythonpath",
    "-A": "--argumentfile",
    "-h": "--help",
    "-?": "--help",
}
OPTIONS = Options(
    style="abbreviated",
    aliases=_SHORT,
    valued=_VALUED,
    flags=(
        *("--rpa", "--timestampoutputs", "--splitlog", "--legacyoutput", "--exitonfailure"),
        *("--exitonerror", "--skipteardownonexit", "--dotted", "--quiet", "--verbose"),
        *("--testlevelsplit", "--chunk", "--norebot", "--nopabotlib", "--artifactsinsubfolders"),
    ),
    narrowing=(
        *("--test", "--suite", "--include", "--rerunfailed", "--rerunfailedsuites", "--shard"),
        *("--skiponfailure", "--nostatusrc", "--parseinclude", "--suitesfrom"),
    ),
    excluding=("--exclude", "--skip"),
    allows_empty=("--runemptysuite",),
    not_a_run=("--dryrun", "--help", "--version"),
    selecting=(
        *("--argumentfile", "--extension", "--prerunmodifier", "--pabotprerunmodifier"),
        *("--parser", "--resourcefile", "--ordering"),
    ),
)


def _read(tokens: "Sequence[str]") -> Classification:
    arguments = list(tokens[1:])
    if "--end-command" in arguments:
        arguments = arguments[arguments.index("--end-command") + 1 :]
    found = Classification(tokens, "robot", "test", "leaf")
    parsed = parse([_plain(arg) for arg in arguments], OPTIONS)
    fill(found, parsed, OPTIONS)
    report = parsed.value("--xunit")
    if report and report.upper() != "NONE":
        folder = parsed.value("--outputdir")
        found.report = ("junit", f"{folder}/{report}" if folder and report[0] != "/" else report)
    return found


def _plain(arg: str) -> str:
    """Return a long option as the tables spell it: case and inner hyphens do not count."""
    name, bound, value = arg.partition("=")
    if not name.startswith("--") or len(name) < 4:
        return arg
    return f"--{name[2:].replace('-', '').lower()}{bound}{value}"


def _read_environment(_name: str, value: str) -> "list[str]":
    found = _read(["robot", *value.split()])
    return [*found.narrowing, *([found.not_a_run] if found.not_a_run else [])]


RUNNER = Runner(
    command_class="robot",
    kind="leaf",
    programs=("robot", "pabot"),
    modules=("robot", "robot.run", "pabot.pabot"),
    read=_read,
    environment=("ROBOT_OPTIONS",),
    read_environment=_read_environment,
    test_files=("*.robot",),
    harness=(
        "robot.toml",
        "pyproject.toml#tool.robot",
        "__init__.robot",
    ),
)
