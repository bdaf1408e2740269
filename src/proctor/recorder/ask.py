"""Asks runners for a report through the environment, where that changes nothing else.

pytest is asked through the plugin that Proctor offers it. node's own runner takes
reporters from `NODE_OPTIONS`: the one that it would have used stays, a second one
writes JUnit, or counts for Proctor. Where the project or the caller chooses reporters,
nothing is asked.
"""

import json
import os
import re
import subprocess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_VERSION = re.compile(r"v(\d+)\.(\d+)\.")
_TAKES_REPORTERS = (20, 0)
"""The first version of node whose `NODE_OPTIONS` may hold reporters."""
_SPEC_ALWAYS = (23, 0)
"""From here on node's default reporter is the same with and without a terminal."""
_PLAIN = re.compile(r"node --test(?: [\w./*=-]+)*")
"""A script that starts node's runner with plain arguments, and nothing else."""
_PLAIN_PATH = re.compile(r"[\w./+@-]+")
_OWN_CHOICE = re.compile(r"--(?:test-reporter|(?:experimental-)?permission|experimental-.*config)")
"""Reporters of the caller's own, and what may keep ours from being read."""
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
    if version is not None:
        file = os.path.join(live, "node.xml")
        yield _add(environ, version, ("junit", file), terminal=terminal)


def ask_node_to_count(
    environ: "dict[str, str]", argv: "Sequence[str]", folder: str, *, terminal: bool
) -> "list[str]":
    """Have `node --test` count for Proctor, itself or as the one command of a script.

    `argv` begins with node or with what starts scripts. Anything less plain may start
    another one whose reporters are its own.
    """
    reporter = os.path.join(os.path.dirname(os.path.dirname(__file__)), "node_report.cjs")
    words = " ".join(argv[1:])
    if (
        _OWN_CHOICE.search(f"{words} {environ.get('NODE_OPTIONS', '')}")
        or not _PLAIN_PATH.fullmatch(reporter)
        or os.path.exists(os.path.join(folder, "node.config.json"))
    ):
        return []
    starts = os.path.basename(argv[0]) not in ("node", "nodejs")
    if starts and not _is_plain_script(argv, _package(folder)):
        return []
    version = _node_version(environ)
    if version is None:
        return []
    return [_add(environ, version, (reporter, "stderr"), terminal=terminal)]


def _is_plain_script(argv: "Sequence[str]", package: str) -> bool:
    """Return whether the script that is asked for is `node --test` and nothing else."""
    words = [word for word in argv[1:] if not word.startswith("-")]
    name = words[1] if words[:1] == ["run"] and len(words) > 1 else "".join(words[:1])
    try:
        scripts = json.loads(package)["scripts"]
        script = scripts["test" if name == "t" else name]
        return _PLAIN.fullmatch(script) is not None and not any(
            f"{when}{name}" in scripts for when in ("pre", "post")
        )
    except (ValueError, KeyError, TypeError):
        return False


def _add(
    environ: "dict[str, str]",
    version: "tuple[int, int]",
    second: "tuple[str, str]",
    *,
    terminal: bool,
) -> str:
    """Add a second reporter and its destination beside the default one; return what was added."""
    plain = "spec" if version >= _SPEC_ALWAYS or terminal else "tap"
    words = (
        f"--test-reporter={plain} --test-reporter-destination=stdout "
        f"--test-reporter={second[0]} --test-reporter-destination={second[1]}"
    )
    environ["NODE_OPTIONS"] = f"{environ.get('NODE_OPTIONS', '')} {words}".strip()
    return f"NODE_OPTIONS+={words}"


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
    """Return node's version, none where it takes no reporters from its environment."""
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
    version = (int(found[1]), int(found[2])) if found is not None else None
    return version if version is not None and version >= _TAKES_REPORTERS else None
