"""Runs other people's test suites bare, under `run` and under `watch`.

    make suites                   every suite
    python bench/suites.py click  one of: click itsdangerous more-itertools qs pytest

Each suite is a published source distribution, fetched from its registry and made
a git repository of its own. The suite then runs in rounds: bare, `proctor run`,
`proctor watch`, one right after the other. The exit codes must be the same, and
so must both output streams, byte for byte, once what two bare runs do not agree
on either has been masked (`MASKS`). `proctor gate` must pass on each witnessed
run alone. Times are medians over the rounds, as ratios to the bare run.

Exits 1 if a code differs, an output differs, or a gate does not pass.
"""

import difflib
import json
import os
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

BIN = Path(sys.executable).parent
PROCTOR = str(BIN / "proctor")
RESULTS = Path(__file__).parent / "results"
GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org")
MODES = {
    "bare": (),
    "run": (PROCTOR, "run", "--"),
    "watch": (PROCTOR, "watch", "--"),
}

SET_UP = 300
"""Seconds that one step of a set-up may take."""
PATIENCE = {
    "npm_config_fetch_timeout": "20000",
    "npm_config_fetch_retries": "1",
    "PIP_DEFAULT_TIMEOUT": "20",
    "PIP_RETRIES": "1",
    "PIP_NO_INPUT": "1",
}
"""Asks a registry that does not answer twice, and not for a quarter of an hour."""

MASKS = (
    ("duration", rb"\b\d+\.\d+ ?(?:s|ms|seconds)\b(?: \(\d+:\d\d:\d\d\))?"),
    ("duration of tox", rb"\b\d+\.\d+=setup\[\d+\.\d+\]\+cmd\[\d+\.\d+\]"),
    ("number of a package that tox built", rb"(?<=\.tox/\.tmp/package/)\d+"),
)
"""What two bare runs do not agree on: a name and the bytes it looks like."""

PLUGIN = ("pytest's list of plugins", rb"(?m)^plugins: .*\n")
"""Where pytest prints its header it names the plugin that Proctor offers, which is
honest; everything else stays the same. Counted as explained, and shown."""


@dataclass(frozen=True)
class Suite:
    """A source distribution and how its tests are run."""

    name: str
    requirement: str
    """What is fetched, pinned."""
    command: tuple[str, ...]
    prepare: Callable[[Path, Path], None]
    """Takes the source and the environment's folder, installs what the tests need."""
    ignored: str
    """Lines of .gitignore: what the suite writes into its own folder."""
    npm: bool = False
    env: Mapping[str, str] = field(default_factory=dict)
    rounds: int = 3
    owed: bool = False
    """Whether the command is named in proctor.toml as what is owed: a chosen part
    of the tests is `partial-run` otherwise, and rightly."""
    warm: bool = False
    """Whether the first run sets up what later ones find."""


@dataclass
class Run:
    """One finished run of a suite."""

    code: int
    seconds: float
    stdout: bytes
    stderr: bytes


# ── what the suites need ────────────────────────────────────────────────────


def python_packages(*packages: str) -> Callable[[Path, Path], None]:
    """Install packages into a new environment; `.` is the source itself."""

    def prepare(source: Path, venv: Path) -> None:
        quiet([sys.executable, "-m", "venv", str(venv)])
        pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        quiet([*pip, *packages], cwd=source)

    return prepare


def npm_packages(*left_out: str) -> Callable[[Path, Path], None]:
    """Install the dependencies, save development ones that no test needs."""

    def prepare(source: Path, _venv: Path) -> None:
        path = source / "package.json"
        package = json.loads(path.read_text())
        for name in left_out:
            package["devDependencies"].pop(name)
        path.write_text(json.dumps(package, indent=2) + "\n")
        quiet(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=source)

    return prepare


LINT_AND_BUNDLE = (
    *("@browserify/envify", "@browserify/uglifyify", "@ljharb/eslint-config", "browserify"),
    *("bundle-collapser", "common-shakeify", "eclint", "eslint", "evalmd", "glob", "in-publish"),
    *("jackspeak", "mkdirp", "module-deps", "npmignore", "safe-publish-latest", "unassertify"),
)

