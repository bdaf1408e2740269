"""1 GB of output through `run`."""

import os
from pathlib import Path

from measuring import PROCTOR, compare, peak_memory, row, shell, timed


def measure(folder: Path) -> None:
    """Compare it with a digest of the same bytes, in time; and its memory."""
    big = folder / "gigabyte"
    with open(big, "wb") as file:
        block = os.urandom(1 << 20)
        file.writelines(block for _ in range(1000))
    source = f"cat {big}"
    compare(
        "1 GB through run ÷ cmd | openssl dgst -sha256",
        1.25,
        lambda: timed([PROCTOR, "run", "--", "cat", str(big)]),
        lambda: timed(shell(f"{source} | openssl dgst -sha256")),
        7,
    )
    for size, count in (("1 GB", 1000), ("1 MB", 1)):
        peak = peak_memory([PROCTOR, "run", "--", "head", "-c", f"{count}M", str(big)])
        row(f"peak memory of the recorder, {size} of output (MiB)", 48, peak / 1024)
    big.unlink()
