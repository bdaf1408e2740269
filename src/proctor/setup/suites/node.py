"""JavaScript suites: the `test` script of a package.json."""

import json
import os

from proctor.setup.suites.base import Found, Kind, text_of

_LOCKS = (
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
)
_PLACEHOLDER = "no test specified"
"""What `npm init` writes where there are no tests."""


def _find(folder: str) -> Found | None:
    try:
        package = json.loads(text_of(folder, "package.json") or "{}")
        script = package.get("scripts", {}).get("test")
    except (ValueError, RecursionError, AttributeError):
        return None
    if not isinstance(script, str) or not script.strip() or _PLACEHOLDER in script:
        return None
    manager = _manager(folder, package.get("packageManager"))
    command = (manager, "run", "test") if manager == "bun" else (manager, "test")
    workspaces = bool(package.get("workspaces")) or os.path.isfile(
        os.path.join(folder, "pnpm-workspace.yaml")
    )
    return Found(command=command, whole=workspaces)


def _manager(folder: str, declared: object) -> str:
    if isinstance(declared, str) and declared.split("@")[0] in ("npm", "pnpm", "yarn", "bun"):
        return declared.split("@")[0]
    for name, manager in _LOCKS:
        if os.path.isfile(os.path.join(folder, name)):
            return manager
    return "npm"


SUITE = Kind(find=_find)
