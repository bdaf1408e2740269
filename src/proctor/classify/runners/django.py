"""Django's test command: `manage.py test`, `python -m django test`, its own `runtests.py`."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.index import base_name
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    style="abbreviated",
    aliases={
        "--help": "-h",
        "--pattern": "-p",
        "--top-level-directory": "-t",
        "--tag": "--tag",
        "--verbosity": "-v",
        "--noinput": "--no-input",
    },
    valued=(
        *("-v", "--settings", "--pythonpath", "-t", "-p", "--tag", "--exclude-tag", "-k"),
        *("--testrunner", "--durations", "--start-at", "--start-after", "--bisect", "--pair"),
        *("--using", "--liveserver"),
    ),
    optional=("--parallel", "--shuffle"),
    flags=(
        *("--traceback", "--no-color", "--force-color", "--no-input", "--failfast", "-r"),
        *("--reverse", "--debug-mode", "-d", "--debug-sql", "--pdb", "-b", "--buffer", "--keepdb"),
        *("--no-faulthandler", "--timing", "--enable-faulthandler", "--gis", "-n", "--selenium"),
        *("--headless", "--screenshots", "--no-logging"),
    ),
    narrowing=("-k", "--tag", "--start-at", "--start-after", "--bisect", "--pair"),
    excluding=("--exclude-tag",),
    not_a_run=("-h", "--version"),
    selecting=("-p", "-t", "--testrunner"),
)


def _read(tokens: "Sequence[str]") -> Classification | None:
    at = 1
    if base_name(tokens[0]) != "runtests.py":
        while at < len(tokens) and tokens[at].startswith("-"):
            at += 2 if tokens[at] in OPTIONS.valued else 1
        if at >= len(tokens) or tokens[at] != "test":
            return None
        at += 1
    found = Classification(tokens, "django test", "test", "leaf")
    found.matching = "dotted"
    fill(found, parse(tokens[at:], OPTIONS), OPTIONS)
    return found


RUNNER = Runner(
    command_class="django test",
    kind="leaf",
    programs=("manage.py", "django-admin", "runtests.py"),
    modules=("django",),
    read=_read,
    test_files=("test*.py",),
)
