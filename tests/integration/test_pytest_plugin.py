"""The opt-in plugin, `pytest -p proctor.pytest`, in real sessions."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from proctor.results.fingerprint import fingerprint
from tests.conftest import Proctor

SUITE = """import pytest
@pytest.fixture
def broken(): raise RuntimeError("setup boom")
def test_flaky(): assert 0, "boom"
def test_other(): assert 0, "something else"
def test_setup(broken): pass
def test_fine(): pass
@pytest.mark.skip
def test_skip(): pass
"""
Session = Callable[..., subprocess.CompletedProcess[str]]


def entry(test: str, message: str) -> str:
    today = datetime.now(UTC).date()
    found = fingerprint("", message)
    return f"test_a.py::{test}\n  since {today}\n  until {today}\n  fingerprint {found}\n\n"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    project = tmp_path / "app"
    project.mkdir()
    (project / "test_a.py").write_text(SUITE)
    proctor = Proctor(tmp_path)
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)

    def run(*words: str, quarantine: str = "") -> subprocess.CompletedProcess[str]:
        if quarantine:
            (project / "quarantine.txt").write_text(quarantine)
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "proctor.pytest", *words],
            cwd=project,
            env=proctor.env,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_a_quarantined_failure_is_marked_and_still_fails(
    session: Session, tmp_path: Path, workers: tuple[str, ...]
) -> None:
    text = entry("test_flaky", "AssertionError: boom\nassert 0") + entry("test_other", "x")
    words = ("-q", "--junitxml=j.xml", "-o", "junit_family=xunit1", *workers)
    done = session(*words, quarantine=text)
    assert done.returncode == 1
    assert "QFE.s" in done.stdout
    assert f"test_a.py::test_flaky until {datetime.now(UTC).date()}" in done.stdout
    assert "test_a.py::test_other with ANOTHER failure: it gates" in done.stdout
    junit = (tmp_path / "app/j.xml").read_text()
    assert 'name="proctor_gating" value="false"' in junit
    assert 'name="proctor_gating" value="true"' in junit
    assert 'name="proctor_tree"' in junit


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_every_attempt_is_written(
    session: Session, tmp_path: Path, workers: tuple[str, ...]
) -> None:
    text = entry("test_setup", 'failed on setup with "RuntimeError: setup boom"')
    session("-q", "--proctor-attempts=a.jsonl", *workers, quarantine=text)
    head, *rows = (json.loads(line) for line in (tmp_path / "app/a.jsonl").read_text().splitlines())
    assert head["schema"] == "proctor.attempts/1"
    assert len(head["tree"]) == 40
    found = {row["test"].partition("::")[2]: row for row in rows}
    assert {name: row["outcome"] for name, row in found.items()} == {
        "test_flaky": "failed",
        "test_other": "failed",
        "test_setup": "failed",
        "test_fine": "passed",
        "test_skip": "skipped",
    }
    assert found["test_setup"]["quarantined"]
    assert found["test_flaky"]["fingerprint"] == fingerprint("", "AssertionError: boom\nassert 0")


def test_attempts_of_a_repeated_test_are_told_apart(session: Session, tmp_path: Path) -> None:
    hook = """
from _pytest.runner import runtestprotocol
def pytest_runtest_protocol(item, nextitem):
    if item.name != "test_flaky":
        return None
    for last in (False, True):
        for report in runtestprotocol(item, nextitem=nextitem, log=False):
            if not last and report.failed:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
    return True
"""
    (tmp_path / "app/conftest.py").write_text(hook)
    session("-q", "--proctor-attempts=a.jsonl", "-k", "flaky")
    rows = [json.loads(line) for line in (tmp_path / "app/a.jsonl").read_text().splitlines()[1:]]
    assert [(row["attempt"], row["outcome"]) for row in rows] == [(1, "failed"), (2, "failed")]


def test_without_a_quarantine_nothing_changes(session: Session) -> None:
    done = session("-q")
    assert "FFE.s" in done.stdout
    assert "quarantined" not in done.stdout


@pytest.mark.parametrize(
    ("words", "text", "says"),
    [
        ((), "  since x\n", "quarantine.txt:1: since belongs to no test"),
        (("--proctor-quarantine=.",), "", "cannot be read"),
        (("--proctor-attempts=/nowhere/x/y",), "", "cannot be written"),
    ],
)
def test_bad_input_is_one_line(
    session: Session, words: tuple[str, ...], text: str, says: str
) -> None:
    done = session("-q", *words, quarantine=text)
    assert done.returncode == 4
    assert says in done.stderr
    assert "Traceback" not in done.stderr
