"""Versions of interpreters and compilers, as they tell them themselves.

Asked only where a receipt is wanted, after the run: each program is started once.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable

TIMEOUT_S = 5.0
_ASKED: dict[str, tuple[str, ...]] = {
    "bun": ("--version",),
    "cargo": ("--version",),
    "deno": ("--version",),
    "dotnet": ("--version",),
    "go": ("version",),
    "java": ("-version",),
    "mix": ("--version",),
    "node": ("--version",),
    "perl": ("-e", "print $^V"),
    "php": ("--version",),
    "pypy": ("--version",),
    "python": ("--version",),
    "ruby": ("--version",),
    "swift": ("--version",),
}
"""Interpreter or compiler → the arguments that make it tell its version."""
_VERSION = re.compile(r"\d+(?:\.\d+)+\S*")


def toolchain_of(programs: Iterable[str]) -> dict[str, str]:
    """Return name → version of those of `programs` that are interpreters or compilers.

    A program that gives no answer is left out. The answer is the program's own word.
    """
    found: dict[str, str] = {}
    for program in programs:
        path = shutil.which(program)
        name = family_of(path or program)
        if path is not None and name is not None and name not in found:
            version = _asked(path, _ASKED[name])
            if version is not None:
                found[name] = version
    return found


def family_of(path: str) -> str | None:
    """Return which of the known programs an executable is, by its name."""
    name = re.match(r"[A-Za-z]+", os.path.basename(path))
    return name[0] if name and name[0] in _ASKED else None


def _asked(path: str, words: tuple[str, ...]) -> str | None:
    try:
        done = subprocess.run(
            [path, *words],
            capture_output=True,
            check=False,
            timeout=TIMEOUT_S,
            stdin=subprocess.DEVNULL,
            env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "HOME": "/nonexistent"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    version = _VERSION.search((done.stdout + done.stderr).decode("utf-8", "replace"))
    return version[0].strip(",;") if version else None
