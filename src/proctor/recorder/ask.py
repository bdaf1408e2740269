"""Asks runners for JUnit through the environment, where that changes nothing else.

pytest is asked through the plugin that Proctor offers it. node's own runner takes
reporters from `NODE_OPTIONS`: the one that it would have used stays, a second one
writes JUnit. Where the project or the caller chooses reporters, nothing is asked.
"""

import os
import re
import subprocess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_VERSION = re.compile(r"v(\d+)\.(\d+)\.")
_TAKES_REPORTERS = (20, 0)
"""The first version of node whose `NODE_OPTIONS` may hold reporters."""
_SPEC_ALWAYS = (23, 0)
"""From here on node's default reporter is the same with and without a terminal."""
_PACKAGE_LIMIT = 1 << 20
_TIMEOUT_S = 10


def ask_for_junit(
    environ: "dict[str, str]", live: str, folder: str, *, terminal: bool
) -> "list[str]":
    """Add to the environment what makes runners write JUnit into `live`; return it.

    `folder` is where the command starts, `terminal` whether its stdout is one.
    """
    environ["PROCTOR_JUNIT"] = "1"
    return ["PROCTOR_JUNIT=1", *_ask_node(environ, live, folder, terminal=terminal)]


def _ask_node(
    environ: "dict[str, str]", live: str, folder: str, *, terminal: bool
) -> "Iterator[str]":
    before = environ.get("NODE_OPTIONS", "")
    scripts = _package(folder)
    # NOTE: as many reporters as destinations: another one in argv would stop node.
    if "--test-reporter" in before + scripts or "node" not in scripts or "--test" not in scripts:
        return
    version = _node_version(environ)
    if version is None or version < _TAKES_REPORTERS:
        return
    plain = "spec" if version >= _SPEC_ALWAYS or terminal else "tap"
    words = (
        f"--test-reporter={plain} --test-reporter-destination=stdout "
        f"--test-reporter=junit --test-reporter-destination={os.path.join(live, 'node.xml')}"
    )
    environ["NODE_OPTIONS"] = f"{before} {words}".strip()
    yield f"NODE_OPTIONS+={words}"


def _package(folder: str) -> str:
    """Return the text of the package.json at or above a folder, '' where there is none."""
    while True:
        try:
            with open(os.path.join(folder, "package.json"), encoding="utf-8") as file:
                return file.read(_PACKAGE_LIMIT)
        except (OSError, ValueError):
            above = os.path.dirname(folder)
            if above == folder:
                return ""
            folder = above


def _node_version(environ: "dict[str, str]") -> "tuple[int, int] | None":
    try:
        done = subprocess.run(
            ["node", "--version"],  # noqa: S607 - the one that the command will find
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.match(done.stdout)
    return (int(found[1]), int(found[2])) if found is not None else None
