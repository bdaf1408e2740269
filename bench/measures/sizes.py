"""What a record, a test run and a recorder weigh."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from measuring import HERE, PROCTOR, peak_memory, row, shell, spent

PROCESSES = 200
FILES = 200
"""Files of the project that the tests run on."""
OUTPUT_MB = 100
EDITS = 10
STEPS = 100


def measure(folder: Path) -> None:
    """Weigh records, what test runs leave beside them, and the recorder's memory."""
    state = folder / "sizes"
    os.environ["PROCTOR_STATE_DIR"] = str(state)
    repo = folder / "project"
    (repo / "src").mkdir(parents=True)
    for number in range(FILES):
        (repo / "src" / f"part_{number}.py").write_text(f"VALUE = {number}\n" * 200)
    (repo / "test_part.py").write_text("def test_one():\n    assert True\n")
    os.chdir(repo)
    _quiet(["git", "init", "-q"])
    _quiet(["git", "add", "-A"])
    who = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    _quiet(["git", *who, "commit", "-q", "-m", "A project"])
    _processes()
    _test_runs(state)
    _edits(repo, state)
    _memory()
    os.chdir(folder)
    _steps()


def _processes() -> None:
    """A span for each process, all of them kept; a run of one command."""
    line = f"for n in $(seq {PROCESSES}); do /bin/true; done"
    _quiet([PROCTOR, "run", "--keep", "all", "--", *shell(line)])
    log = _log()
    row("bytes of a span of a plain process", 2048, log.stat().st_size / (PROCESSES + 1))
    before = log.stat().st_size
    _quiet([PROCTOR, "run", "--", "true"])
    row("bytes of a run of one command", 4096, log.stat().st_size - before)


def _test_runs(state: Path) -> None:
    """The first test run in a repository, and the next on the same files."""
    argv = [PROCTOR, "run", "--", "python", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    before = _weight(state)
    _quiet(argv)
    first = _weight(state)
    _quiet(argv)
    row(f"KiB that a first test run over {FILES} files leaves", 4096, (first - before) / 1024)
    row("KiB that the next test run on the same files leaves", 64, (_weight(state) - first) / 1024)
    line = [one for one in _log().read_bytes().splitlines() if json.loads(one)["report"]][-1]
    row("bytes of a span of a test run", 4096, len(line))


def _edits(repo: Path, state: Path) -> None:
    """Test runs, one file of 2.4 kB edited before each."""
    before = _weight(state)
    for number in range(EDITS):
        (repo / "src" / "part_0.py").write_text(f"VALUE = {number} + 1\n" * 200)
        _quiet([PROCTOR, "run", "--", "python", "-m", "pytest", "-q", "-p", "no:cacheprovider"])
    row("KiB that a test run after an edit leaves", 64, (_weight(state) - before) / EDITS / 1024)


def _memory() -> None:
    """The recorder's peak: with much output, and with many processes below it."""
    much = shell(f"head -c {OUTPUT_MB}000000 /dev/zero")
    many = shell("for n in $(seq 2000); do /bin/true; done")
    row(
        f"MiB of `run`, {OUTPUT_MB} MB of output",
        48,
        peak_memory([PROCTOR, "run", "--", *much]) / 1024,
    )
    row("MiB of `watch`, 2,000 processes", 48, peak_memory([PROCTOR, "watch", "--", *many]) / 1024)


def _steps() -> None:
    """Processor time of a step of the oracle: a compiled program, a Python program."""
    python = [os.path.realpath(sys.executable), "-I", "-c", "import json"]
    plays = [("a compiled program", "folders", ["/bin/echo"]), ("Python", "folders", python)]
    if shutil.which("bwrap"):
        plays.append(("a compiled program in bubblewrap", "bubblewrap", ["/bin/echo"]))
    for name, kind, program in plays:
        few, many = (_cost(kind, number, program) for number in (STEPS, 3 * STEPS))
        row(f"ms of processor a step, {name}", 100, (many - few) / (2 * STEPS) * 1000)


def _cost(kind: str, number: int, program: list[str]) -> float:
    code = (
        "import sys; sys.path[:0] = [sys.argv[1], sys.argv[1] + '/measures'];"
        "from replay import replay_rate; replay_rate(sys.argv[2], sys.argv[3], sys.argv[4:])"
    )
    return spent([sys.executable, "-c", code, str(HERE), kind, str(number), *program])


def _weight(folder: Path) -> int:
    """Return the bytes that a folder takes on the disk."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*"))


def _log() -> Path:
    done = subprocess.run([PROCTOR, "log", "--path"], capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())


def _quiet(argv: list[str]) -> None:
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
