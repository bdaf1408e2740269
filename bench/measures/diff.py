"""The comparison of two long traces."""

import sys
from pathlib import Path

from measuring import PROCTOR, compare, grows, peak_memory, row, spent

NAIVE = """
import sys
def load(path):
    found = {}
    for line in open(path):
        seed, step, command, payload = line.rstrip("\\n").split("|", 3)
        found[seed, int(step)] = command, payload
    return found
old, new = load(sys.argv[1]), load(sys.argv[2])
print(sum(old[key] != new[key] for key in sorted(old)))
"""
"""What people write to compare two traces: load both, compare step by step."""


def measure(folder: Path) -> None:
    """Compare traces of up to a million steps, one in five hundred different."""
    naive = folder / "naive.py"
    naive.write_text(NAIVE)
    costs = []
    sizes = (1000, 10_000, 100_000, 1_000_000)
    for size in sizes:
        with open(folder / "old", "w") as old, open(folder / "new", "w") as new:
            for n in range(size):
                line = f"S{n // 10}|{n % 10}|set k{n % 7} v{n}|key=k{n % 7}|value={n}|status=0\n"
                old.write(line)
                new.write(line if n % 500 else line.replace("status=0", "status=1"))
        ours = [PROCTOR, "oracle", "diff", str(folder / "old"), str(folder / "new")]
        theirs = [sys.executable, str(naive), str(folder / "old"), str(folder / "new")]
        costs.append(min(spent(ours) for _ in range(3)))
    compare(
        "oracle diff of 1,000,000 steps ÷ load both and compare",
        1,
        lambda: spent(ours),
        lambda: spent(theirs),
        3,
    )
    row("oracle diff of 1,000,000 steps: peak memory (MiB)", 300, peak_memory(ours) / 1024)
    grows("oracle diff over steps", zip(sizes, costs, strict=True))
