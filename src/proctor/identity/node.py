"""Which npm package a script that node runs belongs to."""

import json
import mmap
import os
from collections.abc import Sequence

_VALUED = frozenset(
    """
    -r --require --import --loader --experimental-loader -C --conditions --env-file
    --env-file-if-exists --title --inspect-port --test-name-pattern --test-skip-pattern
    --test-reporter --test-reporter-destination --test-concurrency --test-timeout --test-shard
    --max-old-space-size --stack-trace-limit --input-type
    """.split()  # noqa: SIM905 - a table
)
_NODE_MARKS = (b"NODE_OPTIONS", b"libnode")
_INLINE = frozenset({"-e", "--eval", "-p", "--print", "-pe"})
_SIZE_LIMIT = 1 << 20


def identify_node(words: Sequence[str], program: str, cwd: str) -> dict[str, object] | None:
    """Return the members of `records.span.Runner` for `node words…`.

    The package is the one whose `package.json` is nearest to the script once
    links are resolved: `node_modules/.bin/jest` is jest because it leads there.
    npm keeps no digests of installed files, so `record_ok` is null.
    """
    script, own = _script(words)
    if script is not None and _is_spawn_wrap(os.path.join(cwd, script)):
        return identify_node(words[words.index(script) + 1 :], program, cwd)
    if own:
        return _members("node" if _is_node(program) else None, None, program)
    if script is None:
        return None
    path = os.path.realpath(os.path.join(cwd, script))
    for candidate in (path, f"{path}.js", f"{path}.mjs", f"{path}.cjs"):
        if os.path.isfile(candidate):
            return _members(*_package_of(candidate), candidate)
    return None  # in an archive (Yarn's), or gone


def _is_node(program: str) -> bool:
    """Return whether a program holds, or is linked with, node itself."""
    try:
        with (
            open(program, "rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
        ):
            return any(content.find(mark) >= 0 for mark in _NODE_MARKS)
    except (OSError, ValueError):
        return True  # not readable is not known to be another


def _is_spawn_wrap(script: str) -> bool:
    """Return whether a script is the `node` that nyc and tap put before every other.

    It is, where it holds what the package `spawn-wrap` wrote there, byte for byte.
    """
    folder, name = os.path.split(script)
    if name != "node" or ".node-spawn-wrap-" not in folder:
        return False
    try:
        with open(os.path.join(folder, "settings.json"), "rb") as file:
            module = json.loads(file.read(_SIZE_LIMIT))["module"]
        with open(os.path.join(os.path.dirname(module), "shim.js"), "rb") as file:
            shim = file.read(_SIZE_LIMIT)
        with open(script, "rb") as file:
            written = file.read(_SIZE_LIMIT)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return False
    return _package_of(module)[0] == "spawn-wrap" and written.partition(b"\n")[2] == shim


def _script(words: Sequence[str]) -> tuple[str | None, bool]:
    """Return the script, and whether node's own test runner is asked for."""
    rest = iter(words)
    own = False
    for word in rest:
        if word in _INLINE:
            return None, False
        if word == "--test" or word.startswith("--test="):
            own = True
        elif word == "--":
            return next(rest, None), own
        elif word in _VALUED:
            next(rest, None)
        elif not word.startswith("-"):
            return word, own
    return None, own


def _package_of(path: str) -> tuple[str | None, str | None]:
    folder = os.path.dirname(path)
    while True:
        try:
            with open(os.path.join(folder, "package.json"), "rb") as file:
                content = json.loads(file.read(_SIZE_LIMIT))
        except (OSError, ValueError, RecursionError):
            content = None
        if isinstance(content, dict) and isinstance(content.get("name"), str):
            version = content.get("version")
            return content["name"], version if isinstance(version, str) else None
        parent = os.path.dirname(folder)
        if parent == folder or os.path.basename(folder) == "node_modules":
            return None, None
        folder = parent


def _members(name: str | None, version: str | None, path: str) -> dict[str, object]:
    return {
        "distribution": name,
        "version": version,
        "record_ok": None,
        "path": os.path.realpath(path),
        "editable": False,
        "altered": [],
    }
