"""Measures the product against its bars, as ratios within one run.

    make bench                    every measure
    python bench/bench.py start   one of: start hooks stream tree watch gate growth junit audit

Every figure is the median over interleaved rounds of the quotient of two
commands measured one right after the other, so that a busy machine slows both.
Nothing here fails: a bar that is missed is printed as such.
"""

import json
import math
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

BIN = Path(sys.executable).parent
PROCTOR = str(BIN / "proctor")
RESULTS = Path(__file__).parent / "results"
ROWS: list[dict[str, object]] = []


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


def shell(line: str) -> list[str]:
    return ["bash", "-c", line]


# ── the measures ────────────────────────────────────────────────────────────


def start(folder: Path) -> None:
    """Start-up of `proctor run -- true`."""
    bare = [sys.executable, "-I", "-c", "pass"]
    ours = [PROCTOR, "run", "--", "true"]
    compare("run -- true ÷ python3 -I -c pass", 3.5, lambda: timed(ours), lambda: timed(bare), 41)
    in_toto = install(folder, "in-toto", "in-toto-run")
    if in_toto is None:
        print("skipped: in-toto-run cannot be installed here")
        return
    key = folder / "key.pem"
    make_key = (
        "from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey as K;"
    )
    make_key += "from cryptography.hazmat.primitives import serialization as s;"
    make_key += "print(K.generate().private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8,"
    make_key += " s.NoEncryption()).decode(), end='')"
    python = str(Path(in_toto).parent / "python")
    made = subprocess.run([python, "-c", make_key], capture_output=True, check=True)
    key.write_bytes(made.stdout)
    theirs = [in_toto, "-n", "x", "--signing-key", str(key), "-d", str(folder), "--", "true"]
    subprocess.run(theirs, check=True, capture_output=True)
    compare(
        "run -- true ÷ in-toto-run -- true", 0.25, lambda: timed(ours), lambda: timed(theirs), 9
    )


def hooks(folder: Path) -> None:
    """What an agent waits for at each command: the hook before it, and the shell prefix."""
    bare = [sys.executable, "-I", "-c", "pass"]
    given = folder / "event.json"
    given.write_text(
        json.dumps(
            {"session_id": "s", "tool_name": "Bash", "tool_use_id": "t",
             "tool_input": {"command": "python3 -m pytest -q tests 2>&1 | tail -3"}}
        )
    )  # fmt: skip

    def hook(*words: str) -> float:
        with open(given) as event:
            return timed([PROCTOR, "hook", *words], stdin=event)

    for words in (
        ("claude-code", "pre-tool-use"),
        ("claude-code", "pre-tool-use", "--rewrite"),
        ("codex", "pre-tool-use"),
    ):
        what = f"hook {' '.join(words)}"
        compare(
            f"{what} ÷ python3 -I -c pass", 2.5, lambda w=words: hook(*w), lambda: timed(bare), 41
        )
        row(f"{what}, ms (fastest)", 60, min(hook(*words) for _ in range(21)) * 1000)
    for what, text, bar in (
        ("a command", "true && eval 'env true' && pwd -P >| /dev/null", 3.5),
        ("a look", "true && eval 'pwd' && pwd -P >| /dev/null", 2.5),
        ("a hook or server", "true", 2.5),
    ):
        ours = [PROCTOR, "hook", "claude-code", "shell", text]
        compare(
            f"hook claude-code shell, {what} ÷ python3 -I -c pass",
            bar, lambda a=ours: timed(a), lambda: timed(bare), 41,
        )  # fmt: skip


def stream(folder: Path) -> None:
    """1 GB of output through `run`."""
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


def tree(folder: Path) -> None:
    """The tree witness over many processes."""
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


def watch(folder: Path) -> None:
    """`watch` around a program that computes in long-lived threads."""
    source = folder / "burn.c"
    source.write_text(
        "#include <pthread.h>\n"
        "static void *burn(void *p) { volatile unsigned long n = 0;"
        " while (n < 9000000000UL) n++; return p; }\n"
        "int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, burn, 0);"
        " for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }\n"
    )
    program = str(folder / "burn")
    if subprocess.run(["cc", "-O1", "-pthread", "-o", program, source], check=False).returncode:
        print("skipped: no C compiler")
        return
    compare(
        "watch on long-lived computing threads ÷ bare",
        1.02,
        lambda: cpu_time([PROCTOR, "watch", "--", program]),
        lambda: cpu_time([program]),
        5,
    )


def cpu_time(argv: Sequence[str]) -> float:
    """Return wall seconds; named for what it is asked of."""
    return timed(argv)


def gate(folder: Path) -> None:
    """`gate` over a million spans against a plain loop."""
    log = folder / "million.jsonl"
    count = int(os.environ.get("PROCTOR_BENCH_SPANS", "1000000"))
    make_log(log, count)
    loop = [sys.executable, str(Path(__file__).parent / "plain_loop.py"), str(log)]
    ours = [PROCTOR, "gate", "--every", "--log", str(log), "--format", "json"]
    for name, bar, more in (("checks only", 1 / 3, []), ("chain verified", 1 / 5, ["--chain"])):
        for unit, measure in (("", timed), (" (processor time)", spent)):
            compare(
                f"gate over {count:,} spans ÷ json.loads loop, {name}{unit}",
                bar,
                lambda measure=measure: measure(ours),
                lambda measure=measure, more=more: measure([*loop, *more]),
                3,
            )
    row("peak memory of gate --every (MiB)", 48, peak_memory(ours) / 1024)


