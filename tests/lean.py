"""An environment in which the runners of Python start quickly, for the tests that start many.

It holds what this environment holds but for distributions that no runner needs. hypothesis
and anyio are among them: their plugins, which pytest loads wherever they are installed, take
longer to import than pytest itself. The files are the installed ones under a second name.
"""

import functools
import os
import re
import subprocess
import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path

from tests.once import made_once

_HERE = Path(sys.prefix)
_LEFT_OUT = (
    "anyio", "dask", "distributed", "hypothesis", "mcp", "mypy", "pip", "playwright",
    "virtualenv", "zensical",
)  # fmt: skip


@functools.cache
def programs() -> Path:
    """Return the folder of its programs; it is made once for an installation."""
    held = [
        one
        for one in distributions(path=[str(_site(_HERE))])
        if _normal(one.metadata["Name"]) not in _LEFT_OUT
    ]

    def fill(folder: Path) -> None:
        venv = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
        subprocess.run(venv, check=True, capture_output=True)
        for one in held:
            _link(one, folder)

    return made_once(_HERE / "lean", _digest(held), fill) / "bin"


def _site(prefix: Path) -> Path:
    return prefix / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _digest(held: list[Distribution]) -> str:
    """What the environment is made of: name, version and time of installation."""
    lines = []
    for one in held:
        stamp = max(
            os.stat(str(one.locate_file(str(file)))).st_mtime_ns
            for file in one.files or ()
            if file.name == "RECORD"
        )
        lines.append(f"{one.metadata['Name']} {one.version} {stamp}")
    return "\n".join([__doc__, *sorted(lines)])


def _link(one: Distribution, folder: Path) -> None:
    """Give the files of a distribution a second name in `folder`; its programs a new first line."""
    site = _site(folder)
    for file in one.files or ():
        source = Path(os.path.normpath(str(one.locate_file(str(file)))))
        target = Path(os.path.normpath(site / str(file)))
        if not target.is_relative_to(folder) or not source.is_file():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        # NOTE: Proctor itself stays in its own environment, which has all its extras.
        if source.parent == _HERE / "bin" and not source.name.startswith("proctor"):
            text = source.read_bytes()
            if text.startswith(b"#!"):
                here, there = (os.fsencode(path / "bin") for path in (_HERE, folder))
                text = text.replace(here + b"/python", there + b"/python", 2)
            target.write_bytes(text)
            target.chmod(0o755)
        else:
            target.unlink(missing_ok=True)
            os.link(source, target)
