"""How commands and files are named in findings, and what to type instead."""

import shlex
from collections.abc import Sequence

from proctor.classify.typed import typed
from proctor.gate.attempts import Attempt, Part, is_shell
from proctor.gate.evidence import Base

TYPE_CHECKING = False
if TYPE_CHECKING:
    from proctor.requirements import Selection

LONGEST = 160
"""Characters of a command in a message; a cure is never cut."""


def shown(argv: Sequence[str]) -> str:
    """Return a command as one would type it, cut where it is long.

    An interpreter before an installed script is left out: `python …/bin/pytest`
    is `pytest` to the person who typed it.
    """
    text = shlex.join(typed(argv)) if argv else "(no argv)"
    return f"`{text}`" if len(text) <= LONGEST else f"`{text[: LONGEST - 1]}…`"


def rerun(attempt: Attempt) -> str:
    """Return the command that runs an attempt again under Proctor."""
    return rerun_part(attempt.first)


def rerun_part(part: Part) -> str:
    """Return the command that runs a part alone under Proctor."""
    argv = part.span.argv if part.status == "own" and not is_shell(part.span) else part.what.argv
    return command(argv or part.what.argv, part.selection.where)


def since(base: Base | None) -> str:
    """Return the words that name the base on a command line."""
    return shlex.join(("--base", base.name if base is not None else "origin/main"))


def command(argv: Sequence[str], where: str = "") -> str:
    """Return the command that runs `argv` in the folder `where` under Proctor."""
    words = typed(argv, keep_path=True)
    move = f"cd {shlex.quote(where)} && " if where and not where.startswith("..") else ""
    return f"{move}proctor run -- {shlex.join(words)}"


def placed(selection: "Selection") -> str:
    """Return the command of a selection as one would type it, and its folder below the root."""
    where = f" in {selection.where}" if selection.where else ""
    return f"{shown(selection.what.argv)}{where}"


def listed(paths: Sequence[str], limit: int = 3) -> str:
    """Return the first few paths and how many more there are."""
    named = ", ".join(paths[:limit])
    return named if len(paths) <= limit else f"{named} and {len(paths) - limit} more"


def counted(count: int) -> str:
    """Return a number of tests in words."""
    return "1 test" if count == 1 else f"{count:,} tests"