def growth(folder: Path) -> None:
    """How time and memory grow with the log, up to a million spans."""
    from history import make_history

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
            costs.append(max(cost, 0.001))
            print(f"        {name} over {size:,} spans: {cost:.3f} s, {peak:.0f} MiB", flush=True)
        large = [(math.log(n), math.log(c)) for n, c in zip(sizes, costs, strict=True)][-3:]
        slope = statistics.linear_regression(*zip(*large, strict=True)).slope
        row(f"{name}: exponent of the growth of processor time", 1.1, slope)
        row(f"{name}: peak memory over {sizes[-1]:,} spans (MiB)", 64, peak)
    os.chdir(folder)


def junit(folder: Path) -> None:
    """How fast a JUnit report is read, and how much memory a large one needs."""
    from proctor.results.read import read_summary

    path, cases = folder / "report.xml", 300_000
    failure = '<failure message="AssertionError: assert {0} == 2">def test(): assert {0}</failure>'
    with open(path, "w") as file:
        file.write(f'<testsuites><testsuite name="pytest" tests="{cases}">')
        for number in range(cases):
            inner = failure.format(number) if number % 100 == 0 else ""
            file.write(
                f'<testcase classname="tests.test_{number // 50}" name="test_{number}" time="0.001">{inner}</testcase>'
            )
        file.write("</testsuite></testsuites>")
    for what, detailed in (("", False), (", every attempt kept", True)):
        costs = []
        for _ in range(5):
            began = time.process_time()
            read_summary(str(path), "junit", detailed=detailed)
            costs.append(time.process_time() - began)
        speed = cases / statistics.median(costs)
        row(f"JUnit: 100,000 cases a second ÷ speed{what}", 1, 100_000 / speed, cases_s=int(speed))
    with open(path, "w") as file:
        file.write('<testsuite name="long" tests="1000">')
        for number in range(1000):
            file.write(
                f'<testcase name="t{number}"><system-out>{"x" * 1_048_576}</system-out></testcase>'
            )
        file.write("</testsuite>")
    script = "from proctor.results.read import read_summary; import sys; read_summary(sys.argv[1], 'junit')"
    row(
        "JUnit: peak memory over 1 GB (MiB)",
        48,
        peak_memory([sys.executable, "-c", script, str(path)]) / 1024,
    )
    path.unlink()


def make_log(path: Path, count: int) -> None:
    """Write a log of many spans, one run of ten processes after the other."""
    from proctor.records.append import ZERO, seal

    template = json.loads((Path(__file__).parent / "span.json").read_text())
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


def install(folder: Path, package: str, program: str) -> str | None:
    """Install a peer into an environment of its own; return its program."""
    venv = folder / package
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    done = subprocess.run(
        [venv / "bin" / "pip", "install", "--quiet", package], capture_output=True, check=False
    )
    return str(venv / "bin" / program) if done.returncode == 0 else None


def audit(folder: Path) -> None:
    """500 MB of transcripts of mixed formats through `audit`."""
    here = Path(__file__).parent
    mixed = folder / "transcripts"
    script = str(here / "transcripts.py")
    subprocess.run([sys.executable, script, str(mixed), "500"], check=True)
    files = sorted(mixed.iterdir())
    size = sum(path.stat().st_size for path in files) / 1e6
    ours = [PROCTOR, "audit", "--format", "json", "--output", str(folder / "a.json"), str(mixed)]
    theirs = [sys.executable, str(here / "plain_json.py"), *map(str, files)]
    best = min(spent(ours) for _ in range(3))
    row(
        "seconds per core for 100 MB of transcripts",
        1.0,
        best / size * 100,
        mb_per_s=round(size / best),
    )
    compare(
        "audit ÷ a loop of json.loads, processor time",
        1.5,
        lambda: spent(ours),
        lambda: spent(theirs),
        3,
    )
    peak = peak_memory(ours) / 1024
    row(f"peak memory of audit over {size:.0f} MB (MiB)", 120, peak)
    shutil.rmtree(mixed)


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


def oracle(folder: Path) -> None:
    """Steps a second against xargs, and the comparison of two long traces."""
    count = 2000
    corpus = folder / "corpus.jsonl"
    corpus.write_text(
        "".join(json.dumps({"seed": f"s{n}", "steps": [["x"]]}) + "\n" for n in range(count))
    )
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[1]); from bench import replay_rate;"
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
                words = [sys.executable, "-c", code, str(Path(__file__).parent), kind, str(some)]
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
    long_traces(folder)


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


def long_traces(folder: Path) -> None:
    """Two traces of up to a million steps, one in five hundred different."""
    naive = folder / "naive.py"
    naive.write_text(NAIVE)
    costs = []
    sizes = (10_000, 100_000, 1_000_000)
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
    large = [(math.log(n), math.log(c)) for n, c in zip(sizes, costs, strict=True)]
    slope = statistics.linear_regression(*zip(*large, strict=True)).slope
    row("oracle diff: exponent of the growth of processor time", 1.1, slope)


MEASURES = {
    f.__name__: f for f in (start, hooks, stream, tree, watch, gate, growth, junit, audit, oracle)
}


def main(names: Sequence[str]) -> None:
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as name:
        os.environ["PROCTOR_STATE_DIR"] = f"{name}/state"
        os.chdir(name)
        for measure in names or MEASURES:
            MEASURES[measure](Path(name))
    RESULTS.mkdir(exist_ok=True)
    machine = {"platform": platform.platform(), "cores": os.cpu_count(), "python": sys.version}
    (RESULTS / "bench.json").write_text(json.dumps({"machine": machine, "rows": ROWS}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
