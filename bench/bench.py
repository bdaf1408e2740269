"""Measures the product against its bars, as ratios within one run.

    make bench                        every measure
    python bench/bench.py start gate  some of the files in bench/measures
    python bench/bench.py --page      write docs/benchmarks.md from the figures that were kept

Nothing here fails: a bar that is missed is printed as such. The figures are
kept in bench/results/bench.json; a run of some measures replaces only theirs.
"""

import importlib
import json
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "bench.json"
PAGE = HERE.parent / "docs" / "benchmarks.md"
MEASURES = (
    *("start", "hooks", "stream", "tree", "watch", "gate", "growth"),
    *("junit", "audit", "diff", "replay", "sizes"),
)

REMARKS = {
    "tree": "Each `/bin/true` is a denied binary, so each becomes a sealed record on disk; strace "
    "writes a line of text. What a process costs more is mostly the switch between three processes "
    "at each stop, so all of it moves with the machine: against strace the spread lies around 1.",
    "watch": "Threads that live long stop once, at their birth, and the recorder then sleeps. Start "
    "and end of `watch` take about 50 ms; the rest is the spread of the machine.",
    "audit": "The same loop with `json.loads` and no question asked is the floor of most tools.",
    "junit": "With every attempt kept, each case is an object with its fingerprint.",
    "replay": "A command of a millisecond is all start; what Python adds to each is its streams, "
    "its limits, its end and a look at its folders: a fifth of a millisecond. The default, bubblewrap, "
    "starts them from a small process inside one sandbox; xargs needs a sandbox for each.",
}
"""Why a bar is missed, or nearly so; where the page shows such a measure."""


def main(words: Sequence[str]) -> None:
    """Run the measures that are named, or all; write the page where that is asked."""
    if "--page" in words:
        kept = json.loads(RESULTS.read_text())
        PAGE.write_text(page(kept))
        return
    sys.path[:0] = [str(HERE), str(HERE / "measures")]
    import measuring

    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"measures": {}}
    kept["machine"] = machine()
    print(kept["machine"])
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as name:
        os.environ["PROCTOR_STATE_DIR"] = f"{name}/state"
        for measure in words or MEASURES:
            os.chdir(name)
            importlib.import_module(measure).measure(Path(name))
            kept["measures"][measure] = list(measuring.ROWS)
            measuring.ROWS.clear()
            RESULTS.parent.mkdir(exist_ok=True)
            RESULTS.write_text(json.dumps(kept, indent=1))


def machine() -> str:
    """Return what the figures were taken on."""
    name = "unknown processor"
    if (info := Path("/proc/cpuinfo")).exists():
        models = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        name = models[0].partition(":")[2].strip() if models else name
    kernel = f"{platform.system()} {platform.release().partition('-')[0]}"
    return f"{name}, {os.cpu_count()} cores, {kernel}, Python {platform.python_version()}"


def page(kept: dict[str, object]) -> str:
    """Return the page of the figures."""
    lines = [
        "# Benchmarks",
        "",
        "Made by `make bench`, then `python bench/bench.py --page`, on",
        f"{kept['machine']}.",
        "Each row is the median of quotients measured one right after the other in one run, so that",
        "a busy machine slows both sides; a value at or below its bar is met. Take them again on your own",
        "machine: the quotients travel, the milliseconds do not.",
        "",
    ]
    measures: dict[str, list[dict[str, object]]] = kept["measures"]  # type: ignore[assignment]
    for name in (name for name in MEASURES if name in measures):
        doc = (HERE / "measures" / f"{name}.py").read_text().partition('"""')[2].partition('"""')[0]
        lines += [
            f"## {doc.strip().rstrip('.')}",
            "",
            *((REMARKS[name], "") if name in REMARKS else ()),
            "| What | Value | Bar | |",
            "| --- | --- | --- | --- |",
        ]
        for one in measures[name]:
            shown = {k: v for k, v in one.items() if k not in ("what", "bar", "value", "met")}
            details = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in shown.items())
            met = "met" if one["met"] else "**missed**"
            lines.append(
                f"| {str(one['what']).replace('|', '&#124;')}{f' ({details})' if details else ''} | {one['value']:.3g} | {one['bar']:.3g} | {met} |"
            )
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
