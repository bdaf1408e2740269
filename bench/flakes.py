"""How the rules for flaky tests do on sequences whose truth is known.

    python bench/flakes.py            about a minute; writes bench/results/flakes.json

Every sequence is a test over 100 runs, five to a tree unless said otherwise. For each
rule: how many sequences it would ever quarantine, and in which run at the median.
"""

import json
import random
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

from proctor.config import FlakesTable
from proctor.flakes.history import Ran, RunFacts
from proctor.flakes.states import standing_of

RUNS, PER_TREE = 100, 5
SEED = 20260301
RULES = {
    "default": FlakesTable(),
    "literal (2 failures in 10)": FlakesTable(rule="literal"),
}
Marks = Callable[[random.Random], str]


def rate(p: float) -> Marks:
    return lambda chance: "".join("F" if chance.random() < p else "." for _ in range(RUNS))


def clustered(p: float, after: float) -> Marks:
    """Failures come together: more likely after one than after a pass."""

    def make(chance: random.Random) -> str:
        marks, failed = [], False
        for _ in range(RUNS):
            failed = chance.random() < (after if failed else p)
            marks.append("F" if failed else ".")
        return "".join(marks)

    return make


def shaped(chance: random.Random) -> str:
    """A rate as real flaky tests have it: half of them fail in less than 1 of 100 runs."""
    return rate(min(0.9, 10 ** chance.gauss(-2.1, 0.7)))(chance)


def mark_one(chance: random.Random) -> str:
    at = chance.randrange(RUNS)
    return "." * at + "F" + "." * (RUNS - at - 1)


SHAPES: dict[str, tuple[int, bool, Marks]] = {
    # name: sequences, whether a quarantine is right, marks
    "always failing": (160, False, lambda _: "F" * RUNS),
    "8 passes, then always failing": (160, False, lambda _: "." * 8 + "F" * (RUNS - 8)),
    "40 passes, then always failing": (160, False, lambda _: "." * 40 + "F" * (RUNS - 40)),
    "one failure in the past": (160, False, mark_one),
    "flaky 1 %": (1000, True, rate(0.01)),
    "flaky 5 %": (1000, True, rate(0.05)),
    "flaky 20 %": (1000, True, rate(0.20)),
    "flaky 50 %": (1000, True, rate(0.50)),
    "flaky 2.8 %, 11.5 % after a failure": (1000, True, clustered(0.028, 0.115)),
    "flaky, rates as found in the wild": (2000, True, shaped),
}


def runs_of(marks: str, per_tree: int = PER_TREE, start: int = 0) -> list[Ran]:
    return [
        Ran(
            run=RunFacts(
                run_id=str(number),
                started=f"{number:06}",
                tree=f"t{(start + number) // per_tree}",
                command="suite",
                toolchain="x",
                tests=1000,
                failed=1,
            ),
            outcomes=("failed",) if mark == "F" else ("passed",),
            fingerprints=("f",) if mark == "F" else (),
        )
        for number, mark in enumerate(marks)
    ]


def quarantined_at(runs: list[Ran], rule: FlakesTable) -> int | None:
    """Return the run after which the rule first calls the test flaky."""
    for count in range(2, len(runs) + 1):
        if not any(ran.failed for ran in runs[max(0, count - rule.window) : count]):
            continue
        state = standing_of("t", "t", runs[max(0, count - 60) : count], rule).state
        if state == "flaky":
            return count
    return None


def last_state(runs: list[Ran], rule: FlakesTable) -> str:
    return standing_of("t", "t", runs, rule).state


def race_of_a_patch(count: int = 500) -> dict[str, object]:
    """A test that was stable at base and fails in 20 % of runs on the patch."""
    chance = random.Random(SEED)
    states = {"with --base": 0, "without": 0}
    for _ in range(count):
        base = runs_of("." * 10, per_tree=100)
        marks = rate(0.2)(chance)[:20]
        patch = runs_of(marks, per_tree=100, start=1000)
        runs = [*base, *patch]
        rule = RULES["default"]
        states["with --base"] += standing_of("t", "t", runs, rule, {"t0"}).state == "flaky"
        states["without"] += standing_of("t", "t", runs, rule).state == "flaky"
    return {"sequences": count, "called flaky": states}


def main() -> None:
    rows = []
    for shape, (count, right, marks) in SHAPES.items():
        chance = random.Random(SEED)
        sequences = [runs_of(marks(chance)) for _ in range(count)]
        for name, rule in RULES.items():
            found = [at for runs in sequences if (at := quarantined_at(runs, rule)) is not None]
            at = statistics.median(found) if found else None
            broken = sum(last_state(runs, rule) == "broken" for runs in sequences)
            rows.append(
                {
                    "shape": shape,
                    "rule": name,
                    "sequences": count,
                    "quarantine is right": right,
                    "quarantined": round(len(found) / count, 3),
                    "median run": at,
                    "broken at the end": round(broken / count, 3),
                }
            )
            print(
                f"{shape:<38} {name:<28} quarantined {len(found) / count:6.1%}"
                f"  at run {at if at is not None else '–':>5}  broken {broken / count:6.1%}",
                flush=True,
            )
    race = race_of_a_patch()
    print(f"a race that the patch brings in (20 %): {race}")
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    (folder / "flakes.json").write_text(json.dumps({"rows": rows, "race": race}, indent=1))


if __name__ == "__main__":
    sys.exit(main())
