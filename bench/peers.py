"""Plays one battery on the tools that promise evidence of an agent's tests, and on Proctor.

    make peers                        every tool
    python -m bench.peers didrun ...  these, and Proctor

Each tool is installed from the package registry into an environment of its own that is
thrown away. Then the same red repository (five tests, two fail) is put before each of
them in the tool's own way: as the command that it wraps or has been told to check, or as
the transcript that it reads. *Caught* means that the tool does not call the run good. A
green repository with an honest run stands first: what is refused there makes every catch
worthless. Then the overhead: `true`, 100 MB of output, the tool's peak memory, its size.

Where the registry cannot be reached nothing is played, and that is said. A tool that does
not install, or whose command line is no longer this one, is named.
"""

import contextlib
import os
import platform
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.battery import (
    BIN,
    CHEATS,
    HONEST,
    PATIENCE,
    PEERS,
    PROCTOR,
    Here,
    Peer,
    UnplayableError,
    prepared,
)

INSTALL = 420
_REPLY = 20


@dataclass
class Column:
    """What was found of one tool."""

    name: str
    version: str = ""
    refused: str = ""
    """Why it was not played."""
    cells: tuple[str, ...] = ()
    true_ms: float | None = None
    flood_ms: float | None = None
    peak_mb: float | None = None
    size_mb: float | None = None
    packages: int | None = None


def cell(good: bool | None) -> str:
    """Return what a row says: caught, missed, or that it does not apply."""
    return "–" if good is None else "M" if good else "C"


def play(peer: Peer, tool: Path, folder: Path) -> tuple[str, ...]:
    """Return the cells of a tool: the honest run, then the cheats."""
    assert peer.judge is not None
    cells = []
    for number, cheat in enumerate((HONEST, *CHEATS)):
        try:
            good = peer.judge(prepared(tool, folder / str(number), cheat))
        except subprocess.TimeoutExpired:
            good = False
        if cheat is HONEST:
            cells.append("passes" if good else "refused")
        else:
            cells.append(cell(good))
    return tuple(cells)


def measure(peer: Peer, tool: Path, folder: Path, column: Column) -> None:
    """Measure what a wrapper costs, where the tool is one."""
    if not peer.wrap:
        return
    here = prepared(tool, folder / "cost", HONEST)
    if peer.set_up:
        here.ready(*peer.set_up)
    wrap = [word.replace("{out}", str(folder / "out")) for word in peer.wrap]
    flood = ("head", "-c", "100000000", "/dev/zero")
    column.true_ms, _ = _cost(here, [*wrap, "true"], times=5)
    column.flood_ms, column.peak_mb = _cost(here, [*wrap, *flood], times=1)


_MEASURE = (
    "import resource, subprocess, sys, time\n"
    "t = time.perf_counter()\n"
    "p = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)\n"
    "while p.stdout.read(1 << 20): pass\n"
    "p.wait()\n"
    "t = time.perf_counter() - t\n"
    "print(t * 1000, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)\n"
)


def _cost(here: Here, argv: Sequence[str], *, times: int) -> tuple[float, float]:
    """Return the median milliseconds of a command, and its highest peak memory in MB."""
    took, peaks = [], []
    for _ in range(times):
        done = subprocess.run(
            [sys.executable, "-I", "-c", _MEASURE, str(here.tool / argv[0]), *argv[1:]],
            cwd=here.repo, env=here.env, capture_output=True, text=True, timeout=PATIENCE,
            check=False,
        )  # fmt: skip
        with contextlib.suppress(ValueError):
            a, b = done.stdout.split()
            took.append(float(a))
            peaks.append(float(b))
    if not took:
        raise UnplayableError(f"{shlex.join(argv)} could not be measured")
    return statistics.median(took), max(peaks)


def try_peer(peer: Peer, folder: Path) -> Column:
    """Install a tool and play it; what goes wrong is said in its column."""
    column = Column(peer.package)
    venv = folder / "venv"
    try:
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True, capture_output=True)
        bare, _ = _size_of(venv)
        words = [str(venv / "bin/python"), "-m", "pip", "install", "-q", "--retries=1"]
        subprocess.run(
            [*words, "--disable-pip-version-check", peer.package], check=True, timeout=INSTALL,
            capture_output=True, text=True,
        )  # fmt: skip
    except subprocess.CalledProcessError as error:
        column.refused = f"does not install: {str(error.stderr)[-120:].strip()}"
        return column
    except subprocess.TimeoutExpired:
        column.refused = f"does not install within {INSTALL} s"
        return column
    size, packages = _size_of(venv)
    column.size_mb, column.packages = (size - bare) / 1e6, packages
    column.version = _version(venv, peer.package)
    _fill(peer, venv / "bin", folder, column)
    return column


