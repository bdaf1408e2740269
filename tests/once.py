"""What takes long to make, made once for all the processes that test."""

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path


def made_once(folder: Path, of: str, fill: Callable[[Path], object]) -> Path:
    """Return the folder, filled by `fill` unless it was made of the same before.

    Whoever comes second waits. What broke off is made anew.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = folder / "made-of"
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists() or done.read_text(encoding="utf-8") != of:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            fill(folder)
            done.write_text(of, encoding="utf-8")
    return folder
