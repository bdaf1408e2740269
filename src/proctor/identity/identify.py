"""Says which distribution a test leaf's program belongs to.

Judged by what the program *is*, never by its place: in-project environments,
`node_modules/.bin`, wrappers and editable installs are honest; a script that
merely has a runner's name is not. Nothing is executed: interpreters' search
paths are worked out as the interpreters would, from files.

This shows which files on disk were about to run. It does **not** show that they
are the publisher's: a process of the same user can rewrite a file together with
the record of its installation, or a compiled `.pyc` beside it.
"""

import os
import re
from collections.abc import Mapping, Sequence

from proctor.identity import node
from proctor.identity.python import Interpreter, identify_python, read_options

_PYTHON = re.compile(r"\.?(?:python|pypy)[\d.]*[dt]?(?:-wrapped)?\Z")
_NODE = re.compile(r"(?:node|nodejs|bun)\Z")
_SHIM = re.compile(
    rb"(?:^|[\s;&\"'/])(?:pyenv|asdf|mise|rtx|nodenv|fnm|volta)[\"']?\s+(?:exec|x|run)\b"
)
_HEAD = 4096

DISTRIBUTIONS = {
    "pytest": frozenset({"pytest"}),
    "unittest": frozenset({"python"}),
    "jest": frozenset({"jest", "jest-cli"}),
    "vitest": frozenset({"vitest"}),
    "mocha": frozenset({"mocha"}),
    "node --test": frozenset({"node"}),
    "nose2": frozenset({"nose2"}),
    "behave": frozenset({"behave"}),
    "robot": frozenset({"robotframework", "robotframework-pabot"}),
    "stestr": frozenset({"stestr"}),
    "ava": frozenset({"ava"}),
    "tape": frozenset({"tape"}),
    "jasmine": frozenset({"jasmine"}),
    "karma": frozenset({"karma"}),
    "playwright test": frozenset({"@playwright/test", "playwright"}),
    "cypress run": frozenset({"cypress"}),
}
"""The distributions whose program a command class is; other classes are not judged."""


def identify(
    argv: Sequence[str], exe: str | None, cwd: str, environ: Mapping[str, str] | None
) -> dict[str, object] | None:
    """Return the members of `records.span.Runner` for a test leaf, none if unknown.

    `exe` is the executable as the kernel names it. `distribution` is null where
    the program belongs to none, which is what an impostor looks like; `python`
    stands for the standard library, `node` for the runtime itself.
    """
    if not argv:
        return None
    env = environ if environ is not None else {}
    program = _program(argv[0], exe, cwd, env)
    base = os.path.basename(program)
    if not _head(program).startswith(b"#!"):
        if _PYTHON.match(base):
            return _python(argv, program, cwd, env)
        if _NODE.match(base):
            return node.identify_node(argv[1:], program, cwd)
    return _other(argv, program, cwd, env)


def _program(name: str, exe: str | None, cwd: str, environ: Mapping[str, str]) -> str:
    """Return the path of what runs: the kernel's word, kept apart from argv's.

    The name in argv is believed only where it leads to the same file: virtual
    environments are found from the path an interpreter was called by.
    """
    called = find_program(name, cwd, environ)
    if exe is None:
        return called or name
    if called is not None and os.path.realpath(called) == os.path.realpath(exe):
        return called
    return exe


def find_program(name: str, cwd: str, environ: Mapping[str, str]) -> str | None:
    """Return the file that a shell would start for a name; none if there is none."""
    if "/" in name:
        path = os.path.join(cwd, name)
        return path if os.path.isfile(path) else None
    for folder in environ.get("PATH", os.defpath).split(":"):
        path = os.path.join(cwd, folder or ".", name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _python(
    argv: Sequence[str], program: str, cwd: str, environ: Mapping[str, str]
) -> dict[str, object] | None:
    options = read_options(argv[1:])
    if options is None:
        return None
    return identify_python(Interpreter(program, cwd, environ, options), options)


def _other(
    argv: Sequence[str], program: str, cwd: str, environ: Mapping[str, str]
) -> dict[str, object] | None:
    """Identify a script by its first line, or a program that is none of ours to name."""
    script = _shell_script(argv, program, cwd)
    if script is not None:
        return None if _is_shim(script) else unknown(script)
    interpreter = _shebang(program, environ, cwd)
    if interpreter is None:
        return None if _is_shim(program) else unknown(program)
    rest = [*interpreter[1:], program, *argv[1:]]
    base = os.path.basename(interpreter[0])
    if _PYTHON.match(base):
        return _python([interpreter[0], *rest], interpreter[0], cwd, environ)
    if _NODE.match(base):
        return node.identify_node(rest, interpreter[0], cwd)
    return None if _is_shim(program) else unknown(program)


def unknown(path: str) -> dict[str, object]:
    """Return the members for a file that belongs to no distribution."""
    return {
        "distribution": None,
        "version": None,
        "record_ok": None,
        "path": os.path.realpath(path),
        "editable": False,
        "altered": [],
    }


def _shell_script(argv: Sequence[str], program: str, cwd: str) -> str | None:
    """Return the script that a shell in front of it runs."""
    if os.path.basename(program) not in ("sh", "bash", "dash", "zsh", "ksh", "busybox"):
        return None
    for word in argv[1:]:
        if word.startswith("-"):
            continue
        path = os.path.join(cwd, word)
        return path if os.path.isfile(path) else None
    return None


def _shebang(path: str, environ: Mapping[str, str], cwd: str) -> list[str] | None:
    """Return the interpreter of a script and its option, `env` looked through."""
    head = _head(path)
    if not head.startswith(b"#!"):
        return None
    line = os.fsdecode(head[2:].partition(b"\n")[0]).strip()
    words = line.split(None, 1)
    if words and words[0] == "/bin/sh" and b"'''exec' " in head:
        # pip's form for interpreters whose path is too long or holds a space.
        found = re.search(rb"'''exec' \"?([^\"\n]+?)\"? \"\$0\" \"\$@\"", head)
        return [os.fsdecode(found[1])] if found else None
    if words and os.path.basename(words[0]) == "env" and len(words) > 1:
        words = [word for word in words[1].split() if word != "-S" and "=" not in word]
        found_program = find_program(words[0], cwd, environ) if words else None
        return [found_program, *words[1:]] if found_program else None
    return words or None


def _is_shim(path: str) -> bool:
    """Return whether a script hands over to a version manager, which execs the program."""
    head = _head(path)
    return head.startswith(b"#!") and _SHIM.search(head) is not None


def _head(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""


__all__ = ["DISTRIBUTIONS", "find_program", "identify", "unknown"]