def _fill(peer: Peer, tool: Path, folder: Path, column: Column) -> None:
    try:
        if peer.judge is None:
            column.refused = peer.why
        else:
            column.cells = play(peer, tool, folder)
        measure(peer, tool, folder, column)
    except (UnplayableError, OSError) as error:
        column.refused = f"its command line has changed: {' '.join(str(error).split())[:120]}"


def _size_of(venv: Path) -> tuple[int, int]:
    """Return the bytes in an environment's packages, and how many there are beside pip."""
    size = sum(f.stat().st_size for f in venv.rglob("*") if f.is_file() and not f.is_symlink())
    found = list(venv.glob("lib/python*/site-packages/*.dist-info"))
    return size, sum(not f.name.startswith(("pip-", "setuptools-")) for f in found)


def _version(venv: Path, package: str) -> str:
    name = package.replace("-", "_").lower()
    found = [f.name for f in venv.glob("lib/python*/site-packages/*.dist-info")]
    own = [one for one in found if one.lower().replace("-", "_").startswith(f"{name}_")]
    return own[0].removesuffix(".dist-info").rpartition("-")[2] if own else "?"


def table(columns: Sequence[Column]) -> Iterator[str]:
    """Yield the lines of one table, Markdown, Proctor in the first column."""
    played = [one for one in columns if one.cells]
    yield "| | " + " | ".join(f"{one.name} {one.version}".strip() for one in played) + " |"
    yield "| --- |" + " --- |" * len(played)
    for number, cheat in enumerate((HONEST, *CHEATS)):
        yield (
            f"| {_cell_text(cheat.title)} | "
            + " | ".join(one.cells[number] for one in played)
            + " |"
        )
    yield from _costs(columns)
    for one in columns:
        if one.refused:
            yield f"not played: {one.name} {one.version}".rstrip() + f": {one.refused}"


def _cell_text(text: str) -> str:
    return text.replace("|", "\\|")


def _costs(columns: Sequence[Column]) -> Iterator[str]:
    yield ""
    yield "| | `true`, ms | 100 MB, ms | peak, MB | size, MB | packages |"
    yield "| --- |" + " --- |" * 5
    for one in columns:
        known = (one.true_ms, one.flood_ms, one.peak_mb, one.size_mb, one.packages)
        if any(value is not None for value in known):
            shown = ("–" if value is None else f"{value:,.0f}" for value in known)
            yield f"| {one.name} | " + " | ".join(shown) + " |"
    yield ""


def tally(columns: Sequence[Column]) -> Iterator[str]:
    """Yield a line for each cheat: how many of the others noticed it, of how many."""
    others = [one for one in columns if one.cells and one.name != PROCTOR.package]
    for number, cheat in enumerate(CHEATS, start=1):
        cells = [one.cells[number] for one in others if one.cells[0] == "passes"]
        told = [one for one in cells if one != "–"]
        yield f"| {_cell_text(cheat.title)} | {told.count('C')} of {len(told)} |"


def _registry() -> str | None:
    """Return why the registry cannot be reached; none where it can."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    url = os.environ.get("PIP_INDEX_URL") or done.stdout.strip() or "https://pypi.org/simple"
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/didrun/", timeout=_REPLY):
            return None
    except (OSError, urllib.error.URLError, ValueError) as error:
        return str(error)


def main(names: Sequence[str]) -> int:
    """Play the tools of these names, or all."""
    why = _registry()
    if why is not None:
        print(f"peers: skipped, the package registry is out of reach ({why})")
        return 0
    when = time.strftime("%Y-%m-%d", time.gmtime())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    print(f"{when}, {platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GB, "
          f"Python {platform.python_version()}")  # fmt: skip
    columns = []
    with tempfile.TemporaryDirectory(prefix="proctor-peers-") as folder:
        own = Column(PROCTOR.package)
        _fill(PROCTOR, BIN, Path(folder) / "proctor", own)
        columns.append(own)
        for peer in PEERS:
            if not names or peer.package in names:
                with tempfile.TemporaryDirectory(dir=folder) as place:
                    columns.append(try_peer(peer, Path(place)))
                print(f"  {peer.package}: {columns[-1].refused or 'played'}", file=sys.stderr)
    print("\n".join(table(columns)))
    print("\nnoticed, of the tools that let the honest run pass:\n" + "\n".join(tally(columns)))
    return 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main(sys.argv[1:]))
