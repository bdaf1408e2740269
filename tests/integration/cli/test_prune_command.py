"""`proctor log prune` on real logs, with writers at work and stopped half way."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from proctor.records.append import LogWriter
from proctor.records.log import read_log
from proctor.records.parts import closed_parts, damage
from tests.conftest import PROCTOR, Proctor
from tests.records import make_record

NOW = ("--older-than", "0h", "--unsafe-within-window")


def days_ago(days: float) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def write(log: Path, *ages: float, **more: Any) -> None:
    writer = LogWriter(str(log), pytest.fail)
    for number, age in enumerate(ages):
        writer.append(
            make_record(**({"started_at": days_ago(age), "run_id": f"{age}-{number}"} | more))
        )
    writer.close()


def every_span(log: Path) -> list[str]:
    """Return the ids of all spans, those of closed parts first, links checked."""
    parts = list(closed_parts(str(log)))
    assert all(damage(part, thorough=True) is None for part in parts)
    found = []
    for path in (*(part.path for part in reversed(parts)), str(log)):
        read = read_log(path)
        found += [span.span_id for span in read]
        assert read.problem_count == 0, read.problems
    return found


def test_old_records_are_closed_and_the_rest_stays(proctor: Proctor) -> None:
    write(proctor.log, 90, 60, 20, 1)
    shown = proctor("log", "prune", "--dry-run").stdout
    assert "2 records until" in shown
    assert "would be closed" in shown
    done = proctor("log", "prune")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list(read_log(str(proctor.log)))) == 2
    verified = proctor("verify").stdout.splitlines()
    assert "2 records, the chain is whole" in verified[0]
    assert "2 records closed before, the chain is whole" in verified[1]
    assert "nothing is older than" in proctor("log", "prune").stdout


def test_the_log_says_where_its_earlier_records_are(proctor: Proctor) -> None:
    write(proctor.log, 90)
    proctor("log", "prune")
    closed = next(closed_parts(str(proctor.log))).path
    shown = proctor("log").stdout
    assert f"1 earlier records were closed, the last of them into {closed}" in shown
    assert "nothing recorded yet" not in shown
    assert len(json.loads(proctor("log", "--format", "json", "--log", closed).stdout)) == 1
    assert json.loads(proctor("log", "--format", "json").stdout) == []


def test_a_loop_over_lines_and_jq_pass_over_the_header(proctor: Proctor) -> None:
    write(proctor.log, 90, 1, exit_code=1)
    proctor("log", "prune")
    records = [json.loads(line) for line in proctor.log.read_text().splitlines()]
    assert [r["schema"] for r in records] == ["proctor.log/1", "proctor.span/1"]
    assert len([r for r in records if "span_id" in r]) == 1


def test_what_is_deleted_leaves_its_digests(proctor: Proctor) -> None:
    write(proctor.log, 90, 60, 1)
    done = proctor("log", "prune", "--delete", "--format", "json")
    answer = json.loads(done.stdout)
    assert (answer["closed"]["records"], len(answer["deleted"])) == (2, 1)
    assert not os.path.exists(answer["closed"]["closed"])
    verified = proctor("verify")
    assert verified.returncode == 0
    assert "deleted; the list of its 2 digests is whole" in verified.stdout
    assert len(list(read_log(str(proctor.log)))) == 1


def test_verify_finds_an_altered_closed_part_and_says_what_is_gone(proctor: Proctor) -> None:
    write(proctor.log, 90, 1)
    proctor("log", "prune")
    closed = Path(next(closed_parts(str(proctor.log))).path)
    data = closed.read_bytes()
    closed.write_bytes(data.replace(b'"exit_code":0', b'"exit_code":1'))
    done = proctor("verify")
    assert done.returncode == 1
    assert "was altered" in done.stdout
    closed.unlink()
    done = proctor("verify")
    assert done.returncode == 0
    assert "is not here; what was closed before cannot be verified" in done.stdout


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--older-than", "3d"], "the gate judges by the last 7 days"),
        (["--older-than", "soon"], "'soon' is no age; write 30d, 12h or 6w"),
    ],
)
def test_what_cannot_be_an_age_is_one_line(proctor: Proctor, words: list[str], line: str) -> None:
    write(proctor.log, 90)
    done = proctor("log", "prune", *words)
    assert done.returncode == 64
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_broken_log_is_not_pruned(proctor: Proctor) -> None:
    write(proctor.log, 90, 1)
    content = proctor.log.read_bytes().replace(b'"exit_code":0', b'"exit_code":1', 1)
    proctor.log.write_bytes(content)
    done = proctor("log", "prune")
    assert done.returncode == 65
    assert "only a whole chain can be pruned" in done.stderr
    assert proctor.log.read_bytes() == content


def test_the_path_of_the_log_can_be_asked(proctor: Proctor) -> None:
    assert proctor("log", "--path").stdout == f"{proctor.log}\n"


# ── the gate ────────────────────────────────────────────────────────────────


@pytest.fixture
def app(proctor: Proctor) -> Path:
    folder = proctor.folder / "app"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", folder], check=True)
    (folder / "test_a.py").write_text("import sys\n\ndef test_a():\n    assert True\n")
    return folder


def rules(proctor: Proctor, app: Path, *words: str) -> dict[str, str]:
    done = proctor("gate", "--format", "json", *words, cwd=app)
    return {f["rule"]: f["level"] for f in json.loads(done.stdout)["findings"]}


def test_what_was_red_this_week_is_judged_from_the_closed_part(proctor: Proctor, app: Path) -> None:
    (app / "test_a.py").write_text("def test_a():\n    assert False\n")
    proctor("run", "--", sys.executable, "-m", "pytest", "-q", cwd=app)
    before = rules(proctor, app)
    assert "nonzero-exit" in before
    proctor("log", "prune", *NOW, cwd=app)
    assert rules(proctor, app) == before
    closed = Path(next(closed_parts(str(proctor.log))).path)
    data = closed.read_bytes()
    closed.write_bytes(data.replace(b'"exit_code":1', b'"exit_code":0', 1))
    assert rules(proctor, app)["chain-broken"] == "error"
    closed.unlink()
    assert rules(proctor, app)["no-records"] == "unproven"
    assert rules(proctor, app, "--every")["no-records"] == "unproven"


@pytest.mark.heavy
def test_what_was_closed_long_ago_is_not_missed(proctor: Proctor, app: Path) -> None:
    write(proctor.log, 90)
    proctor("run", "--", sys.executable, "-m", "pytest", "-q", cwd=app)
    proctor("log", "prune", "--delete", cwd=app)
    done = proctor("gate", cwd=app)
    assert done.returncode == 0, done.stdout


# ── the state folder ────────────────────────────────────────────────────────


@pytest.mark.heavy
def test_what_no_record_refers_to_is_removed(proctor: Proctor, app: Path) -> None:
    pytest_run = ("run", "--", sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    no_log = {"PROCTOR_LOG": "", "PYTHONDONTWRITEBYTECODE": "1"}
    proctor(*pytest_run, cwd=app, env=no_log)
    (state,) = (proctor.folder / "state").glob("app-*")
    old = {path for path in state.rglob("*") if path.is_file()}
    time.sleep(1.1)
    between = time.time()
    (app / "test_a.py").write_text("def test_b():\n    assert True\n")
    proctor(*pytest_run, cwd=app, env=no_log)
    new = {path for path in state.rglob("*") if path.is_file()} - old
    done = proctor("log", "prune", "--delete", *NOW, "--dry-run", cwd=app, env=no_log)
    assert "closed" in done.stdout
    assert {path for path in state.rglob("*") if path.is_file()} >= new | old

    from proctor.records.place import find_clone
    from proctor.records.prune import close_older, delete_closed
    from proctor.setup.sweep import sweep

    log = str(state / "spans.jsonl")
    cutoff = datetime.fromtimestamp(between, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    clone = find_clone(str(app))
    settings = ["cached settings"]
    assert [s.kind for s in sweep(clone, str(state), between, dry_run=True).swept] == settings
    assert close_older(log, cutoff) is not None
    assert [s.kind for s in sweep(clone, str(state), between, dry_run=True).swept] == settings
    delete_closed(log, cutoff)
    swept = {one.kind: one.paths for one in sweep(clone, str(state), between, dry_run=False).swept}
    assert (len(swept["reports"]), len(swept["git objects"])) == (1, 2)
    assert all(path.exists() for path in new if "objects" in path.parts)
    assert proctor("gate", cwd=app, env=no_log).stdout.count("unproven ") == 1  # the pruned run
    objects = {p.parent.name + p.name for p in (state / "objects").glob("??/*")}
    for span in read_log(log):
        if span.git is not None:
            assert span.git.tree in objects


def test_a_report_that_was_kept_beside_another_stays(proctor: Proctor, app: Path) -> None:
    run = ("run", "--", sys.executable, "-m", "pytest", "-q", "--junitxml", "j.xml")
    proctor(*run, cwd=app, env={"PROCTOR_LOG": ""})
    (state,) = (proctor.folder / "state").glob("app-*")
    reports = set((state / "reports").iterdir())
    assert len(reports) == 2
    from proctor.records.place import find_clone
    from proctor.setup.sweep import sweep

    sweep(find_clone(str(app)), str(state), time.time() + 60, dry_run=False)
    assert set((state / "reports").iterdir()) == reports


def test_state_stays_where_another_log_refers_to_it_or_a_command_runs(
    proctor: Proctor, app: Path
) -> None:
    run = ("run", "--", sys.executable, "-m", "pytest", "-q")
    proctor(*run, cwd=app)
    (state,) = (proctor.folder / "state").glob("app-*")
    kept = {path for folder in ("reports", "objects") for path in (state / folder).rglob("*")}
    assert kept
    own = {"PROCTOR_LOG": ""}
    proctor("run", "--", "true", cwd=app, env=own)
    proctor("log", "prune", "--delete", *NOW, cwd=app, env=own)
    assert {p for f in ("reports", "objects") for p in (state / f).rglob("*")} == kept
    child = proctor.start("run", "--", "sleep", "30", cwd=app)
    while not list(proctor.folder.glob("spans.jsonl.pending/*")):
        time.sleep(0.02)
    done = proctor("log", "prune", *NOW, cwd=app, env=own)
    child.send_signal(signal.SIGTERM)
    child.wait(10)
    assert "stay: " in done.stdout
    assert "a command is being recorded" in done.stdout


# ── writers at work, and a prune that is killed ─────────────────────────────

_WRITER = """
import sys, time
from proctor.records.append import LogWriter
sys.path.insert(0, sys.argv[4])
from tests.records import make_record
writer = LogWriter(sys.argv[1], print)
for number in range(int(sys.argv[3])):
    writer.append(make_record(span_id=f"{sys.argv[2]}-{number}", run_id=f"{sys.argv[2]}-{number}",
                              started_at="2026-01-01T00:00:00.000000Z"))
    time.sleep(float(sys.argv[5]))
