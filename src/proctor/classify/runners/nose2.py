"""nose2, the unittest runner with plugins."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "--start-dir": "-s",
        "--top-level-directory": "-t",
        "--project-directory": "-t",
        "--config": "-c",
        "--attribute": "-A",
        "--eval-attribute": "-E",
        "--junit-xml": "-X",
        "--processes": "-N",
        "--fail-fast": "-F",
        "--help": "-h",
        "--verbose": "-v",
        "--quiet": "-q",
    },
    valued=(
        *("-s", "-t", "-A", "-E", "-N", "--plugin", "--exclude-plugin", "--verbosity"),
        *("--log-level", "--coverage", "--coverage-report", "--coverage-config"),
        *("--junit-xml-path",),
    ),
    optional=("-c",),
    flags=(
        *("-v", "-q", "-X", "-F", "-B", "--output-buffer", "-C", "--with-coverage", "-D"),
        *("--debugger", "--log-capture", "--pretty-assert", "--no-user-config", "--layer-reporter"),
    ),
    narrowing=("-A", "-E"),
    not_a_run=("-h", "--collect-only"),
    selecting=("-t", "-c", "--no-plugins", "--exclude-plugin", "--plugin"),
    report={"--junit-xml-path": "junit"},
)
_HARMLESS_PLUGINS = frozenset(
    f"nose2.plugins.{name}" for name in ("junitxml", "mp", "coverage", "buffer", "prettyassert")
)


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "nose2", "test", "leaf")
    found.matching = "dotted"
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    selectors = [s for s in found.selectors if s.removeprefix("--plugin=") not in _HARMLESS_PLUGINS]
    start = parsed.value("-s")
    if start not in (None, ".", "./") and not parsed.positionals():
        selectors.insert(0, str(start))
    found.selectors = tuple(selectors)
    if parsed.has("-X") and found.report is None:
        found.report = ("junit", "nose2-junit.xml")
    return found


RUNNER = Runner(
    command_class="nose2",
    kind="leaf",
    programs=("nose2",),
    modules=("nose2",),
    read=_read,
    test_files=("test*.py",),
    harness=(
        "unittest.cfg#unittest",
        "nose2.cfg",
        "setup.cfg#unittest",
        "pyproject.toml#tool.nose2",
    ),
)
