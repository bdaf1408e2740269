"""just: a recipe named test starts tests."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.names import role_of
from proctor.classify.options import fill, handed_on, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={
        "--dry-run": "-n",
        "--list": "-l",
        "--show": "-s",
        "--justfile": "-f",
        "--working-directory": "-d",
        "--help": "-h",
        "--version": "-V",
    },
    valued=(
        "-f",
        "-d",
        "-s",
        "--shell",
        "--dump-format",
        "--color",
        "--dotenv-path",
        "-E",
        "--dotenv-filename",
        "--set-name",
        "--chooser",
        "--list-heading",
        "--list-prefix",
    ),
    flags=("-q", "-v", "--quiet", "--verbose", "-u", "--unsorted", "--unstable", "--yes"),
    not_a_run=(
        "-n",
        "-l",
        "-s",
        "-h",
        "-V",
        "--summary",
        "--evaluate",
        "--dump",
        "--fmt",
        "--init",
        "--choose",
        "--variables",
        "--groups",
    ),
    selecting=("-f", "-d", "--shell"),
)


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "just", "other", "driver")
    found.matching = "name"
    parsed = parse(tokens[1:], OPTIONS)
    fill(found, parsed, OPTIONS)
    words = parsed.positionals()
    recipes = [word for word in words if "=" not in word]
    if recipes:
        # What follows the first recipe is its argument, or another recipe.
        found.role = role_of(recipes[0]) or "other"
        later = [word for word in recipes[1:] if role_of(word) == "test"]
        if later:
            found.role = "test"
        else:
            found.narrowing = handed_on(recipes[1:])
    return found


RUNNER = Runner(
    command_class="just",
    kind="driver",
    programs=("just",),
    read=_read,
    harness=(
        "justfile#rules!",
        "Justfile#rules!",
        ".justfile#rules!",
    ),
)