SUITES = (
    Suite(
        "click",
        "click==8.3.1",
        ("pytest",),
        python_packages("pytest==8.4.2", "."),
        ".pytest_cache\n__pycache__\n",
    ),
    Suite(
        "itsdangerous",
        "itsdangerous==2.2.0",
        ("tox", "-e", "py"),
        python_packages("tox"),
        ".tox\n.pytest_cache\n__pycache__\n",
        warm=True,
    ),
    Suite(
        "more-itertools",
        "more-itertools==10.8.0",
        ("python", "-m", "unittest"),
        python_packages("setuptools"),
        "__pycache__\n",
        rounds=2,
    ),
    Suite(
        "qs",
        "qs@6.14.0",
        ("npm", "run", "tests-only"),
        npm_packages(*LINT_AND_BUNDLE),
        "node_modules\n.nyc_output\ncoverage\n",
        npm=True,
        env={"npm_config_update_notifier": "false"},
    ),
    Suite(
        "pytest",
        "pytest==9.0.2",
        (
            *("pytest", "-q", "testing/acceptance_test.py", "testing/test_runner.py"),
            *("testing/test_main.py", "testing/test_helpconfig.py", "testing/test_subtests.py"),
            *("testing/test_pytester.py", "testing/test_cacheprovider.py"),
        ),
        python_packages(
            "pytest==9.0.2", "attrs", "hypothesis", "mock", "pexpect", "requests", "xmlschema"
        ),
        ".pytest_cache\n__pycache__\n",
        owed=True,
        rounds=2,
    ),
)


# ── the stage ───────────────────────────────────────────────────────────────


def quiet(argv: Sequence[str], cwd: Path | None = None) -> None:
    """Run a command of the set-up; its output is shown where it fails."""
    # NOTE: a file, and a group of its own: what it leaves behind holds nobody up.
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            argv,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, **PATIENCE},
        ) as process,
    ):
        try:
            code: int | str = process.wait(SET_UP)
        except subprocess.TimeoutExpired:
            code = f"nothing within {SET_UP} seconds"
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
        if code:
            said.seek(0)
            sys.stderr.buffer.write(said.read())
            raise SystemExit(f"suites: {' '.join(argv)} returned {code}")


def fetch(suite: Suite, folder: Path) -> Path:
    """Return the unpacked source of a suite, fetched from its registry."""
    packed = folder / "packed"
    packed.mkdir(parents=True)
    if suite.npm:
        quiet(["npm", "pack", "--silent", suite.requirement], cwd=packed)
    else:
        # NOTE: `:all:` would build the build backends from source too.
        sdist = ["--no-binary", suite.requirement.partition("==")[0], suite.requirement]
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        quiet([*pip, "--dest", str(packed), *sdist])
    (archive,) = packed.iterdir()
    with tarfile.open(archive) as tar:
        tar.extractall(folder / "source", filter="data")
    (source,) = (folder / "source").iterdir()
    return source


def environment(suite: Suite, folder: Path, venv: Path) -> dict[str, str]:
    """Return the variables a suite runs with: none of ours, none of the caller's pytest."""
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("PROCTOR", "PYTHON", "PYTEST"))
    }
    return {**kept, "PATH": f"{venv / 'bin'}:{kept['PATH']}", "HOME": str(folder), **suite.env}


