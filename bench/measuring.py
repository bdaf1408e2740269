"""Times commands and tells how they compare, as ratios within one run.

Every figure is the median over interleaved rounds of the quotient of two
commands measured one right after the other, so that a busy machine slows both.
"""

import math
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

BIN = Path(sys.executable).parent
PROCTOR = str(BIN / "proctor")
HERE = Path(__file__).parent
ROWS: list[dict[str, object]] = []
BARE = [sys.executable, "-I", "-c", "pass"]
"""A bare interpreter: what any program in Python costs before it does anything."""


def timed(argv: Sequence[str], **more: object) -> float:
    """Return the seconds that a command takes, its output thrown away."""
    began = time.perf_counter()
    subprocess.run(argv, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)  # type: ignore[call-overload]
    return time.perf_counter() - began


def spent(argv: Sequence[str], **more: object) -> float:
    """Return the processor seconds of a command and all that it waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    timed(argv, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(
    what: str, bar: float, ours: Callable[[], float], theirs: Callable[[], float], rounds: int
) -> None:
    """Add a row: the median and spread of ours ÷ theirs."""
    ours(), theirs()
    quotients, a, b = [], [], []
    for _ in range(rounds):
        x, y = ours(), theirs()
        quotients.append(x / y)
        a.append(x)
        b.append(y)
    row(
        what,
        bar,
        statistics.median(quotients),
        spread=f"{min(quotients):.2f}–{max(quotients):.2f}",
        ours_ms=round(statistics.median(a) * 1000, 2),
        theirs_ms=round(statistics.median(b) * 1000, 2),
    )


def row(what: str, bar: float, value: float, **more: object) -> None:
    """Add a row and show it."""
    ROWS.append({"what": what, "bar": bar, "value": round(value, 3), "met": value <= bar, **more})
    met = "met   " if value <= bar else "MISSED"
    details = "  ".join(f"{name} {shown}" for name, shown in more.items())
    print(f"{met}  {value:8.3f}  (bar {bar:g})  {what}  {details}", flush=True)


def grows(what: str, costs: Iterable[tuple[int, float]], bar: float = 1.1) -> None:
    """Add a row: the exponent with which a cost grows with a size, over the three largest."""
    large = [(math.log(n), math.log(max(cost, 0.001))) for n, cost in costs][-3:]
    slope = statistics.linear_regression(*zip(*large, strict=True)).slope
    row(f"{what}: exponent of the growth of processor time", bar, slope)


def shell(line: str) -> list[str]:
    """Return the argv of a line of bash."""
    return ["bash", "-c", line]


def peak_memory(argv: Sequence[str]) -> int:
    """Return the peak resident memory of a command's own process, in KiB."""
    code = (
        "import os, sys, resource\n"
        "pid = os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:])\n"
        "print(os.wait4(pid, 0)[2].ru_maxrss, file=sys.stderr)\n"
    )
    # NOTE: the recorder waits for its child, whose peak counts too; both matter.
    done = subprocess.run(
        [sys.executable, "-c", code, *argv], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True, check=True,
    )  # fmt: skip
    return int(done.stderr.splitlines()[-1])


def install(folder: Path, package: str, program: str) -> str | None:
    """Install a peer into an environment of its own; return its program."""
    venv = folder / package
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    done = subprocess.run(
        [venv / "bin" / "pip", "install", "--quiet", package], capture_output=True, check=False
    )
    return str(venv / "bin" / program) if done.returncode == 0 else None
