"""Prints every case with its verdict: `python -m tests.cheats [WORD…]`."""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.cheats.stage import Case, Stage, UnavailableError
from tests.cheats.table import CAUGHT, HONEST


def play(case: Case, *, cheat: bool) -> bool:
    """Play one case, print its row and return whether it came out right."""
    missing = [name for name in case.needs if shutil.which(name) is None]
    if missing:
        print(f"skipped {case.number:>3}  {case.title:42} needs {', '.join(missing)}", flush=True)
        return True
    with tempfile.TemporaryDirectory(prefix="proctor-case-") as name:
        began = time.perf_counter()
        try:
            found = case.verdict(Stage(Path(name)))
        except UnavailableError as error:
            why = " ".join(str(error).split())[:80]
            print(f"skipped {case.number:>3}  {case.title:42} {why}", flush=True)
            return True
        except subprocess.TimeoutExpired as error:
            print(f"WRONG   {case.number:>3}  {case.title:42} {error}", flush=True)
            return False
        took = round((time.perf_counter() - began) * 1000)
    right = (found.code != 0 and bool(found.rules & case.rules)) if cheat else found.code == 0
    word = ("caught " if cheat else "passed ") if right else "WRONG  "
    print(
        f"{word} {case.number:>3}  {case.title:42} {found.outcome or found.code!s:9} {took:6} ms  "
        f"{', '.join(sorted(found.rules)) or '-'}",
        flush=True,
    )
    return right


def main(words: list[str]) -> int:
    """Play the cases that any of the words names, or all."""
    results = [
        play(case, cheat=cheat)
        for cases, cheat in ((CAUGHT, True), (HONEST, False))
        for case in cases
        if not words or any(word in case.id for word in words)
    ]
    wrong = results.count(False)
    print(f"{len(results) - wrong} passed, {wrong} failed")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
