"""What a base install of Proctor is: packages, size, start; and which installers can do it.

    python bench/install.py            # builds the wheel here; needs pip and a package index

Each line has the command's own CPU time, so that a busy machine changes little. Installers
that are not on PATH are taken from the index; what cannot be had is said.
"""

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).parent.parent
STARTS = 15
BASE = "pip", "setuptools", "wheel"


def run(*words: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(w) for w in words], capture_output=True, text=True, check=False, env=env
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done


def cpu_ms(*words: object) -> float:
    """The CPU time of a command, median of some runs."""
    taken = []
    for _ in range(STARTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(*words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return 1000 * statistics.median(taken)


def new_venv(folder: Path) -> Path:
    run(sys.executable, "-I", "-m", "venv", folder)
    return folder / "bin"


def size_mib(folder: Path) -> float:
    return (
        sum(p.stat().st_size for p in folder.rglob("*") if p.is_file() and not p.is_symlink())
        / 2**20
    )


def packages(binaries: Path) -> dict[str, str]:
    listed = json.loads(run(binaries / "python", "-m", "pip", "list", "--format", "json").stdout)
    return {one["name"]: one["version"] for one in listed if one["name"] not in BASE}


def base_install(folder: Path, wheel: Path) -> None:
    """Measure what `pip install` of the wheel alone brings."""
    binaries = new_venv(folder / "base")
    (library,) = (folder / "base").glob("lib/python*/site-packages")
    empty, there = size_mib(library), set(library.iterdir())
    run(binaries / "python", "-m", "pip", "install", "-q", "--no-compile", wheel)
    found = packages(binaries)
    python = binaries / "python"
    print(f"wheel               {wheel.stat().st_size / 1024:8.0f} KiB")
    print(f"installed           {size_mib(library) - empty:8.1f} MiB, without compiled files")
    for path in sorted(library.iterdir(), key=size_mib, reverse=True):
        if path not in there and size_mib(path) > 0.2:
            print(f"  {path.name:24}{size_mib(path):8.1f} MiB")
    print(f"packages            {len(found):8}: {', '.join(f'{k} {v}' for k, v in found.items())}")
    bare = cpu_ms(python, "-I", "-c", "pass")
    print(f"python -I -c pass   {bare:8.1f} ms CPU")
    for name, words in {
        "import proctor": (python, "-I", "-c", "import proctor"),
        "proctor --version": (binaries / "proctor", "--version"),
        "proctor run -- true": (binaries / "proctor", "run", "--log", folder / "log", "--", "true"),
    }.items():
        taken = cpu_ms(*words)
        print(f"{name:20}{taken:8.1f} ms CPU, {taken / bare:.1f} × a bare interpreter")


def installers(folder: Path, wheel: Path) -> None:
    """Install as people do, each tool in a home of its own, and run the command."""
    binaries = new_venv(folder / "tools")
    for name, words in {"uv": ("tool", "install"), "pipx": ("install",)}.items():
        got = subprocess.run(
            [binaries / "python", "-m", "pip", "install", "-q", name],
            capture_output=True,
            check=False,
        )
        tool = binaries / name if not got.returncode else shutil.which(name)
        if tool is None:
            print(f"{name}: not to be had here")
            continue
        home = folder / f"{name}-home"
        env = {**os.environ, "HOME": str(home), "UV_TOOL_DIR": str(home / "tools"),
               "UV_TOOL_BIN_DIR": str(home / "bin"), "UV_CACHE_DIR": str(home / "cache"),
               "PIPX_HOME": str(home / "pipx"), "PIPX_BIN_DIR": str(home / "bin")}  # fmt: skip
        python = ("--python", sys.executable)
        index = (
            ("--find-links", os.environ["PIP_FIND_LINKS"])
            if name == "uv" and "PIP_FIND_LINKS" in os.environ
            else ()
        )
        run(tool, *words, *python, *index, wheel, env=env)
        said = run(home / "bin" / "proctor", "--version").stdout.strip()
        print(f"{name} {' '.join(words)}: {said}")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, PROJECT)
        (wheel,) = folder.glob("proctor-*.whl")
        base_install(folder, wheel)
        installers(folder, wheel)


if __name__ == "__main__":
    main()
