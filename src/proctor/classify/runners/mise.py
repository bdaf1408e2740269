"""mise: a task named test starts tests."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.names import role_of, role_of_all
from proctor.classify.options import fill, handed_on, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={"--cd": "-C", "--dry-run": "-n", "--help": "-h", "--jobs": "-j", "--tool": "-t"},
    valued=("-C", "-j", "-t", "-E", "--env", "--output", "-o", "-s", "--shell", "--timeout"),
    flags=("-f", "--force", "-q", "-S", "-r", "--raw", "--silent", "--quiet", "--timings", "-y"),
    narrowing=("--skip-deps",),
    not_a_run=("-n", "-h", "--version", "-V"),
    selecting=("-C", "-s"),
)
_OTHERS = {"install": "install", "i": "install", "use": "install", "upgrade": "install"}


def _read(tokens: "Sequence[str]") -> Classification | None:
    parsed = parse(tokens[1:], OPTIONS)
    words = parsed.positionals()
    word = words[0] if words else ""
    if word in _OTHERS:
        return Classification(tokens, f"mise {word}", _OTHERS[word], None)
    tasks = words[1:] if word in ("run", "r") else words if role_of(word) else []
    if not tasks:
        return None
    found = Classification(tokens, "mise", "other", "driver")
    found.matching = "name"
    rest, parsed.rest = parsed.rest or [], None
    fill(found, parsed, OPTIONS)
    names, arguments = _tasks(tasks)
    found.selectors = (*names, *(s for s in found.selectors if s.startswith("-")))
    found.narrowing += handed_on([*arguments, *rest])
    found.role = role_of_all(names, "other")
    return found


def _tasks(words: "Sequence[str]") -> "tuple[list[str], list[str]]":
    """Part `a x ::: b` into the tasks `a`, `b` and their arguments."""
    names, arguments, begins = [], [], True
    for word in words:
        if word == ":::":
            begins = True
        elif begins:
            names.append(word)
            begins = False
        else:
            arguments.append(word)
    return names, arguments


RUNNER = Runner(
    command_class="mise",
    kind="driver",
    programs=("mise",),
    read=_read,
    harness=(
        "mise.toml#tasks!",
        ".mise.toml#tasks!",
    ),
)
