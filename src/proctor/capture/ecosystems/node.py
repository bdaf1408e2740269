"""JavaScript: node, bun or deno, and what lies in `node_modules`."""

import json
import os
from collections.abc import Iterator, Sequence

from proctor._whole import plain
from proctor.capture.base import Ecosystem, Probe, Toolbox

_FOLDERS = 20_000
"""Package folders that are looked at."""


def _installed(tools: Toolbox) -> Sequence[str] | None:
    roots = [path.rpartition("/")[0] for path in tools.named("package.json")]
    found: set[str] = set()
    met = False
    for folder in roots:
        modules = os.path.join(tools.root, folder, "node_modules")
        if os.path.isdir(modules):
            met = True
            found.update(_packages(modules))
    return sorted(found) if met else None


def _packages(modules: str) -> Iterator[str]:
    left, todo = _FOLDERS, [modules]
    while todo and left > 0:
        folder = todo.pop()
        try:
            names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
        except OSError:
            continue
        for name in names:
            path = os.path.join(folder, name)
            left -= 1
            if name.startswith("@"):
                todo.append(path)
                continue
            if name.startswith("."):
                continue
            yield from _package(path)
            todo.append(os.path.join(path, "node_modules"))


def _package(folder: str) -> Iterator[str]:
    try:
        with open(os.path.join(folder, "package.json"), encoding="utf-8", opener=plain) as file:
            content = json.load(file)
        yield f"{content['name']}@{content['version']}"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return


ECOSYSTEM = Ecosystem(
    order=2,
    markers=("package.json", "deno.json", "deno.jsonc"),
    locks=(
        *("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock"),
        *("bun.lock", "bun.lockb", "deno.lock"),
    ),
    probes=(
        Probe(
            ("node", "-p", "`v${process.versions.node} ${process.platform}-${process.arch}`"),
            node=r"^v(\S+)",
            node_platform=r"^v\S+ (\S+)",
        ),
        Probe(("npm", "--version"), npm=r"^(\d\S*)"),
        Probe(("pnpm", "--version"), ("pnpm-lock.yaml",), pnpm=r"^(\d\S*)"),
        Probe(("yarn", "--version"), ("yarn.lock",), yarn=r"^(\d\S*)"),
        Probe(("bun", "--version"), ("bun.lock", "bun.lockb"), bun=r"^(\d\S*)"),
        Probe(("deno", "--version"), ("deno.json*", "deno.lock"), deno=r"^deno (\S+)"),
    ),
    installed=_installed,
)
