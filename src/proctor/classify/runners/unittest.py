"""unittest of Python's standard library, `python -m unittest`."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "--help": "-h",
        "--start-directory": "-s",
        "--pattern": "-p",
        "--top-level-directory": "-t",
    },
    valued=("-k", "-s", "-p", "-t", "--durations"),
    flags=(
        "-v",
        "--verbose",
        "-q",
        "--quiet",
        "--locals",
        "-f",
        "--failfast",
        "-c",
        "--catch",
        "-b",
        "--buffer",
    ),
    narrowing=("-k",),
    not_a_run=("-h",),
    selecting=("-p", "-t"),
)
_DEFAULT_PATTERN = "test*.py"


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "unittest", "test", "leaf")
    found.matching = "dotted"
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    words = parsed.positionals()
    if words[:1] != ["discover"]:
        return found
    # `discover [START [PATTERN [TOP]]]`, each also as an option.
    start = parsed.value("-s") or (words[1] if len(words) > 1 else None)
    pattern = parsed.value("-p") or (words[2] if len(words) > 2 else None)
    selectors = [] if start in (None, ".", "./") else [str(start)]
    if pattern not in (None, _DEFAULT_PATTERN):
        selectors.append(f"-p={pattern}")
    found.selectors = tuple(selectors)
    return found


RUNNER = Runner(
    command_class="unittest",
    kind="leaf",
    modules=("unittest", "unittest.main"),
    read=_read,
    test_files=("test*.py",),
    harness=("__init__.py~load_tests,_exit,SystemExit", "test*.py~load_tests"),
)
