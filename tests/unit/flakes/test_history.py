"""The history's file: whole runs, many writers, sudden ends."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import pytest

from proctor.errors import EvidenceError
from proctor.flakes.history import History, RunFacts
from proctor.flakes.reports import Attempts


def facts(run_id: str, **members: object) -> RunFacts:
    return RunFacts(
        **{  # type: ignore[arg-type]
            "run_id": run_id,
            "started": f"2026-03-01T10:00:{len(run_id):02}Z",
            "tree": "t",
            "command": "pytest",
            "toolchain": "x",
            **members,
        }
    )


def attempts(*names: str, outcomes: tuple[str, ...] = ("passed",)) -> list[Attempts]:
    return [Attempts(test=name, shown=name, outcomes=outcomes) for name in names]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "state" / "flakes.sqlite")


def test_a_run_is_there_when_it_was_added(path: str) -> None:
    with History(path) as history:
        failed = Attempts(
            test="b", shown="b.py", outcomes=("failed", "passed"), seconds=0.5,
            fingerprints=("f",), message="boom",
        )  # fmt: skip
        assert history.add(facts("r", seed="1"), [*attempts("a"), failed])
        assert not history.add(facts("r"), attempts("a"))
    with History(path) as history:
        (run,) = history.runs()
        assert (run.tests, run.failed, run.complete, run.seed) == (2, 1, True, "1")
        (_, _, [a]), (name, shown, [b]) = history.tests()
        assert (name, shown, b.outcomes, b.fingerprints) == (
            "b",
            "b.py",
            ("failed", "passed"),
            ("f",),
        )
        assert (b.seconds, b.message, b.run, b.failed, b.passed) == (0.5, "boom", run, True, True)
        assert not a.failed


def test_only_the_user_may_read_it(path: str) -> None:
    with History(path) as history:
        history.add(facts("r"), attempts("a"))
        for name in os.listdir(os.path.dirname(path)):
            assert os.stat(os.path.join(os.path.dirname(path), name)).st_mode & 0o077 == 0, name


def test_an_empty_history_has_nothing(path: str) -> None:
    with History(path) as history:
        assert list(history.tests()) == []


def test_history_goes_on_when_a_file_is_moved(path: str) -> None:
    with History(path) as history:
        history.add(facts("1"), attempts("old::a", "old::b", "x::c", "y::c"))
        history.add(facts("22"), attempts("new::a", "new::b", "z::c"))
        names = {name: len(runs) for name, _, runs in history.tests()}
        assert names == {"new::a": 2, "new::b": 2, "x::c": 1, "y::c": 1, "z::c": 1}
        assert history.renames() == {"old::a": "new::a", "old::b": "new::b"}
        history.add(facts("333"), attempts("newer::a", "new::b"))
        assert history.renames()["old::a"] == "newer::a"


def test_a_copy_is_no_rename(path: str) -> None:
    with History(path) as history:
        history.add(facts("1"), attempts("old::a"))
        history.add(facts("22"), attempts("old::a", "new::a"))
        assert history.renames() == {}
        history.add(facts("333", command="other"), attempts("third::a"))
        assert history.renames() == {}


def test_a_test_may_be_renamed_by_hand(path: str) -> None:
    with History(path) as history:
        history.add(facts("1"), attempts("a", "b"))
        assert history.rename("a", "c")
        assert not history.rename("absent", "d")
        assert not history.rename("b", "c")


_WRITE = """
import sys
from proctor.flakes.history import History, RunFacts
from proctor.flakes.reports import Attempts
path, number, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
for count in range(times):
    with History(path) as history:
        facts = RunFacts(run_id=f"{number}-{count}", started=f"2026-03-01T10:{count % 60:02}:00Z",
                         tree="t", command="pytest", toolchain="x")
        tests = [Attempts(test=f"t::{n}", shown="t", outcomes=("passed",)) for n in range(40)]
        history.add(facts, tests)
"""


def test_many_writers_lose_nothing(path: str) -> None:
    count = 6
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITE, path, str(number), "1"])
        for number in range(count)
    ]
    assert [writer.wait() for writer in writers] == [0] * count
    with History(path) as history:
        assert len(history.runs()) == count
        assert {len(runs) for _, _, runs in history.tests()} == {count}


def test_a_writer_that_is_killed_leaves_whole_runs(path: str) -> None:
    for delay in (0.25, 0.35, 0.5):
        writer = subprocess.Popen([sys.executable, "-c", _WRITE, path, f"w{delay}", "100000"])
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    with History(path) as history:
        runs = history.runs()
        assert {len(found) for _, _, found in history.tests()} <= {len(runs)}
        assert all(run.tests == 40 for run in runs)
        assert history.add(facts("after"), attempts("t::1"))


def test_what_is_no_history_is_one_line(tmp_path: Path, path: str) -> None:
    bad = tmp_path / "bad"
    bad.write_text("this is no database, and long enough to be taken for one" * 20)
    for name in (str(bad), str(tmp_path)):
        with pytest.raises(EvidenceError, match="or name another with --history") as refused:
            History(name)
        assert "\n" not in str(refused.value)
    with History(path):
        pass
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(EvidenceError, match="use a newer Proctor"):
        History(path)


def test_a_history_that_breaks_while_it_is_read_is_one_line(path: str) -> None:
    def read() -> None:
        with History(path) as history:
            history._db.execute("DROP TABLE results")
            list(history.tests())

    with pytest.raises(EvidenceError, match="cannot be used"):
        read()


def test_a_run_of_odd_names_is_kept(path: str) -> None:
    odd = "t::ü\x00'\"; DROP TABLE runs; --"
    with History(path) as history:
        history.add(facts("r"), attempts(odd))
        assert next(iter(history.tests()))[0] == odd


def test_facts_are_plain_values() -> None:
    assert msgspec.structs.replace(facts("r"), tree=None).tree is None


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE results SET outcomes = 'no JSON'",
        "UPDATE results SET fingerprints = '[1, {}]'",
        "UPDATE results SET message = x'ff00'",
        "UPDATE runs SET tests = 'many'",
    ],
)
def test_rows_that_proctor_did_not_write_are_one_line(path: str, edit: str) -> None:
    with History(path) as history:
        history.add(facts("r"), attempts("a"))
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute(edit)
        db.commit()
    with History(path) as history, pytest.raises(EvidenceError, match="move the file away"):
        list(history.tests())


def test_a_history_that_may_only_be_read_can_be_read() -> None:
    script = (
        "import os, sys; os.setuid(65534) if os.getuid() == 0 else None\n"
        "from proctor.flakes.history import History\n"
        "with History(sys.argv[1]) as history: print(len(history.runs()))\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "flakes.sqlite")
        with History(path) as history:
            history.add(facts("r"), attempts("a"))
        os.chmod(path, 0o444)
        os.chmod(folder, 0o555)
        words = [sys.executable, "-c", script, path]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        os.chmod(folder, 0o700)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_a_full_disk_is_told_as_what_it_is() -> None:
    with pytest.raises(EvidenceError, match="is full; free some space"):
        History("/dev/full")
