"""hatch test: starts pytest in environments of the project's."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, handed_on, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPTIONS = Options(
    aliases={
        "--help": "-h",
        "--all": "-a",
        "--include": "-i",
        "--exclude": "-x",
        "--show": "-s",
        "--cover": "-c",
        "--parallel": "-p",
        "--randomize": "-r",
    },
    valued=("--python", "-i", "-x", "--retries", "--retry-delay", "-k", "-m"),
    flags=("-a", "-c", "-p", "-r", "--cover-quiet"),
    narrowing=("-i", "-x", "--python", "-k", "-m"),
    not_a_run=("-h", "-s"),
)
_BEFORE = frozenset(("-e", "--env", "-p", "--project", "--data-dir", "--cache-dir", "--config"))
"""Options of hatch itself, before `test`, that take a value."""


def _read(tokens: "Sequence[str]") -> Classification | None:
    words = list(tokens[1:])
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in _BEFORE else words[1:]
    if words[:1] != ["test"]:
        return None
    found = Classification(tokens, "hatch test", "test", "driver")
    parsed = parse(["--python" if word == "-py" else word for word in words[1:]], OPTIONS)
    rest, parsed.rest = parsed.rest or [], None
    fill(found, parsed, OPTIONS)
    found.narrowing += handed_on(rest)
    return found


RUNNER = Runner(
    command_class="hatch test",
    kind="driver",
    programs=("hatch",),
    modules=("hatch",),
    read=_read,
    harness=("hatch.toml",),
)