def play(suite: Suite, source: Path, env: Mapping[str, str], mode: str, state: Path) -> Run:
    """Run a suite once."""
    shutil.rmtree(state, ignore_errors=True)
    began = time.perf_counter()
    done = subprocess.run(
        [*MODES[mode], *suite.command],
        cwd=source,
        env={**env, **({"PROCTOR_STATE_DIR": str(state)} if mode != "bare" else {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return Run(done.returncode, time.perf_counter() - began, done.stdout, done.stderr)


# ── the comparison ──────────────────────────────────────────────────────────


def masked(data: bytes, *more: tuple[str, bytes]) -> bytes:
    """Return output with what differs from run to run taken out."""
    for name, pattern in (*MASKS, *more):
        data = re.sub(pattern, b"" if (name, pattern) == PLUGIN else b"<%s>" % name.encode(), data)
    return data


def compare_output(old: Run, new: Run) -> tuple[str, list[str]]:
    """Return `same`, `explained` or `DIFFERS`, and the lines that differ."""
    pairs = ((old.stdout, new.stdout), (old.stderr, new.stderr))
    if all(masked(a) == masked(b) for a, b in pairs):
        return "same", []
    if all(masked(a, PLUGIN) == masked(b, PLUGIN) for a, b in pairs):
        return "explained", []
    lines = []
    for a, b in pairs:
        bare, seen = (masked(x, PLUGIN).decode(errors="replace").splitlines() for x in (a, b))
        lines += list(difflib.unified_diff(bare, seen, "bare", "witnessed", n=0, lineterm=""))
    return "DIFFERS", lines


def judge(source: Path, env: Mapping[str, str], state: Path) -> tuple[str, int | None, str]:
    """Return the gate's outcome, the executed tests, and what it and the log say."""
    env = {**env, "PROCTOR_STATE_DIR": str(state)}
    texts = []
    for words in (["gate", "--format", "json"], ["gate"], ["log", "--tree"]):
        done = subprocess.run(
            [PROCTOR, *words], cwd=source, env=env, capture_output=True, text=True, check=False
        )
        texts.append(done.stdout + done.stderr)
    verdict = json.loads(texts[0])
    return verdict["outcome"], executed_in(state), texts[1] + texts[2]


def executed_in(state: Path) -> int | None:
    """Return the count in the first span that has a report."""
    for log in state.glob("*/spans.jsonl"):
        for line in log.read_text().splitlines():
            report = json.loads(line)["report"]
            if report:
                found: int = report["executed"]
                return found
    return None


def measure(suite: Suite, folder: Path) -> list[dict[str, object]]:
    """Run one suite in all modes; return a row for each."""
    source, venv, state = fetch(suite, folder), folder / "venv", folder / "state"
    (source / ".gitignore").write_text(suite.ignored)
    if suite.owed:
        item = f"[[require]]\nname = 'chosen'\ncommand = {json.dumps(suite.command)}\n"
        (source / "proctor.toml").write_text(item)
    suite.prepare(source, venv)
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "as published")):
        quiet([*GIT, *words], cwd=source)
    env = environment(suite, folder, venv)
    if suite.warm:
        play(suite, source, env, "bare", state)
    runs: dict[str, list[Run]] = {mode: [] for mode in MODES}
    judged: dict[str, tuple[str, int | None, str]] = {}
    for _ in range(suite.rounds):
        for mode in MODES:
            runs[mode].append(play(suite, source, env, mode, state))
            if mode != "bare":
                judged[mode] = judge(source, env, state)
    return [row(suite, mode, runs, judged.get(mode)) for mode in MODES]


def row(
    suite: Suite,
    mode: str,
    runs: Mapping[str, Sequence[Run]],
    judged: tuple[str, int | None, str] | None,
) -> dict[str, object]:
    """Return one line of the table; what went wrong is printed at once."""
    reference = runs["bare"][0]
    compared = [compare_output(reference, run) for run in runs[mode]]
    words = {word for word, _ in compared}
    output = next(w for w in ("DIFFERS", "explained", "same") if w in words)
    codes = sorted({run.code for run in runs[mode]})
    outcome, executed, said = judged or ("", None, "")
    ratios = [new.seconds / old.seconds for new, old in zip(runs[mode], runs["bare"], strict=True)]
    good = codes == [reference.code] and output != "DIFFERS" and outcome in ("", "pass")
    if not good:
        lines = [line for _, found in compared for line in found]
        print(f"── {suite.name}, {mode} ──", *lines[:40], said[:4000], sep="\n")
    return {
        "suite": suite.requirement,
        "mode": mode,
        "exit": "/".join(map(str, codes)),
        "output": output,
        "bytes": len(runs[mode][-1].stdout) + len(runs[mode][-1].stderr),
        "seconds": round(statistics.median(run.seconds for run in runs[mode]), 2),
        "ratio": round(statistics.median(ratios), 2),
        "gate": outcome,
        "executed": executed,
        "good": good,
    }


def show(rows: Sequence[Mapping[str, object]]) -> None:
    """Print the table."""
    names = ("suite", "mode", "exit", "output", "bytes", "seconds", "ratio", "gate", "executed")
    table = [names, *(["" if r[n] is None else str(r[n]) for n in names] for r in rows)]
    widths = [max(len(line[i]) for line in table) for i in range(len(names))]
    for line in table:
        print(
            "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        )


def main(names: Sequence[str]) -> int:
    """Measure the suites named, or all."""
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    rows: list[dict[str, object]] = []
    for suite in SUITES:
        if not names or suite.name in names:
            with tempfile.TemporaryDirectory(prefix="proctor-suites-") as folder:
                rows += measure(suite, Path(folder))
    show(rows)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "suites.json").write_text(json.dumps(rows, indent=1))
    return 0 if rows and all(r["good"] for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
