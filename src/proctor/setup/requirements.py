"""Writes a first `proctor.toml` from the suites of a repository."""

import os
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from proctor import config
from proctor.setup.edit import Change, append_blocks, read_own
from proctor.setup.find import PlacedSuite, find_suites

HEADER = """\
# What a change owes before `proctor gate` lets it pass: each [[require]] names a
# run, and `paths` (gitignore patterns) the changes that owe it; without `paths`
# every change does. All keys: proctor schema config
#
# Files that no test reads may change after a run where these lines are taken in:
# [gate]
# ignore_paths = ["/docs/", "/*.md"]
"""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What `proctor init` would do."""

    change: Change
    suites: int
    """Suites that were found."""
    added: tuple[str, ...]
    """Names of the requirements that the change adds."""


def plan(root: str) -> Plan:
    """Return the change that makes every suite found at `root` a requirement.

    What is there already stays as it is: a suite whose command, class or name is
    required in its folder is not added again.

    Raises:
        ConfigError: the configuration cannot be read, or is not ours to edit.
    """
    suites = find_suites(root)
    existing = config.load(root).require
    items = [_item(suite) for suite in suites if not _is_required(suite, existing)]
    addition = "; ".join(f"[[tool.proctor.require]] {_inline(item)}" for item in items)
    if not items and config.find(root) is not None:
        unchanged = Change(path=config.find(root) or "", before="", after="")
        return Plan(change=unchanged, suites=len(suites), added=())
    path, before = read_own(root, addition)
    change = append_blocks(path, before or HEADER, "require", items)
    change = msgspec.structs.replace(change, before=before, after=change.after if items else before)
    return Plan(change=change, suites=len(suites), added=tuple(item["name"] for item in items))


def name_of(suite: PlacedSuite) -> str:
    """Return the name for a suite's requirement: its class, its folder in front."""
    name = f"{suite.folder}: {_class_of(suite)}" if suite.folder else _class_of(suite)
    return re.sub(r"[^A-Za-z0-9 ._:/-]", "-", name).lstrip(" ._:/-")


def _item(suite: PlacedSuite) -> dict[str, Any]:
    item: dict[str, Any] = {"name": name_of(suite)}
    if suite.folder:
        item["folder"] = suite.folder
        item["paths"] = [f"/{_as_pattern(suite.folder)}/"]
    item["command"] = list(suite.found.command)
    return item


def _class_of(suite: PlacedSuite) -> str:
    words = suite.found.command
    if words[:2] == ("python", "-m"):
        return words[2]
    return " ".join(word for word in words[:3] if word not in ("run", "./...", "--workspace"))


def _is_required(suite: PlacedSuite, existing: Sequence[config.RequireTable]) -> bool:
    for item in existing:
        here = os.path.normpath(item.folder or ".") == (suite.folder or ".")
        same = item.command == suite.found.command or item.command_class == _class_of(suite)
        if (here and same) or item.name == name_of(suite):
            return True
    return False


def _as_pattern(folder: str) -> str:
    return re.sub(r"([\\*?\[\]!#])", r"\\\1", folder)


def _inline(item: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in item.items())
