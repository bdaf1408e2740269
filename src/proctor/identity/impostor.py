"""Whether the program of a test leaf is the runner that its name says.

Judged by what it *is*, by its installation's own record, never by its place: in-project
environments, shims and wrappers are honest.
"""

import os
from collections.abc import Sequence

from proctor.identity.identify import DISTRIBUTIONS
from proctor.records.span import Runner

_INTERPRETERS = ("python", "pypy", "node", "bun", "deno", "ruby", "php", "perl")
_LISTED = 3


def impostor(
    command_class: str, argv: Sequence[str], exe: str | None, runner: Runner | None
) -> str | None:
    """Return why a program is not the runner of this class; none where nothing says so."""
    if exe is not None and not _is_plausible(command_class, argv, exe):
        return f"the program is {exe}"
    if runner is None:
        return None
    expected = DISTRIBUTIONS.get(command_class)
    if expected and runner.path and _normal(runner.distribution) not in expected:
        owner = runner.distribution or "no installed distribution"
        return f"{runner.path} belongs to {owner}"
    if runner.record_ok is False:
        files = runner.altered or ("?",)
        rest = f" and {len(files) - _LISTED} more" if len(files) > _LISTED else ""
        return f"files differ from what was installed: {', '.join(files[:_LISTED])}{rest}"
    return None


def _is_plausible(command_class: str, argv: Sequence[str], exe: str) -> bool:
    """Return whether the executable is an interpreter, or bears the name it was called by.

    One program of a family may stand for another: `swift-test` is `swift-package`.
    """
    base = os.path.basename(exe)
    if base.startswith(_INTERPRETERS):
        return True
    if command_class == "pytest":
        return False
    if not argv or base == os.path.basename(argv[0]):
        return True
    return base.startswith(command_class.split(maxsplit=1)[0])


def _normal(name: str | None) -> str:
    return (name or "").lower().replace("_", "-")
