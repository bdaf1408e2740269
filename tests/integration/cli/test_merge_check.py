"""`proctor merge-check`: the gate, with all that the repository asks for."""

import subprocess
from pathlib import Path

import pytest

from proctor.assess.merging import ORACLE, called_for
from tests.integration.cli.test_evidence_command import Project

QUARANTINE = "t.py::a\n  since 2026-03-05\n  until 2026-03-12\n  fingerprint 00000000000000f1\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    found = Project(tmp_path)
    found.put("test_a.py", "def test_a(): pass\n")
    found.put(".gitignore", "__pycache__\n.pytest_cache\n")
    return found


def commit(project: Project) -> None:
    project.git("add", "-A")
    project.git("commit", "-qm", "x")


def branch(project: Project) -> str:
    """Publish what is there, and begin a patch."""
    commit(project)
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=project.root, capture_output=True, text=True, check=True
    )
    project.git("checkout", "-qb", "patch")
    project.put("app.py", "x = 1\n")
    commit(project)
    return done.stdout.strip()


def test_what_is_not_asked_for_is_not_given(project: Project) -> None:
    base = branch(project)
    assert called_for(str(project.root), base).words == ("--base", base)


def test_what_the_base_holds_and_what_is_here_is_given(project: Project) -> None:
    project.put("quarantine.txt", QUARANTINE)
    project.put("oracle/oracle.lock", "{}")
    base = branch(project)
    found = called_for(str(project.root), base)
    assert found.words == ("--base", base, "--quarantine", "quarantine.txt")
    assert found.missing[0].startswith("oracle/oracle.lock pins a corpus, and there is no report")
    project.put(ORACLE, "{}")
    project.put("evidence/manifest.json", "{}")
    project.put("artifacts/test-receipt.json", "{}")
    whole = called_for(str(project.root), base)
    assert whole.missing == ()
    assert [word for word in whole.words if word.startswith("--")] == [
        *("--base", "--quarantine", "--oracle", "--evidence", "--receipt"),
    ]
    own = called_for(str(project.root), base, ["mine.json"])
    assert "mine.json" in own.words


def test_a_quarantine_that_only_the_patch_has_is_not_given(project: Project) -> None:
    base = branch(project)
    project.put("quarantine.txt", QUARANTINE)
    assert "--quarantine" not in called_for(str(project.root), base).words


@pytest.mark.heavy
def test_it_is_the_gate_that_answers(project: Project, tmp_path: Path) -> None:
    base = branch(project)
    project("evidence", "capture", "--", "pytest", "-q")
    done = project("merge-check", "--base", base)
    assert done.returncode == 0, done.stdout
    assert "proctor gate --base" in done.stderr
    assert "--evidence" in done.stderr
    same = project("gate", "--base", base, "--evidence", str(project.root / "evidence"))
    assert done.stdout == same.stdout
    output = tmp_path / "verdict.json"
    written = project("merge-check", "--base", base, "--format", "json", "--output", str(output))
    assert written.returncode == 0
    assert '"outcome"' in output.read_text()
    project.put("test_a.py", "def test_a(): assert 0\n")
    project("run", "--", "pytest", "-q")
    assert project("merge-check", "--base", base).returncode == 1


def test_an_oracle_that_was_not_asked_is_no_pass(project: Project) -> None:
    project.put("oracle/oracle.lock", "{}")
    base = branch(project)
    project("run", "--", "pytest", "-q")
    done = project("merge-check", "--base", base)
    assert done.returncode == 2
    assert "unproven: oracle/oracle.lock pins a corpus" in done.stderr
