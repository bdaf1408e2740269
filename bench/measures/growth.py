"""How time and memory of the gate grow with the log, up to a million spans."""

import os
import statistics
from pathlib import Path

from history import make_history
from measuring import PROCTOR, grows, peak_memory, row, spent


def measure(folder: Path) -> None:
    """Fit the exponent over a log as an agent leaves it."""
    most = int(os.environ.get("PROCTOR_BENCH_SPANS", "1000000"))
    sizes = [size for size in (1000, 10_000, 100_000, 1_000_000) if size <= most]
    logs = [make_history(folder, size) for size in sizes]
    os.chdir(folder / "repo")
    empty = folder / "empty.jsonl"
    empty.touch()
    for name, flags in (("gate", []), ("gate --every", ["--every"])):
        argv = [PROCTOR, "gate", *flags, "--log"]
        start = statistics.median(spent([*argv, str(empty)]) for _ in range(5))
        costs = []
        for size, log in zip(sizes, logs, strict=True):
            rounds = 3 if size > 10_000 else 9
            cost = statistics.median(spent([*argv, str(log)]) for _ in range(rounds)) - start
            peak = peak_memory([*argv, str(log)]) / 1024
            costs.append(cost)
            print(f"        {name} over {size:,} spans: {cost:.3f} s, {peak:.0f} MiB", flush=True)
        grows(f"{name} over spans", zip(sizes, costs, strict=True))
        row(f"{name}: peak memory over {sizes[-1]:,} spans (MiB)", 64, peak)
    os.chdir(folder)
