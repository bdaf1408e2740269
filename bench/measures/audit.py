"""500 MB of transcripts of mixed formats through `audit`."""

import shutil
import subprocess
import sys
from pathlib import Path

from measuring import HERE, PROCTOR, compare, grows, peak_memory, row, spent


def measure(folder: Path) -> None:
    """Measure megabytes a second, memory and growth; compare with a loop of json.loads."""
    report = ["audit", "--format", "json", "--output", str(folder / "a.json")]
    costs = []
    for megabytes in (5, 50, 500):
        mixed = folder / f"transcripts-{megabytes}"
        script = str(HERE / "transcripts.py")
        subprocess.run([sys.executable, script, str(mixed), str(megabytes)], check=True)
        ours = [PROCTOR, *report, str(mixed)]
        costs.append((megabytes, min(spent(ours) for _ in range(3))))
        files = sorted(mixed.iterdir())
        size = sum(path.stat().st_size for path in files) / 1e6
        if megabytes < 500:
            shutil.rmtree(mixed)
    best = costs[-1][1]
    row(
        "seconds per core for 100 MB of transcripts", 1.0, best / size * 100,
        mb_per_s=round(size / best),
    )  # fmt: skip
    grows("audit over megabytes", costs)
    theirs = [sys.executable, str(HERE / "plain_json.py"), *map(str, files)]
    compare(
        "audit ÷ a loop of json.loads, processor time",
        1.5,
        lambda: spent(ours),
        lambda: spent(theirs),
        3,
    )
    row(f"peak memory of audit over {size:.0f} MB (MiB)", 120, peak_memory(ours) / 1024)
    shutil.rmtree(mixed)
