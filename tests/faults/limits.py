"""The machine, or a limit, gives no more."""

from pathlib import Path

from tests.conftest import PROCTOR
from tests.faults.base import Fault, Scene, Seen


def descriptors(scene: Scene) -> Seen:
    """Too few file descriptors to start with."""
    return scene.shell(f"ulimit -n 16; $P run -- touch {scene.folder}/mark")


def descriptors_below(scene: Scene) -> Seen:
    """The command has few, and uses them all up; the recorder needs no more than at its start."""
    code = "import os\ntry:\n  while True: os.dup(0)\nexcept OSError: pass\nos.execv('/bin/sh', ['sh', '-c', 'exit 3'])"
    return scene.shell(f'ulimit -n 40; $P run --keep all -- python3 -c "{code}"')


def processes(scene: Scene) -> Seen:
    """No more processes may be started."""
    with scene.other_user() as other:
        return scene.shell(f"{' '.join(other)} prlimit --nproc=1 $P run -- true", cwd="/")


def threads(scene: Scene) -> Seen:
    """One process may be started, but no thread."""
    with scene.other_user() as other:
        return scene.shell(f"{' '.join(other)} prlimit --nproc=2 $P run -- touch /nowhere", cwd="/")


def processes_below(scene: Scene) -> Seen:
    """The command may start no process, and neither may the recorder any helper."""
    with scene.other_user() as other:
        (scene.log.parent / "test_a.py").write_text("def test_a(): pass\n")
        line = f"{' '.join(other)} prlimit --nproc=5 $P run --keep all -- sh -c '{PYTHON} -m unittest test_a; exit 4'"
        seen = scene.shell(line, cwd=str(scene.log.parent))
        assert scene.codes()[-1] == 4, (scene.codes(), seen)
        return seen


def fork_bomb(scene: Scene) -> Seen:
    """Processes that start processes, for half a second, below a limit."""
    code = (
        "import os, time\n"
        "end = time.time() + 0.5\n"
        "while time.time() < end:\n"
        "    try: os.fork()\n"
        "    except OSError: time.sleep(0.002)\n"
        "os._exit(3)\n"
    )
    with scene.other_user() as other:
        bomb = scene.log.parent / "bomb.py"
        bomb.write_text(code)
        line = f"{' '.join(other)} prlimit --nproc=120 $P run -- /usr/bin/env python3 {bomb}"
        seen = scene.shell(line, cwd="/")
        tree = scene.root["tree"]
        assert tree["seen"] > 50
        return seen


def memory(scene: Scene) -> Seen:
    """Ever less memory: the command is not started, or runs to its end with all of its output."""
    for limit in range(18_000, 62_000, 8_000):
        before, mark = len(scene.codes()), scene.folder / f"mark{limit}"
        line = f"touch {mark}; head -c 3000000 /dev/zero; exit 3"
        seen = scene.shell(
            f"ulimit -v {limit}; $P run -- sh -c '{line}' | wc -c >{mark}.n; exit ${{PIPESTATUS[0]}}"
        )
        if seen.code == 125:
            assert not mark.exists()
            assert len(seen.told) == 1, seen.told
            assert "memory; allow more (ulimit" in seen.told[0], seen.told
            continue
        assert scene.codes()[before:] == [seen.code] == [3]
        assert Path(f"{mark}.n").read_text().strip() == "3000000"
    return Seen(seen.code, "")


def memory_below(scene: Scene) -> Seen:
    """The command runs out of memory and is killed, as a group's limit does it."""
    line = "ulimit -v 100000; exec python3 -c 'x = bytearray(1 << 30)'"
    return scene.seen("run", "--", "bash", "-c", f"{line} 2>/dev/null")


PYTHON = Path(PROCTOR).parent / "python"
FAULTS = [
    Fault("out of file descriptors at the start", "nothing: the command is not started",
          "too many open files; allow more (ulimit -n)", 125, descriptors),
    Fault("out of file descriptors below", "nothing", "", 3, descriptors_below),
    Fault("out of processes at the start", "nothing: the command is not started",
          "no process can be started", 125, processes),
    Fault("out of threads at the start", "nothing: the command is not started",
          "no thread can be started", 125, threads),
    Fault("out of processes for a look at the tests", "the tree and the count of these tests",
          "a test leaf could not be examined", 4, processes_below),
    Fault("fork bomb below a limit", "nothing", "", 3, fork_bomb, heavy=True),
    Fault("ever less memory for the recorder (`ulimit -v`)", "nothing: the command is not started, or runs to "
          "its end", "", 3, memory, heavy=True),
    Fault("out of memory below", "nothing", "", 1, memory_below),
]  # fmt: skip
