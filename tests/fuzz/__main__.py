"""Reads changed inputs until it is stopped: `python -m tests.fuzz [--seconds N] [--seed N] [NAME…]`."""

import argparse
import sys
import time
from hashlib import sha256
from pathlib import Path

from tests.fuzz.play import play
from tests.fuzz.shell import disagreements
from tests.fuzz.targets import TARGETS

ROUND = 50
FOUND = Path("fuzz-found")


def main() -> int:
    """Take turns among the targets; keep what is read wrongly and say where."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("names", nargs="*", help="only targets whose name holds one of these")
    options = parser.parse_args()
    chosen = [t for t in TARGETS if not options.names or any(n in t.name for n in options.names)]
    with_shell = not options.names or "shell lines" in options.names
    print(f"seed {options.seed}, {len(chosen)} targets")
    seed, count, found = options.seed, 0, 0
    deadline = time.monotonic() + options.seconds
    while time.monotonic() < deadline:
        for target in chosen:
            for data, why in play(target, seed, ROUND):
                found += 1
                FOUND.mkdir(exist_ok=True)
                path = FOUND / f"{target.name.replace(' ', '-')}-{sha256(data).hexdigest()[:12]}"
                path.write_bytes(data)
                print(f"WRONG {target.name}: {path}\n{why}", flush=True)
            count += ROUND
        if with_shell:
            for line in disagreements(seed, ROUND):
                found += 1
                print(f"WRONG shell lines: {line}", flush=True)
            count += ROUND
        seed += 1
    print(f"{count} inputs, {found} read wrongly")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
