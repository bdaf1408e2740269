"""The tree witness over many processes."""

import os
import shutil
import statistics
from pathlib import Path

from measuring import PROCTOR, compare, row, shell, timed


def measure(folder: Path) -> None:
    """Measure what a process costs more, and compare with strace."""
    del folder
    many = "for i in $(seq 500); do /bin/true; done"
    ours = [PROCTOR, "run", "--", *shell(many)]
    empty = [PROCTOR, "run", "--", *shell(":")]
    added = []
    for _ in range(9):
        with_tree = timed(ours) - timed(empty)
        bare = timed(shell(many)) - timed(shell(":"))
        added.append((with_tree - bare) * 1000 / 500)
    row(
        "added per process, ms",
        0.5,
        statistics.median(added),
        spread=f"{min(added):.3f}–{max(added):.3f}",
    )
    living = "for i in $(seq 200); do sleep 0.002; done"
    compare(
        "200 processes of 2 ms under run ÷ bare",
        1.25,
        lambda: timed([PROCTOR, "run", "--", *shell(living)]) - timed(empty),
        lambda: timed(shell(living)) - timed(shell(":")),
        9,
    )
    strace = shutil.which("strace")
    if strace is None:
        print("skipped: strace is not installed")
        return
    theirs = [strace, "-f", "--seccomp-bpf", "-e", "trace=execve", "-o", os.devnull, *shell(many)]
    compare(
        "500 processes under run ÷ strace -f --seccomp-bpf",
        1.0,
        lambda: timed(ours),
        lambda: timed(theirs),
        7,
    )
