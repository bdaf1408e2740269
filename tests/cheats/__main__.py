"""Prints every case with its verdict: `python -m tests.cheats [WORD…]`.

A row: what came of it, number, case, the level of the threat model that catches it (for a
cheat), verdict, milliseconds, rules. Cheats first, honest runs below them; a false alarm
counts like a miss.
"""

import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.cheats.stage import Case, Stage, UnavailableError
from tests.cheats.table import CAUGHT, HONEST


def play(case: Case, *, cheat: bool) -> str:
    """Play one case, print its row and return its first word."""
    if case.missing:
        return _row(case, "skipped", f"needs {', '.join(case.missing)}")
    with tempfile.TemporaryDirectory(prefix="proctor-case-") as name:
        began = time.perf_counter()
        try:
            found = case.verdict(Stage(Path(name)))
        except UnavailableError as error:
            return _row(case, "skipped", " ".join(str(error).split())[:80])
        except subprocess.TimeoutExpired as error:
            return _row(case, "WRONG", str(error))
        took = round((time.perf_counter() - began) * 1000)
    right = (found.code != 0 and bool(found.rules & case.rules)) if cheat else found.code == 0
    word = ("caught" if cheat else "passed") if right else "WRONG"
    level = f"level {case.level}" if cheat else "honest "
    told = f"{level}  {found.outcome or found.code!s:9} {took:6} ms"
    return _row(case, word, f"{told}  {', '.join(sorted(found.rules)) or '-'}")


def _row(case: Case, word: str, told: str) -> str:
    print(f"{word:7} {case.number:>4}  {case.title:44} {told}", flush=True)
    return word


def main(words: list[str]) -> int:
    """Play the cases that any of the words names, or all."""
    cheats, honest = (
        [
            (play(case, cheat=is_cheat), case.level)
            for case in cases
            if not words or any(word in case.id for word in words)
        ]
        for cases, is_cheat in ((CAUGHT, True), (HONEST, False))
    )
    levels = Counter(level for word, level in cheats if word == "caught")
    at = ", ".join(f"{count} at level {level}" for level, count in sorted(levels.items()))
    missed = sum(word == "WRONG" for word, _ in cheats)
    alarms = sum(word == "WRONG" for word, _ in honest)
    passed = sum(word == "passed" for word, _ in honest)
    skipped = sum(word == "skipped" for word, _ in (*cheats, *honest))
    print(f"cheats: {levels.total()} caught ({at or 'none'}), {missed} missed")
    print(f"honest runs: {passed} passed, {alarms} false alarms")
    if skipped:
        print(f"skipped: {skipped}, for want of a program or a registry")
    return int(missed + alarms > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