"""
Start = Callable[..., "list[subprocess.Popen[str]]"]


@pytest.fixture
def writers(proctor: Proctor) -> Start:
    def start(number: int, each: int, pause: float = 0) -> "list[subprocess.Popen[str]]":
        root = str(Path(__file__).parents[3])
        return [
            subprocess.Popen(
                [sys.executable, "-c", _WRITER, proctor.log, str(n), str(each), root, str(pause)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for n in range(number)
        ]

    return start


def finish(processes: "list[subprocess.Popen[str]]") -> None:
    for process in processes:
        out, _ = process.communicate(timeout=100)
        assert (process.returncode, out) == (0, "")


def test_writers_lose_nothing_to_a_prune(proctor: Proctor, writers: Start) -> None:
    from proctor.records.prune import close_older

    processes = writers(6, 300, 0.003)
    while not proctor.log.exists():
        time.sleep(0.01)
    closed = []
    while any(process.poll() is None for process in processes):
        closed.append(close_older(str(proctor.log), "2027"))
    finish(processes)
    assert len([cut for cut in closed if cut is not None]) > 2
    found = every_span(proctor.log)
    assert len(found) == len(set(found)) == 6 * 300


@pytest.mark.heavy
def test_64_writers_lose_nothing_to_prunes(proctor: Proctor, writers: Start) -> None:
    processes = writers(64, 300)
    while any(process.poll() is None for process in processes):
        done = proctor("log", "prune", *NOW)
        assert done.returncode == 0 or "there is no such span log" in done.stderr, done.stderr
    finish(processes)
    found = every_span(proctor.log)
    assert len(found) == len(set(found)) == 64 * 300


_SLOW_PRUNE = """
import os, sys
from proctor.records import prune
count = 0
stop_at = int(sys.argv[2])
def stopping(real):
    def call(*words, **more):
        global count
        count += 1
        if count == stop_at:
            os.kill(os.getpid(), 9)
        return real(*words, **more)
    return call
