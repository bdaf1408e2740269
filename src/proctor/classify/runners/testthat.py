"""testthat: R expressions given to Rscript, and the `tests/testthat.R` of a package."""

from proctor.classify.base import Classification, Runner
from proctor.classify.index import base_name
from proctor.classify.options import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_WHOLE = ("test_local", "test_dir", "test_check", "test_package", "test_file")
_UNCHECKED = ("devtools::test", "test_file")
"""Calls that return as if all were well after a failure, unless told otherwise."""


def _read(tokens: "Sequence[str]") -> Classification | None:
    script = None
    code: list[str] = []
    words = list(tokens[1:])
    while words:
        word = words.pop(0)
        if word in ("-e", "--eval") and words:
            code.append(words.pop(0).replace("~+~", " "))
        elif word.startswith("--file="):
            script = word[len("--file=") :]
        elif not word.startswith("-") and script is None and not code:
            script = word
    if script is not None and base_name(script).lower() == "testthat.r":
        return Classification(tokens, "testthat", "test", "leaf")
    return _expression(tokens, ";".join(code))


def _expression(tokens: "Sequence[str]", code: str) -> Classification | None:
    plain = code.replace(" ", "")
    call = next((name for name in _WHOLE if f"{name}(" in plain), None)
    if call is None and "devtools::test(" in plain:
        call = "devtools::test"
    if call is None:
        return None
    found = Classification(tokens, "testthat", "test", "leaf")
    arguments = plain.partition(f"{call}(")[2]
    if call in ("test_file", "test_dir"):
        path = split_words(arguments.partition(",")[0].partition(")")[0].removeprefix("path="))
        found.selectors = tuple(path[:1])
    if "filter=" in arguments:
        found.narrowing += ("filter",)
    stops = "stop_on_failure=TRUE" in arguments or "stop_on_failure=T)" in arguments
    if "stop_on_failure=F" in arguments or (call in _UNCHECKED and not stops):
        found.narrowing += ("stop_on_failure=FALSE",)
    if "file=" in arguments and "JunitReporter" in arguments:
        file = split_words(arguments.partition("file=")[2].partition(")")[0].partition(",")[0])
        found.report = ("junit", file[0]) if file else None
    return found


RUNNER = Runner(
    command_class="testthat",
    kind="leaf",
    programs=("Rscript", "R"),
    read=_read,
    test_files=("tests/testthat/test*.R", "tests/testthat/test*.r"),
    harness=(
        "tests/testthat.R",
        "tests/testthat/setup*.R",
        "tests/testthat/helper*.R",
        "DESCRIPTION~testthat",
    ),
)
