"""Steps a second of the oracle, against xargs."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from measuring import HERE, row


def measure(folder: Path) -> None:
    """Compare the steps a second, in plain folders and in bubblewrap."""
    count = 2000
    corpus = folder / "corpus.jsonl"
    corpus.write_text(
        "".join(json.dumps({"seed": f"s{n}", "steps": [["x"]]}) + "\n" for n in range(count))
    )
    code = (
        "import sys; sys.path[:0] = [sys.argv[1], sys.argv[1] + '/measures'];"
        "from replay import replay_rate;"
        "print(replay_rate(sys.argv[2], sys.argv[3], sys.argv[4:]))"
    )
    for kind in ("folders", "bubblewrap"):
        for program in (["/bin/echo"], [os.path.realpath(sys.executable), "-I", "-c", "1"]):
            if kind == "bubblewrap" and shutil.which("bwrap") is None:
                print("skipped: no bubblewrap")
                continue
            some = count if len(program) == 1 and kind == "folders" else 300
            quotients = []
            for _ in range(3):
                words = [sys.executable, "-c", code, str(HERE), kind, str(some)]
                ours = float(
                    subprocess.run(
                        [*words, *program], capture_output=True, text=True, check=True
                    ).stdout
                )
                quotients.append(xargs_rate(kind, some, program, folder) / ours)
            row(
                f"xargs -P ÷ oracle replay, steps/s, {Path(program[0]).name}, {kind}",
                1 / 0.9,
                statistics.median(quotients),
                spread=f"{min(quotients):.2f}–{max(quotients):.2f}",
            )


def replay_rate(kind: str, count: str, program: Sequence[str]) -> float:
    """Steps a second of the replay on its own threads."""
    from proctor.oracle.engine import CHUNK, Task, Threads
    from proctor.oracle.replay import Playing
    from proctor.oracle.sandbox import Box, Build

    playing = Playing(Build("", tuple(program), ()), Box(kind), 10.0, "process")
    rows = [b'{"seed":"s%d","steps":[["x"]]}' % n for n in range(int(count))]
    tasks = [
        Task(n, "old1", playing, b"\n".join(rows[n : n + CHUNK]))
        for n in range(0, len(rows), CHUNK)
    ]
    engine = Threads()
    began = time.perf_counter()
    for _ in engine.map(tasks):
        pass
    rate = len(rows) / (time.perf_counter() - began)
    engine.close()
    return rate


def xargs_rate(kind: str, count: int, program: Sequence[str], folder: Path) -> float:
    """Steps a second of xargs on the same commands, within the same kind of sandbox."""
    from proctor.oracle.sandbox import Axes, Box, Build, Wrapper, environment

    build = Build("", tuple(program), ())
    (folder / "x" / "work").mkdir(parents=True, exist_ok=True)
    wrapper = Wrapper(Box(kind), build, str(folder / "x"))
    env = environment(build, Axes(), wrapper.inner)
    words = ["xargs", f"-P{os.cpu_count()}", "-n1", *wrapper.argv(program, env)]
    began = time.perf_counter()
    subprocess.run(words, input=b"x\n" * count, stdout=subprocess.DEVNULL, check=True)
    return count / (time.perf_counter() - began)