for name in ("rename", "fsync", "open", "pread", "unlink", "close", "fstat", "lstat"):
    setattr(os, name, stopping(getattr(os, name)))
prune.close_older(sys.argv[1], "2026-06-01")
prune.delete_closed(sys.argv[1], "2026-06-01")
prune.remove_leftovers(sys.argv[1])
"""


def test_a_prune_that_is_killed_at_any_call_leaves_everything_readable(proctor: Proctor) -> None:
    """Kill it before each call to the system in turn, then prune again in the dark."""
    whole = 3
    step, ended = 1, False
    while not ended:
        for path in proctor.folder.glob("spans.jsonl*"):
            path.unlink()
        write(proctor.log, *[200] * whole, started_at="2026-01-01T00:00:00.000000Z")
        write(proctor.log, 1)
        done = subprocess.run(
            [sys.executable, "-c", _SLOW_PRUNE, proctor.log, str(step)], check=False
        )
        ended = done.returncode == 0
        assert done.returncode in (0, -9)
        here = len(list(read_log(str(proctor.log))))
        parts = list(closed_parts(str(proctor.log)))
        assert here + sum(part.records or 0 for part in parts) == whole + 1
        assert all(part.state != "gone" for part in parts)
        assert all(damage(part, thorough=True) is None for part in parts)
        assert proctor("log", "prune", "--delete").returncode == 0 if step % 7 == 0 else True
        step += 3
    assert step > 50


@pytest.mark.heavy
def test_prunes_killed_at_random_lose_nothing(proctor: Proctor, writers: Start) -> None:
    processes = writers(4, 800)
    random.seed(1)
    while any(process.poll() is None for process in processes):
        child = subprocess.Popen(
            [PROCTOR, "log", "prune", *NOW], env=proctor.env, stdout=-3, stderr=-3
        )
        time.sleep(random.random() * 0.4)
        child.kill()
        child.wait()
    finish(processes)
    assert len(set(every_span(proctor.log))) == 4 * 800
    assert proctor("log", "prune", *NOW).returncode == 0
    names = [path.name for path in proctor.folder.iterdir()]
    assert not [name for name in names if "closing" in name]
