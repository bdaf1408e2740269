"""task (go-task): a task named test starts tests."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.names import role_of_all
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={
        "-t": "--taskfile",
        "-d": "--dir",
        "-o": "--output",
        "-C": "--concurrency",
        "-I": "--interval",
        "-n": "--dry",
        "-l": "--list",
        "-a": "--list-all",
        "-i": "--init",
        "-f": "--force",
        "-g": "--global",
        "-w": "--watch",
        "-y": "--yes",
        "-h": "--help",
        "-s": "--silent",
        "-v": "--verbose",
        "-p": "--parallel",
        "-x": "--exit-code",
        "-c": "--color",
    },
    valued=(
        *("--taskfile", "--dir", "--output", "--concurrency", "--interval", "--sort"),
        *("--output-group-begin", "--output-group-end", "--timeout", "--remote-cache-dir"),
    ),
    flags=("--force", "--silent", "--verbose", "--parallel", "--exit-code", "--color", "--yes"),
    not_a_run=(
        *("--dry", "--list", "--list-all", "--summary", "--status", "--init", "--help"),
        *("--version", "--completion"),
    ),
    selecting=("--taskfile", "--dir", "--global"),
)


def _read(tokens: "Sequence[str]") -> Classification:
    found = Classification(tokens, "task", "other", "driver")
    found.matching = "name"
    parsed = parse(tokens[1:], OPTIONS)
    rest, parsed.rest = parsed.rest or [], None
    fill(found, parsed, OPTIONS)
    tasks = [word for word in parsed.positionals() if "=" not in word]
    found.role = role_of_all(tasks, "other")
    found.narrowing += tuple(f"-- {arg}" for arg in rest)
    found.narrowing += tuple(word for word in parsed.positionals() if "=" in word)
    found.selectors = tuple(s for s in found.selectors if s.startswith("-") or s in tasks)
    return found


RUNNER = Runner(
    command_class="task",
    kind="driver",
    programs=("task", "go-task"),
    read=_read,
    harness=(
        "Taskfile.yml",
        "Taskfile.yaml",
        "taskfile.yml",
        "taskfile.yaml",
        "Taskfile.dist.yml",
    ),
)
