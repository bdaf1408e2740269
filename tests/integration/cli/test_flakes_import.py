"""Many imports at once, and one that is killed: the command itself."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from proctor.flakes.history import History
from tests.integration.cli.test_evidence_command import Project


def history_of(project: Project) -> str:
    """Return the history beside the project's span log."""
    log = project("log", "--path").stdout.strip()
    return str(Path(log).with_name("flakes.sqlite"))


def start(project: Project, report: str) -> subprocess.Popen[bytes]:
    """Start an import of one report."""
    return project.proctor.start(
        "flakes", "import", report, cwd=project.root, stderr=subprocess.DEVNULL
    )


@pytest.mark.heavy
def test_fifty_imports_at_once_lose_nothing(tmp_path: Path) -> None:
    project = Project(tmp_path)
    for number in range(50):
        case = f'<testcase classname="t" name="own_{number}"/><testcase classname="t" name="all"/>'
        project.put(f"{number}.xml", f"<testsuite>{case}</testsuite>")
    writers = [start(project, f"{number}.xml") for number in range(50)]
    assert [writer.wait() for writer in writers] == [0] * 50
    with History(history_of(project)) as history:
        assert len(history.runs()) == 50
        counts = {name: len(runs) for name, _, runs in history.tests()}
    assert counts == {"t::all": 50, **{f"t::own_{number}": 1 for number in range(50)}}


@pytest.mark.heavy
def test_an_import_that_is_killed_leaves_the_last_whole_run(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.put("1.xml", "<testsuite><testcase classname='t' name='first'/></testsuite>")
    assert project("flakes", "import", "1.xml").returncode == 0
    cases = "".join(f'<testcase classname="t" name="n{n}"/>' for n in range(25_000))
    project.put("2.xml", f"<testsuite>{cases}</testsuite>")
    path = history_of(project)
    writer = start(project, "2.xml")
    # Pages of a transaction are in this file before it is committed.
    pages = Path(f"{path}-wal")
    while writer.poll() is None and not (pages.exists() and pages.stat().st_size > 200_000):
        time.sleep(0.001)
    writer.kill()
    assert writer.wait() == -signal.SIGKILL
    with History(path) as history:
        assert [run.tests for run in history.runs()] == [1]
        assert [name for name, _, _ in history.tests()] == ["t::first"]
    done = project("flakes", "import", "2.xml", "1.xml")
    assert "2.xml: imported: 25000 tests" in done.stderr
    assert "1.xml: known already" in done.stderr
