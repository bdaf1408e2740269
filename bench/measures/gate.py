"""`gate` over a million spans against the loop that people write."""

import json
import os
import sys
from pathlib import Path

from measuring import HERE, PROCTOR, compare, peak_memory, row, spent, timed


def measure(folder: Path) -> None:
    """Compare time and memory of `gate --every` with a loop of json.loads."""
    log = folder / "million.jsonl"
    count = int(os.environ.get("PROCTOR_BENCH_SPANS", "1000000"))
    make_log(log, count)
    loop = [sys.executable, str(HERE / "plain_loop.py"), str(log)]
    ours = [PROCTOR, "gate", "--every", "--log", str(log), "--format", "json"]
    for name, bar, more in (("checks only", 1 / 3, []), ("chain verified", 1 / 5, ["--chain"])):
        # NOTE: the bar is on the time that one waits; two processes share the work.
        for unit, measure, most in (("", timed, bar), (" (processor time)", spent, 1)):
            compare(
                f"gate over {count:,} spans ÷ json.loads loop, {name}{unit}",
                most,
                lambda measure=measure: measure(ours),
                lambda measure=measure, more=more: measure([*loop, *more]),
                3,
            )
    row("peak memory of gate --every (MiB)", 48, peak_memory(ours) / 1024)


def make_log(path: Path, count: int) -> None:
    """Write a log of many spans, one run of ten processes after the other."""
    from proctor.records.append import ZERO, seal

    template = json.loads((HERE / "span.json").read_text())
    before = ZERO
    with open(path, "wb", buffering=1 << 20) as file:
        for number in range(count):
            span = {
                **template,
                "span_id": f"{number:016x}",
                "run_id": f"{number // 10:032x}",
                "prev": before,
            }
            line, before = seal(span)
            file.write(line)
