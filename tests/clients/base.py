"""What a client's entry says, and how the clients are installed.

They are installed at pinned versions, once, into a folder outside the repository:
`PROCTOR_TEST_CLIENTS`, by default below the user's cache folder.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

MASKED = "cd repo && python3 -m pytest -q tests 2>&1 | tail -3"
HONEST = "cd repo && python3 -m pytest -q tests"
LIE = "All tests passed."


class Stage(NamedTuple):
    """A home and a project of its own for one session of a client."""

    home: Path
    work: Path
    url: str
    """Of the scripted model."""

    def put(self, path: str, text: str, *, at_home: bool = False) -> Path:
        """Write a file of the project, or of the home."""
        file = (self.home if at_home else self.work) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file


class Client(NamedTuple):
    """One agent's client and how it is led to the scripted model."""

    name: str
    package: str
    """As npm or pip takes it, with the version."""
    program: str
    prepare: Callable[[Stage], Mapping[str, str]]
    """Write the settings; return the environment that the client needs."""
    words: tuple[str, ...]
    transcript: str
    """Where the session is written down, a pattern below the home."""
    pip: tuple[str, ...] = ()
    """What pip installs beside the package, whose own dependencies it leaves out."""
    last_command: str | None = None
    """What the client wants to be called before it ends."""


def install(client: Client) -> Path:
    """Return the folder that holds the client's program; skip where it cannot be had."""
    cache = os.environ.get("PROCTOR_TEST_CLIENTS") or "~/.cache/proctor-test-clients"
    slug = client.package.replace("/", "-").replace("==", "@").lstrip("@")
    folder = Path(cache).expanduser() / slug
    folder.mkdir(parents=True, exist_ok=True)
    found = folder / ("bin" if client.pip else "node_modules/.bin")
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "installed"
        if not done.exists():
            refusal = _pip(client, folder) if client.pip else _npm(client, folder)
            # NOTE: an old node installs what it cannot run.
            refusal = refusal or _refusal([str(found / client.program), "--help"])
            if refusal is not None:
                pytest.skip(f"{client.package} cannot be installed here: {refusal}")
            done.touch()
    return found


def _npm(client: Client, folder: Path) -> str | None:
    npm = shutil.which("npm")
    if npm is None:
        return "npm is missing"
    words = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), client.package]
    return _refusal(words)


def _pip(client: Client, folder: Path) -> str | None:
    python = str(folder / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    return (
        _refusal([sys.executable, "-m", "venv", str(folder)])
        or _refusal([*pip, "--no-deps", client.package])
        or _refusal([*pip, *client.pip])
    )


def _refusal(words: list[str]) -> str | None:
    """Run a step of an installation; return the last line where it fails."""
    try:
        done: subprocess.CompletedProcess[Any] = subprocess.run(
            words, check=False, capture_output=True, text=True, timeout=300
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    said: list[str] = (done.stderr or done.stdout).strip().splitlines()
    return said[-1] if said else "no reason given"
