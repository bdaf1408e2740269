"""Which variables and flags of a test run's environment reach what ran."""

import os
from collections.abc import Sequence

PLACES = frozenset(("LD_LIBRARY_PATH", "NODE_PATH", "PYTHONPATH", "PYTHONSTARTUP"))
"""Where code is looked for; what was found there is judged by other rules."""
_READ_BY = {
    "BASH_ENV": ("bash",),
    "ENV": ("sh", "dash", "ash", "ksh", "bash"),
    "JAVA_TOOL_OPTIONS": ("java",),
    "NODE_OPTIONS": ("node", "nodejs", "bun", "deno"),
    "NODE_PATH": ("node", "nodejs", "bun", "deno"),
    "PERL5OPT": ("perl", "prove"),
    "PHPRC": ("php",),
    "PHP_INI_SCAN_DIR": ("php",),
    "RUBYOPT": ("ruby", "rspec", "rake"),
}
"""Variable → the programs that read it; the others are read by all, or by Python."""


def reads(exe: str | None, argv: Sequence[str], name: str) -> bool:
    """Return whether the program that ran reads a variable."""
    if name in _READ_BY:
        return _program(exe, argv) in _READ_BY[name]
    return _is_python(exe, argv) if name.startswith("PYTHON") else True


def asserts_off(exe: str | None, argv: Sequence[str], names: Sequence[str]) -> str:
    """Return what turns Python's asserts off, nothing where they are on or it is not Python."""
    if not _is_python(exe, argv):
        return ""
    if "PYTHONOPTIMIZE" in names:
        return "PYTHONOPTIMIZE"
    for word in argv[1:] if _name(argv[:1]).startswith(("python", "pypy")) else ():
        if not word.startswith("-") or word.startswith(("--", "-m", "-c")):
            break
        if "O" in word.partition("X")[0].partition("W")[0]:
            return word
    return ""


def _is_python(exe: str | None, argv: Sequence[str]) -> bool:
    return _program(exe, argv).startswith(("python", "pypy"))


def _program(exe: str | None, argv: Sequence[str]) -> str:
    """Return the program's name without a version behind it: `ruby3.1` is ruby."""
    return _name((exe,) if exe else argv[:1]).rstrip("0123456789.-")


def _name(words: Sequence[str]) -> str:
    return os.path.basename(words[0]) if words else ""
