"""Prints every fault and what came of it: `python -m tests.faults [WORD…]`."""

import sys
import tempfile
from pathlib import Path

from tests.faults.base import Fault, Scene, UnavailableError
from tests.faults.table import FAULTS, page


def play(fault: Fault) -> bool:
    """Bring one fault about, print its row, return whether all promises were kept."""
    why, wrong = ", ".join(fault.missing), None
    if not why:
        with tempfile.TemporaryDirectory(prefix="proctor-fault-") as name:
            try:
                wrong = fault.wrong(Scene(Path(name)))
            except UnavailableError as error:
                why = str(error)
            except AssertionError as error:
                wrong = str(error) or "more was lost than that"
    word = f"skipped: {why}" if why else f"WRONG: {wrong}" if wrong else "kept"
    print(f"{fault.name} | {fault.lost} | {fault.said or '-'} | {fault.code} | {word}", flush=True)
    return wrong is None


def main(words: list[str]) -> int:
    """Play the faults that any of the words names, or all; with `--page` print the page."""
    if words == ["--page"]:
        sys.stdout.write(page())
        return 0
    print("fault | what is lost | what is said | exit code |")
    kept = [play(f) for f in FAULTS if not words or any(word in f.name for word in words)]
    print(f"{kept.count(True)} kept, {kept.count(False)} broken")
    return int(False in kept)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
