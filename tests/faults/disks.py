"""The log cannot be written, or only slowly."""

import errno
import os
import subprocess
import sys
from pathlib import Path

from tests.faults.base import Fault, Scene, Seen, last

NOT_STARTED = "touch {mark}; exit 3"


def fill(path: Path) -> None:
    """Write to a file until the disk is full."""
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise


def _nothing_starts(scene: Scene, *more: str) -> Seen:
    mark = scene.folder / "mark"
    line = NOT_STARTED.format(mark=mark)
    seen = scene.seen("run", *more, "--", "sh", "-c", line)
    assert not mark.exists(), "the command was started"
    return seen


def full(scene: Scene) -> Seen:
    """The disk is full before the command starts."""
    with scene.disk() as disk:
        fill(disk / "fill")
        return _nothing_starts(scene)


def full_meanwhile(scene: Scene) -> Seen:
    """The command fills the disk that the log lies on; what ended before is recorded."""
    with scene.disk() as disk:
        line = f"sh -c 'exit 3'; cat /dev/zero > {disk}/fill 2>/dev/null; exit 9"
        seen = scene.seen("run", "--keep", "all", "--", "sh", "-c", line)
        assert 3 in scene.codes()
        assert len(scene.markers()) == 1
        (disk / "fill").unlink()
        assert scene("run", "--", "true").returncode == 0
        return seen


def read_only(scene: Scene) -> Seen:
    """The file system has become read-only."""
    with scene.disk() as disk:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        return _nothing_starts(scene)


def no_permission(scene: Scene) -> Seen:
    """The log belongs to somebody else."""
    with scene.other_user() as other:
        os.chown(scene.log, 0, 0)
        os.chmod(scene.log, 0o600)
        mark = scene.folder / "mark"
        return scene.shell(f"{' '.join(other)} $P run -- touch {mark}", cwd="/")


def too_large(scene: Scene) -> Seen:
    """The log may not grow: `ulimit -f`."""
    with open(scene.log, "ab") as file:
        file.write(scene.log.read_bytes() * 0)
    scene("run", "--", "true", "x" * 2000)
    return scene.shell("ulimit -f 1; $P run -- sh -c 'exit 3'")


def slow(scene: Scene) -> Seen:
    """Every lock and write of the log takes long, as over a network."""
    delay = "inject=flock,ftruncate,fdatasync:delay_exit=150ms"
    line = f"strace -o /dev/null -e trace=flock,ftruncate,fdatasync -e {delay} "
    seen = scene.shell(
        line + "$P run --keep all -- sh -c \"sh -c 'exit 3'; sh -c 'exit 3'; exit 4\""
    )
    assert scene.codes() == [3, 3, 4]
    inner = [span["duration_ms"] for span in scene.spans() if span["exit_code"] == 3]
    assert max(inner) < 140, "the log's slowness is no process's duration"
    return seen


def locked(scene: Scene) -> Seen:
    """Another process holds the log's lock for three seconds."""
    code = "import fcntl, sys, time; f = open(sys.argv[1]); fcntl.flock(f, 2); print(flush=True); time.sleep(3)"
    with subprocess.Popen(
        [sys.executable, "-c", code, scene.log], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        seen = scene.seen("run", "--", "sh", "-c", "exit 3")
    assert scene.codes() == [3]
    return seen


def torn(scene: Scene) -> Seen:
    """A line was torn, as a crash of the machine leaves one."""
    with open(scene.log, "ab") as file:
        file.write(b'{"schema":"proctor.span/1","span_id":"torn')
    seen = scene.seen("run", "--", "sh", "-c", "exit 3")
    (aside,) = scene.log.parent.glob("spans.jsonl.torn-*")
    assert aside.read_bytes().endswith(b"torn")
    assert last(scene.log)["exit_code"] == 3
    return seen


def output_full(scene: Scene) -> Seen:
    """The disk that the command's output goes to is full."""
    seen = scene.shell(
        "$P run -- sh -c \"trap '' PIPE; head -c 3000000 /dev/zero; exit 3\" > /dev/full"
    )
    assert scene.codes() == [3]
    return seen


FAULTS = [
    Fault("disk full before the start", "nothing: the command is not started",
          "No space left on device; free some space", 125, full),
    Fault("disk full meanwhile", "the records after it; a marker says that an end is missing",
          "No space left on device; free some space", 125, full_meanwhile),
    Fault("read-only file system", "nothing: the command is not started",
          "Read-only file system; choose a writable place", 125, read_only),
    Fault("no permission", "nothing: the command is not started",
          "Permission denied; choose a writable place", 125, no_permission),
    Fault("the log may not grow (`ulimit -f`)", "the record of this command; a marker says so",
          "File too large; allow larger files (ulimit -f)", 125, too_large),
    Fault("slow file system", "nothing; no duration holds the log's slowness", "", 4, slow, ("strace",)),
    Fault("the log's lock held for seconds", "nothing", "waiting for another process that holds its lock",
          3, locked, heavy=True),
    Fault("a torn last line", "that line, moved aside", "was torn (42 bytes), moved to", 3, torn),
    Fault("disk full below the output", "output that had no room",
          "stdout was not passed on to its end: No space left on device", 3, output_full),
]  # fmt: skip
