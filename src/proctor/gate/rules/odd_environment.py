"""A variable or flag that changes what an interpreter runs was set for a test run.

Proves that it was there when the runner started. Does not prove that it changed a
result. Where Python ran with its asserts off, nothing shows that they would hold.
What cargo, nyc and stdbuf set for the tests below them is passed over.

Likely cause: a wrapper or a shell profile sets `LD_PRELOAD` or `PYTHONOPTIMIZE`.

Next: run without it: `env -u NAME proctor run -- pytest`.
"""

import os
from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.attempts import Part
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.words import rerun_part, shown
from proctor.identity.odd import PLACES, asserts_off, reads

_SETS = {"cargo": "LD_LIBRARY_PATH", "nyc": "NODE_OPTIONS", "stdbuf": "LD_PRELOAD"}
"""Program → the variable that it sets for whatever it starts."""
_NATIVE = frozenset(("stdbuf",))
"""Those that are no script: another program under their name sets what it likes."""


def _check(case: Case) -> Iterator[Hit]:
    for decision, part in case.leaves():
        item = decision.item.name if decision.item else None
        span = part.span
        off = asserts_off(span.exe, span.argv, span.odd_env)
        if off:
            yield Hit(
                message=f"{shown(part.span.argv)} ran with Python's asserts off ({off})",
                cure=f"env -u PYTHONOPTIMIZE {rerun_part(part)}, without -O",
                span=part.span,
                requirement=item,
                level=Level.UNPROVEN,
            )
        names = tuple(
            name
            for name in span.odd_env
            if name != off and reads(span.exe, span.argv, name) and not _is_set_by_tool(name, part)
        )
        if names:
            yield _set(part, names, item)


def _set(part: Part, names: tuple[str, ...], item: str | None) -> Hit:
    telling = [name for name in names if name not in PLACES]
    unset = " ".join(f"-u {name}" for name in telling or names)
    return Hit(
        message=f"{shown(part.span.argv)} ran with {', '.join(telling or names)} set",
        cure=f"if it is not meant: env {unset} {rerun_part(part)}",
        span=part.span,
        requirement=item,
        level=Level.WARNING if telling else Level.NOTE,
    )


def _is_set_by_tool(name: str, part: Part) -> bool:
    """Return whether a tool above sets the variable, and the run began without it."""
    if not part.above or name in part.above[-1].odd_env:
        return False
    words = {_name((word,)) for span in part.above for word in span.argv[:2]}
    words -= _NATIVE - {_name((span.exe,)) for span in part.above if span.exe}
    return any(tool in words for tool, variable in _SETS.items() if variable == name)


def _name(words: tuple[str, ...]) -> str:
    return os.path.basename(words[0]) if words else ""


RULE = Rule(level=Level.WARNING, check=_check)
