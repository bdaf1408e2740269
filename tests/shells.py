"""What Proctor says of a shell line, held against the shell itself.

A line is run with stub runners. A runner is told apart by its argument `t1`, `t2`, …;
the one under test returns 7, always or only the first time it is called. `other` is a
command of which nothing is known: it returns 0 or 3.
"""

import itertools
import os
import shutil
import subprocess
from pathlib import Path

from proctor.classify.shell import read_line

LOOPS = {"for", "while"}
DIALECTS = {"bash": "bash", "dash": "sh", "zsh": "zsh"}
"""A shell, and the dialect that Proctor reads its lines in."""

STUB = """#!/bin/sh
trap '' PIPE
echo "1 passed" 2> /dev/null
case " $* " in
*" $FAIL "*)
    if [ "$MODE" = once ] && [ -e "$RAN" ]; then exit 0; fi
    : > "$RAN"
    exit 7;;
esac
exit 0
"""


class Shell:
    """Runs lines in one shell, with one runner failing."""

    def __init__(self, folder: Path, name: str = "bash") -> None:
        self.dialect = DIALECTS[name]
        self._shell = shutil.which(name) or f"/bin/{name}"
        self._folder = folder
        self._programs = folder / "bin"
        self._programs.mkdir()
        for program in ("pytest", "tox", "npm", "go", "python"):
            (self._programs / program).write_text(STUB)
        (self._programs / "other").write_text('#!/bin/sh\ncat > /dev/null\nexit "$OTHER"\n')
        for path in self._programs.iterdir():
            path.chmod(0o755)
        (folder / "home").mkdir()
        profile = f'PATH="{self._programs}:$PATH"\n'
        (folder / "home" / ".bash_profile").write_text(profile)
        (folder / "work").mkdir()
        self._numbers = itertools.count()

    def __call__(self, line: str, fails: str, mode: str, other: str) -> int | None:
        """Return the line's exit code, none if the runner that should fail never ran."""
        ran = self._folder / f"ran{next(self._numbers)}"
        environ = {
            "PATH": f"{self._programs}:{os.defpath}",
            "HOME": str(self._folder / "home"),
            "FAIL": fails,
            "MODE": mode,
            "OTHER": other,
            "RAN": str(ran),
        }
        done = subprocess.run(
            [self._shell, "-c", line],
            env=environ,
            cwd=self._folder / "work",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
        return done.returncode if ran.exists() else None


def ends_of(shell: Shell, line: str, fails: str) -> set[int | None]:
    """Return every exit code of a line in which the runner `fails` does."""
    words = set(line.split())
    modes: tuple[str, ...] = ("once",) if "until" in words else ("always",)
    modes = ("always", "once") if LOOPS & words else modes
    others = "03" if "other" in line else "0"
    codes = {shell(line, fails, mode, other) for mode in modes for other in others}
    return codes - {None}


def contradiction(shell: Shell, line: str, *, random_line: bool = False) -> str | None:
    """Return in words where the shell and the reading of `line` differ, none where they agree.

    Masked says that the line *may* return zero: what stands beside the runner in a
    random line may make that impossible, so there the runner's own number is refuted.
    That is asked of bash alone: too little said is no harm, `own` is what must be true.
    """
    for run in read_line(line, dialect=shell.dialect):
        name = next((word for word in run.argv if word in ("t1", "t2", "t3", "t4")), None)
        if name is None or run.status == "unknown":
            continue
        codes = ends_of(shell, line, name)
        said = (
            f"{line!r}: {name} is {run.status} ({run.masked_by}), {shell.dialect} returned {codes}"
        )
        if run.status == "own" and not codes <= {7}:
            return said
        if random_line and (shell.dialect != "bash" or "read l" in line):
            continue  # how often a loop over input runs, only its input tells
        if run.status == "masked" and codes and (codes == {7} if random_line else 0 not in codes):
            return said
        if run.status == "altered" and (0 in codes or (codes == {7} and not random_line)):
            return said
    return None
