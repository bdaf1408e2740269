"""A log as an agent leaves it: runs of many kinds, in a real repository.

    python history.py FOLDER SPANS

Every tenth record is a test leaf, over four selections and fifty trees; each run of
ten has a shell for its root, and between them the programs that agents run.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from proctor.records.append import ZERO, seal
from proctor.repo.snapshot import current

TREES = 50
RUN = 10
SELECTIONS = ("tests", "tests/test_a.py", "tests/test_b.py", "tests/test_c.py")
OTHERS = ("ls -l", "git status", "sed -n 1,80p a.py", "rg needle", "cat a.py", "ruff check")
HOST = {"system": "Linux", "machine": "x86_64", "python": "3.11.2"}
Record = dict[str, object]


def make_history(folder: Path, spans: int) -> Path:
    """Return the log of `spans` records over the repository `folder/repo`."""
    repo, log = folder / "repo", folder / f"history-{spans}.jsonl"
    gits = make_repository(repo, folder / "state") if not repo.exists() else read_gits(repo)
    template = json.loads((Path(__file__).parent / "span.json").read_text())
    before = ZERO
    with open(log, "wb", buffering=1 << 20) as file:
        for record in records(spans, gits, template):
            line, before = seal({**record, "prev": before})
            file.write(line)
    return log


def make_repository(repo: Path, state: Path) -> list[Record]:
    """Return what a span says of each of the repository's trees, the current one last."""
    for name in SELECTIONS[1:]:
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text("def test():\n    pass\n")
    git(repo, "init", "-q")
    gits = []
    for number in range(TREES):
        (repo / "a.py").write_text(f"x = {number}\n")
        git(repo, "add", "--all")
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        git(repo, *who, "commit", "-q", "-m", str(number))
        facts = current(str(repo), str(state))
        assert facts is not None
        gits.append({**facts, "tree_after": facts["tree"]})
    (repo.parent / "gits.json").write_text(json.dumps(gits))
    return gits


def read_gits(repo: Path) -> list[Record]:
    found: list[Record] = json.loads((repo.parent / "gits.json").read_text())
    return found


def git(repo: Path, *words: str) -> None:
    repo.mkdir(exist_ok=True)
    subprocess.run(["git", *words], cwd=repo, check=True)


def records(spans: int, gits: list[Record], template: Record) -> Iterator[Record]:
    """Yield runs until there are `spans` records; the runs on the current tree come last."""
    start = datetime.now(UTC) - timedelta(days=3)
    step = timedelta(days=2) / spans
    runs = spans // RUN
    for run in range(runs):
        tree = gits[run * TREES // runs]
        yield from run_records(run, tree, start + run * RUN * step, step, template)


def run_records(
    run: int, tree: Record, start: datetime, step: timedelta, template: Record
) -> Iterator[Record]:
    """Yield one run, its root last: other programs, a test leaf, the shell."""
    root = f"{run * RUN:016x}"
    for number in range(1, RUN + 1):
        began = start + (number % RUN) * step
        record = {
            **template,
            "span_id": f"{run * RUN + number % RUN:016x}",
            "run_id": f"{run:032x}",
            "parent_span_id": root,
            "cwd": tree["root"],
            "started_at": stamp(began),
            "finished_at": stamp(began + timedelta(milliseconds=800)),
            "ended_by": "exit",
            "argv": OTHERS[(run + number) % len(OTHERS)].split(),
        }
        if number == RUN - 1:
            selector = SELECTIONS[run % len(SELECTIONS)]
            record |= leaf(selector, red=run % 7 == 0, tree=tree)
        elif number == RUN:
            text = "pytest -q; git status"
            record |= {"parent_span_id": None, "argv": ["bash", "-c", text], "host": HOST}
        yield record


def leaf(selector: str, *, red: bool, tree: Record) -> Record:
    """Return what a test leaf has of its own."""
    return {
        "argv": ["/usr/bin/python3", "-m", "pytest", "-q", selector],
        "exit_code": int(red),
        "git": tree,
        "report": {
            "path": "/state/reports/1.json",
            "sha256": "0" * 64,
            "format": "proctor_pytest",
            "executed": 3,
            "passed": 3 - red,
            "failed": int(red),
            "skipped": 0,
            "ids_sha256": "1" * 64,
        },
    }


def stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


if __name__ == "__main__":
    print(make_history(Path(sys.argv[1]), int(sys.argv[2])))
